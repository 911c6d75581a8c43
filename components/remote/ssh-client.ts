/**
 * The OpenSSH client of the machine that runs Pulumi. Unlike the connections of the command provider it supports
 * several hosts, any of an instance's keys, a script that is passed by standard input only, and a terminal.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepOutput, MOST_RESULT } from "../run/output";
import { shellQuote } from "./shell";

/**
 * A login with a password, or with any of several private keys: the newest is the first, and a former one fits a server
 * that was created before a rotation.
 */
export type Login = { readonly user: string; readonly password?: string; readonly keys?: readonly string[] };
/** A host with its expected public key, as in authorized_keys. The default port is 22. */
export type Host = { readonly host: string; readonly port?: number; readonly hostKey: string };
/** The connection to a host, directly or through a jump host. */
export type Connection = Host & {
  readonly login: Login;
  readonly jumpHost?: Host & { readonly login: Login };
};
/** Arguments and environment of the client. */
type Client = { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv };
/** Result of a command; status 255 means that the client itself failed, or took too long. */
export type CommandResult = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Maximum number of keys: sshd ends a connection that offers six. */
const MOST_KEYS = 5;

/**
 * Prepares the client for a connection. Its secrets are files in a folder that only this user can read, and that is
 * deleted afterwards: the client accepts keys only as files.
 * @param use gets the client's arguments up to the host, and its environment
 */
async function withClient<T>(connection: Connection, use: (client: Client) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-ssh-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const { host, login, jumpHost } = connection;
    const way = jumpHost === undefined ? [] : ["-o", `ProxyCommand=${proxyCommand(jumpHost, folder)}`];
    const args = ["-T", ...options(connection, login, folder), ...way, "--", host];
    // ssh starts a proxy command with this shell
    return await use({ args, env: { ...process.env, ...askpass(folder), SHELL: "/bin/sh" } });
  } finally {
    process.removeListener("exit", remove);
    remove();
  }
}

/**
 * The proxy command for a jump host. ProxyJump is not used, because its connection does not accept options on the
 * command line.
 */
function proxyCommand(jumpHost: Host & { readonly login: Login }, folder: string) {
  const jumpFolder = join(folder, "jump");
  mkdirSync(jumpFolder);
  const variables = Object.entries(askpass(jumpFolder)).map(([name, value]) => `${name}=${value}`);
  const client = ["env", ...variables, "ssh", "-T", ...options(jumpHost, jumpHost.login, jumpFolder)];
  // a shell runs it, after ssh has replaced %h and %p by host and port
  const quoted = (word: string) => shellQuote(word).replaceAll("%", "%%");
  return [...client.map(quoted), "-W", "'[%h]:%p'", "--", quoted(jumpHost.host)].join(" ");
}

function askpass(folder: string) {
  return { SSH_ASKPASS: join(folder, "askpass"), SSH_ASKPASS_REQUIRE: "force" };
}

/** Writes the files of a login into a folder. */
function options({ port = 22, hostKey }: Host, { user, password, keys = [] }: Login, folder: string) {
  const write = (name: string, text: string, mode = 0o600) => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const common = [
    "ConnectTimeout=10",
    "GlobalKnownHostsFile=none",
    // for any address and port
    "HostKeyAlias=vnfm",
    "IdentitiesOnly=yes",
    "IdentityAgent=none",
    "LogLevel=ERROR",
    "ServerAliveInterval=10",
    "StrictHostKeyChecking=yes",
    fileOption("UserKnownHostsFile", write("known_hosts", `vnfm ${hostKey.trim()}\n`)),
  ];
  const identities = () =>
    keys
      .slice(0, MOST_KEYS)
      .map((key, number) => fileOption("IdentityFile", write(`key-${number}`, `${key.trim()}\n`)));
  const byPassword = () => {
    write("password", password ?? "");
    // read when ssh prompts for the password
    write("askpass", '#!/bin/sh\nexec cat "${0%/*}/password"\n', 0o700);
    return [
      "NumberOfPasswordPrompts=1",
      "PreferredAuthentications=password,keyboard-interactive",
      "PubkeyAuthentication=no",
    ];
  };
  const credentials = password === undefined ? ["BatchMode=yes", ...identities()] : byPassword();
  return [
    ...["-F", "none", "-p", String(port), "-l", user],
    ...[...common, ...credentials].flatMap((option) => ["-o", option]),
  ];
}

