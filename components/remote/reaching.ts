/** The connection of a script to the server that it runs on. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptText } from "./script-text";
import { shellAssignments } from "./shell";
import { assertClient, overSsh, type CommandResult, type Host, type Login } from "./ssh-client";

/** Servers on any of which a script may run, all with the same login. */
export interface Reach {
  readonly hosts: readonly Host[];
  readonly login: Login;
  readonly jumpHost?: Host & { readonly login: Login };
  /**
   * True if the server must be a master that is in the cluster, which it is once kubeadm has finished there. @default
   * false
   */
  readonly onMaster?: boolean;
  /** Number of attempts to reach any of the servers, five seconds apart. */
  readonly tries: number;
  /** Time limit of the script, in seconds. */
  readonly seconds: number;
}

const PAUSE_SECONDS = 5;
/** Time limits in seconds for a query to a server, which may hang, and for a connection to its port. */
const QUESTION_SECONDS = 20;
const PORT_SECONDS = 5;
/** Extra time in seconds for the network, and for the end of a script that exceeds its limit. */
const MORE_SECONDS = 60;

/** Exit status of the SSH client itself: the connection failed, or broke. */
export const NOT_REACHED = 255;

/** Id of the process that started this one, Pulumi's shell. If it changes, the run was cut off. */
const STARTED_BY = process.ppid;

const IN_CLUSTER = "[ -e /etc/kubernetes/vnfm-complete ]\n";

/**
 * Runs a script on the first server that answers, and once more on another one if the connection breaks, because
 * scripts can safely run again.
 * @returns status 255 if none answers
 * @throws Error if the SSH client of this machine does not work at all
 */
export async function runOnServer(
  reach: Reach,
  {
    script,
    verb,
    data,
  }: { readonly script: string; readonly verb: string; readonly data: Readonly<Record<string, string>> },
): Promise<CommandResult> {
  const input = shellAssignments(data) + scriptText(script);
  const mark = `vnfm-${randomBytes(8).toString("hex")}`;
  const command = asRoot(verb, reach.seconds, mark);
  let last = "";
  for (let left = reach.tries; left > 0; left--) {
    for await (const host of answering(reach)) {
      // the run was cut off, and the effects of the script may have been undone since
      if (process.ppid !== STARTED_BY) return { status: 1, stdout: "", stderr: "the run was interrupted\n" };
      const answer = await overSsh(connectionTo(reach, host), {
        command,
        input,
        seconds: reach.seconds + MORE_SECONDS,
      });
      if (answer.status !== NOT_REACHED) return { ...answer, stdout: resultOf(answer.stdout, mark) };
      if (last === "") await assertClient();
      last = answer.stderr;
    }
    if (left > 1) await sleep(PAUSE_SECONDS * 1000);
  }
  return { status: NOT_REACHED, stdout: "", stderr: `${last}${unreachedMessage(reach)}\n` };
}

/**
 * The servers that accept connections, in order, and are in a cluster if that is required. Each is tried shortly after
 * its predecessor, so that concurrent scripts meet on the same master, where they wait for each other.
 */
async function* answering(reach: Reach) {
  const { hosts, jumpHost, onMaster } = reach;
  // a single host needs no choice, and sshd would count the connection; only the jump host can reach those behind it
  const open = jumpHost === undefined && hosts.length > 1 ? thatTakeConnections(hosts) : hosts;
  for await (const host of open) if (!onMaster || (await isInCluster(reach, host))) yield host;
}

async function* thatTakeConnections(hosts: readonly Host[]) {
  const queries = new Map(
    hosts.map((host, i) => [host, sleep(i * 300).then(async () => ({ host, open: await isOpen(host) }))]),
  );
  while (queries.size > 0) {
    const { host, open } = await Promise.race(queries.values());
    queries.delete(host);
    if (open) yield host;
  }
}

/** Returns true if a host accepts connections at its port. */
function isOpen({ host, port = 22 }: Host): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: PORT_SECONDS * 1000 });
    const end = (open: boolean) => {
      socket.destroy();
      done(open);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
  });
}

/** Returns true if a server is in a cluster, and answers: one whose disk hangs accepts connections too. */
async function isInCluster(reach: Reach, host: Host) {
  const question = { command: asRoot("", QUESTION_SECONDS), input: IN_CLUSTER, seconds: QUESTION_SECONDS };
  return (await overSsh(connectionTo(reach, host), question)).status === 0;
}

const connectionTo = ({ login, jumpHost }: Reach, host: Host) => ({
  ...{ ...host, login },
  ...(jumpHost !== undefined && { jumpHost }),
});

function unreachedMessage({ hosts, login, onMaster }: Reach) {
  const all = hosts.map(({ host }) => host).join(" ");
  return onMaster
    ? `no control-plane node of the cluster answers at any of ${all}`
    : `${all} does not answer over SSH, or rejects the login of ${login.user}`;
}

/**
 * The command that runs a script from standard input as root, with a clean environment: variables in /etc/environment
 * of the image, such as a proxy, do not apply to vnfm's scripts. The process on the server outlives a lost connection,
 * so it has a time limit there; half a minute after it the process is killed.
 * @param verb the script's first argument
 * @param mark printed before the script's output. @default nothing
 */
export function asRoot(verb: string, seconds: number, mark?: string) {
  const run = `env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin timeout -k 30 ${seconds} bash -s ${verb}`;
  const begin = mark === undefined ? "" : `echo; echo ${mark}; `;
  // 255 means the client itself: a script that exits with 255, such as after a failed ssh, has run
  return `${begin}if [ "$(id -u)" = 0 ]; then ${run}; else sudo -n ${run}; fi; s=$?; [ $s != 255 ] || s=1; exit $s`;
}

/** The output of a script, without that of the login shell before the mark. */
function resultOf(stdout: string, mark: string) {
  const [, ...printed] = stdout.split(`\n${mark}\n`);
  return printed.join(`\n${mark}\n`);
}
