/**
 * Collects bytes that arrive in parts. A list of parts would need a hundred times the memory if each part is one byte.
 */

export class Bytes {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length() {
    return this.#length;
  }

  add(part: Uint8Array) {
    const needed = this.#length + part.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(part, this.#length);
    this.#length = needed;
  }

  /** Drops all but the last bytes. */
  keepLast(most: number) {
    if (this.#length <= most) return;
    this.#buffer.copyWithin(0, this.#length - most, this.#length);
    this.#length = most;
  }

  /** The bytes received so far; the buffer changes with the next part. */
  get all() {
    return this.#buffer.subarray(0, this.#length);
  }
}

/**
 * Reads a whole body that arrives in parts.
 * @param most maximum number of bytes
 * @param tooLarge creates the error for a larger body
 */
export async function bytesOf(body: AsyncIterable<Uint8Array> | null, most: number, tooLarge: () => Error) {
  const bytes = new Bytes();
  for await (const part of body ?? []) {
    if (bytes.length + part.length > most) throw tooLarge();
    bytes.add(part);
  }
  return bytes.all;
}
