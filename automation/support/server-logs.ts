import { randomBytes } from "node:crypto";
import { asRoot } from "../../components/remote/reaching";
import { overSsh, type Connection } from "../../components/remote/ssh-client";

/** Time limit on a server, in seconds. */
const SECONDS = 60;

/** The most that the report has of one command's output: its end. All outputs together fit into one answer over SSH. */
const OUTPUT_LIMIT = "300K";

const journal = (lines: number, ...units: string[]): string =>
  `journalctl --no-pager --quiet --lines=${lines} ${units.map((unit) => `--unit='${unit}'`).join(" ")}`;

/** Files of the report about a server, and the commands whose output they have. */
const COMMANDS: Readonly<Record<string, string>> = {
  "system.txt": "date; uname -a; cat /etc/os-release; uptime; free -m; df -h; ip -brief address; ip route",
  "units.txt": "systemctl --no-pager --failed; systemctl --no-pager list-timers 'vnfm-*'",
  "containers.txt": "crictl ps --all",
  "kubelet.log": journal(2000, "kubelet"),
  "containerd.log": journal(1000, "containerd"),
  "load-balancer.log": journal(1000, "haproxy", "keepalived"),
  "storage.log": journal(1000, "nfs-ganesha", "nfs-server"),
  "vnfm.log": journal(1000, "vnfm-*"),
  "kernel.log": "journalctl --no-pager --quiet --dmesg --lines=500",
  "cloud-init-output.log": "tail --lines=1000 /var/log/cloud-init-output.log",
};

/**
 * Reads the state and the logs of a server over SSH. A command that fails leaves its message in its file.
 *
 * @returns texts by file name; only `not-read.txt`, with the reason, if the server does not answer
 */
export async function serverLogs(connection: Connection): Promise<ReadonlyMap<string, string>> {
  // a mark that no log can contain separates the outputs
  const mark = `vnfm-${randomBytes(16).toString("hex")}`;
  const commands = Object.entries(COMMANDS).map(
    ([file, command]) =>
      `echo; echo '${mark} ${file}'; { ${command}; } 2>&1 </dev/null | tail --bytes=${OUTPUT_LIMIT}\n`,
  );
  const { status, stdout, stderr } = await overSsh(connection, {
    command: asRoot("", SECONDS),
    input: commands.join(""),
    seconds: SECONDS + 60,
  });
  const files = outputsIn(stdout, mark);
  if (files.size > 0) return files;
  return new Map([["not-read.txt", `the server does not answer over SSH (${status}): ${stderr}\n`]]);
}

/**
 * Divides the output of a server into those of the commands, by file name. The server may print any name, so only those
 * of commands become files.
 */
export function outputsIn(stdout: string, mark: string): ReadonlyMap<string, string> {
  const parts = stdout.split(`\n${mark} `).slice(1);
  return new Map(
    parts
      .map((text) => [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 1)] as const)
      .filter(([file]) => Object.hasOwn(COMMANDS, file)),
  );
}
