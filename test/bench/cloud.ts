import { OpenStack } from "../support/openstack";
import { until } from "../support/until";

interface Created {
  readonly service: string;
  readonly path: string;
}

/** A client of the lab's cloud that records the resources that it creates, and deletes them at the end. */
export class Cloud {
  readonly #created: Promise<Created>[] = [];
  #closed = false;

  private constructor(readonly api: OpenStack) {}

  static async connect(): Promise<Cloud> {
    return new Cloud(await OpenStack.connect());
  }

  /** Creates a resource, which `cleanUp` deletes. @param nameOf returns the last part of its path, from the answer */
  create<T>(service: string, path: string, body: object, nameOf: (answer: T) => string): Promise<T> {
    if (this.#closed) throw new Error("the clean-up has begun");
    const answer = this.api.post<T>(service, path, body);
    const created = answer.then((it) => ({ service, path: `${path}/${nameOf(it)}` }));
    // the caller gets the error with the answer; `cleanUp` ignores a failed creation
    created.catch(() => undefined);
    this.#created.push(created);
    return answer;
  }

  /** Deletes a resource and waits until it no longer exists. */
  async remove(service: string, path: string): Promise<void> {
    const exists = () =>
      this.api.get(service, path).then(
        () => true,
        () => false,
      );
    await this.api.delete(service, path).catch(async (error: unknown) => {
      if (await exists()) throw error;
    });
    await until(300, `${path} to be gone`, async () => !(await exists()));
  }

  /**
   * Deletes the created resources that still exist: first servers, then the others, the newest first.
   * @throws Error with the resources that cannot be deleted, after all others are deleted
   */
  async cleanUp(): Promise<void> {
    this.#closed = true;
    const settled = await Promise.allSettled(this.#created);
    const created = settled.flatMap((it) => (it.status === "fulfilled" ? [it.value] : [])).reverse();
    const servers = created.filter(({ path }) => path.startsWith("/servers/"));
    const left: string[] = [];
    const remove = ({ service, path }: Created) =>
      this.remove(service, path).catch((error: unknown) => left.push(`${path}: ${String(error)}`));
    await Promise.all(servers.map(remove));
    for (const other of created.filter((it) => !servers.includes(it))) await remove(other);
    if (left.length > 0) throw new Error(`left in the cloud:\n${left.join("\n")}`);
  }
}