/** An option with a path. ssh divides its value at spaces outside of quotes, and replaces what a % begins. */
function fileOption(name: string, path: string): string {
  return `${name}="${path.replaceAll("%", "%%")}"`;
}

/**
 * Runs a command on a host. The time limit also applies here, as the server may hang. A command with too much output
 * fails.
 * @throws Error if there is no client
 */
export function overSsh(
  connection: Connection,
  { command, input, seconds }: { readonly command: string; readonly input: string; readonly seconds: number },
): Promise<CommandResult> {
  return withClient(connection, async ({ args, env }) => {
    // in the same process group, which ends when a run is cut off
    const client = spawn("ssh", [...args, command], { env, stdio: "pipe" });
    const end = () => client.kill("SIGKILL");
    const giveUp = () => {
      end();
      // the client of a jump host may live on and hold them open
      for (const stream of [client.stdout, client.stderr]) stream.destroy();
    };
    const output = keepOutput(client, giveUp);
    client.stdin.on("error", () => undefined); // its status says why it read no further
    client.stdin.end(input);
    const limit = setTimeout(giveUp, seconds * 1000);
    process.once("exit", end);
    try {
      const status = await ended(client);
      const { isTooMuch, ...printed } = output();
      if (!isTooMuch) return { status: status ?? 255, ...printed };
      const why = `the command printed more than the ${MOST_RESULT >> 20} MiB that a result can have`;
      return { status: 1, stdout: "", stderr: `${printed.stderr}${why}\n` };
    } finally {
      clearTimeout(limit);
      process.removeListener("exit", end);
    }
  });
}

/**
 * Runs the client with the terminal of the caller.
 * @param command none for a shell
 * @returns the exit status of the command; 255 if the client itself failed
 * @throws Error if there is no client
 */
export function terminalOverSsh(connection: Connection, command: readonly string[]) {
  return withClient(connection, async ({ args: [, ...args], env }) => {
    const client = spawn("ssh", [...args, ...command], { env, stdio: "inherit" });
    // Ctrl-C is for the remote command; a signal that ends this process ends the client, so that its files are deleted
    process.on("SIGINT", () => undefined);
    for (const name of ["SIGHUP", "SIGTERM"] as const) process.once(name, () => client.kill(name));
    return (await ended(client)) ?? 255;
  });
}

/** A connection to a non-existing host, with every kind of option. */
const NOBODY: Connection = {
  ...{ host: "vnfm", hostKey: "", login: { user: "vnfm", keys: [""] } },
  jumpHost: { host: "vnfm", hostKey: "", login: { user: "vnfm", password: "" } },
};

/**
 * Checks that the client of this machine accepts vnfm's options, without connecting to a host. Otherwise a refused
 * option would look like a server that does not answer.
 * @throws Error with the client's own message, or if there is no client
 */
export function assertClient(): Promise<void> {
  return withClient(NOBODY, async ({ args, env }) => {
    const client = spawn("ssh", ["-G", ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
    let words = "";
    client.stderr.setEncoding("utf8").on("data", (text) => (words = (words + text).slice(0, MOST_WORDS)));
    const status = await ended(client);
    if (status === 0) return;
    const hint = /No user exists/.test(words)
      ? "; OpenSSH needs a line in /etc/passwd of the user who runs this, in a container too"
      : "";
    throw new Error(`the ssh of this machine cannot be used: ${words.trim() || `status ${status}`}${hint}`);
  });
}

/** Maximum length of the client's message, in characters. */
const MOST_WORDS = 2000;

/** @returns the exit status; null if a signal ended the client */
function ended(client: ChildProcess): Promise<number | null> {
  return new Promise((done, fail) => {
    client.on("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "ENOENT"
          ? new Error("ssh is not installed on this machine: install an OpenSSH client")
          : error,
      ),
    );
    client.on("close", (status) => done(status));
  });
}
