/** Quoting for a POSIX shell. */

/** Quotes any text. */
export function shellQuote(text: string) {
  if (text.includes("\0")) throw new Error("a shell cannot hold a NUL character");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Data as shell assignments, which are prepended to a script; a script gets no data in any other way. */
export function shellAssignments(data: Readonly<Record<string, string>>) {
  return Object.entries(data)
    .map(([name, value]) => {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" is not a name of a shell variable`);
      return `${name}=${shellQuote(value)}\n`;
    })
    .join("");
}
