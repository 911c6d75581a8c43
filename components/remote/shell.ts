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

/** The line after which a script's own output begins: a login shell may print before it, as `echo` in .bashrc does. */
export const RESULT_MARK = "the script of vnfm says:";

/** What a script has printed, of all that has come from its server. Without the mark nothing else is in it. */
export function resultIn(stdout: string): string {
  const begin = stdout.indexOf(`${RESULT_MARK}\n`);
  return (begin === -1 ? stdout : stdout.slice(begin + RESULT_MARK.length)).trim();
}

/**
 * The command that runs a script from standard input as root. It has nothing of the login's environment: kubeadm would
 * write the proxies of an image's /etc/environment into the pods of the control plane.
 *
 * @param action the script's first argument; `@VERB@` stands for one that any-master.sh fills in
 * @param limit how long it may run, as `timeout` takes it: the process on the server outlives a lost connection. Half a
 *   minute after it what has not ended is killed
 */
export function asRoot(
  action: "create" | "update" | "check" | "use" | "vote" | "kept" | "agree" | "delete" | "@VERB@",
  limit: string,
): string {
  const run = `env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin timeout -k 30 ${limit} bash -s ${action}`;
  // what the login shell has printed may have no end of line
  const mark = `printf '\\n%s\\n' '${RESULT_MARK}'`;
  return `${mark}; if [ "$(id -u)" = 0 ]; then exec ${run}; else exec sudo -n ${run}; fi`;
}
