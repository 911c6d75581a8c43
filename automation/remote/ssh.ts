import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellQuote } from "../../components/remote/shell";
import { Fault } from "../fault";
import { runProgram, type Answer } from "./run-program";

/** How SSH reaches a host, as the state has it. */
export interface Connection extends Endpoint {
  /** A jump host on the way. */
  readonly proxy?: Endpoint;
}

interface Endpoint {
  readonly host: string;
  /** @default 22 */
  readonly port?: number;
  readonly user: string;
  readonly password?: string;
  readonly privateKey?: string;
  /** That the host must have, as in authorized_keys. */
  readonly hostKey: string;
}

/**
 * Runs a command with the OpenSSH client. Its secrets are files in a folder that only we can read, and which is
 * gone afterwards: the client takes a key in no other way.
 *
 * @param seconds how long the client may run before it is ended
 * @throws Fault if there is no client, or `signal` has ended it
 */
export async function runOverSsh(
  connection: Connection,
  { command, input, seconds }: { command: string; input: string; seconds: number },
  signal?: AbortSignal,
): Promise<Answer> {
  return withClient(connection, ({ args, ...how }) =>
    runProgram("ssh", ["-T", ...args, command], { input, seconds, ...how }, signal),
  );
}

/**
 * Runs the OpenSSH client with the terminal of the caller.
 *
 * @param command none for a shell
 * @returns its exit status, which is the command's; 255 where the client itself failed
 * @throws Fault if there is no client
 */
export async function terminalOverSsh(connection: Connection, command: readonly string[]): Promise<number> {
  return withClient(connection, ({ args, env, cwd }) => {
    const client = spawn("ssh", [...args, ...command], {
      cwd,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    // Ctrl-C is for what runs there; what ends us ends the client, so that its files go
    process.on("SIGINT", () => undefined);
    for (const name of ["SIGHUP", "SIGTERM"] as const) process.once(name, () => client.kill(name));
    return new Promise<number>((done, fail) => {
      client.on("error", () => fail(new Fault("there is no ssh: install it")));
      client.on("exit", (status) => done(status ?? 255));
    });
  });
}

interface Client {
  /** Up to the host. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

async function withClient<T>(connection: Connection, use: (client: Client) => Promise<T>): Promise<T> {
  const cwd = mkdtempSync(join(tmpdir(), "vnfm-ssh-"));
  try {
    const { host, proxy } = connection;
    const options = prepare(connection, cwd);
    const way = proxy === undefined ? [] : ["-o", `ProxyCommand=${proxyCommand(proxy, join(cwd, "jump"))}`];
    const args = [...options, ...way, "--", host];
    // ssh starts a proxy command by this shell
    const env = { ...askpass(cwd), SHELL: "/bin/sh" };
    return await use({ args, env, cwd });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Not ProxyJump, whose connection has no options of its own on the command line. */
function proxyCommand(proxy: Endpoint, folder: string): string {
  mkdirSync(folder);
  const variables = Object.entries(askpass(folder)).map(([name, value]) => `${name}=${value}`);
  const client = ["env", ...variables, "ssh", ...prepare(proxy, folder)];
  // ssh puts host and port in the place of %h and %p
  const quoted = (word: string): string => shellQuote(word).replaceAll("%", "%%");
  return [...client.map(quoted), "-W", "'[%h]:%p'", "--", quoted(proxy.host)].join(" ");
}

function askpass(folder: string): Readonly<Record<string, string>> {
  return { SSH_ASKPASS: join(folder, "askpass"), SSH_ASKPASS_REQUIRE: "force" };
}

/** Writes the files of an endpoint. @returns the client's options, up to the host */
function prepare(
  { port = 22, user, password, privateKey, hostKey }: Endpoint,
  folder: string,
): readonly string[] {
  const write = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode });
    return path;
  };
  const common = {
    ConnectTimeout: "10",
    GlobalKnownHostsFile: "none",
    // whatever address and port it has
    HostKeyAlias: "vnfm",
    IdentitiesOnly: "yes",
    IdentityAgent: "none",
    LogLevel: "ERROR",
    ServerAliveInterval: "10",
    StrictHostKeyChecking: "yes",
    UserKnownHostsFile: write("known_hosts", `vnfm ${hostKey.trim()}\n`),
  };
  const optionsOf = (options: Readonly<Record<string, string>>) => [
    ...["-F", "none", "-p", String(port), "-l", user],
    ...Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]),
  ];
  if (password === undefined) {
    const key = write("key", `${(privateKey ?? "").trim()}\n`);
    return optionsOf({ ...common, BatchMode: "yes", IdentityFile: key });
  }
  write("password", password);
  // read when ssh asks
  write("askpass", '#!/bin/sh\nexec cat "${0%/*}/password"\n', 0o700);
  return optionsOf({
    ...common,
    NumberOfPasswordPrompts: "1",
    PreferredAuthentications: "password,keyboard-interactive",
    PubkeyAuthentication: "no",
  });
}
