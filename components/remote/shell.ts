/** Quotes any text for a POSIX shell. */
export function shellQuote(text: string): string {
  if (text.includes("\0")) throw new Error("a shell cannot hold a NUL character");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Data as shell assignments in front of a script, which gets it in no other way. */
export function shellAssignments(data: Readonly<Record<string, string>>): string {
  return Object.entries(data)
    .map(([name, value]) => {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" is no name of a shell variable`);
      return `${name}=${shellQuote(value)}\n`;
    })
    .join("");
}

/**
 * The command that runs a script from standard input as root.
 *
 * @param action the script's first argument; `@VERB@` stands for one that any-master.sh fills in
 * @param limit how long it may run, as `timeout` takes it: the process on the server outlives a lost connection. Half a
 *   minute after it what has not ended is killed
 */
export function asRoot(
  action: "create" | "update" | "check" | "use" | "vote" | "kept" | "agree" | "delete" | "@VERB@",
  limit: string,
): string {
  const run = `timeout -k 30 ${limit} bash -s ${action}`;
  return `if [ "$(id -u)" = 0 ]; then exec ${run}; else exec sudo -n ${run}; fi`;
}
