import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "./fault";
import { runProgram, type Answer } from "./run-program";

/** How SSH reaches a host, as the state has it. */
export interface Connection {
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
    const options = prepare(connection, cwd);
    const { host, port = 22, user } = connection;
    const args = [
      ...["-F", "none", "-p", String(port), "-l", user],
      ...Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]),
      ...["--", host],
    ];
    const env = { SSH_ASKPASS: join(cwd, "askpass"), SSH_ASKPASS_REQUIRE: "force" };
    return await use({ args, env, cwd });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Writes the files of a connection. @returns the client's options, with paths in the folder */
function prepare(
  { password, privateKey, hostKey }: Connection,
  folder: string,
): Readonly<Record<string, string>> {
  const write = (name: string, text: string, mode = 0o600): void =>
    writeFileSync(join(folder, name), text, { mode });
  write("known_hosts", `vnfm ${hostKey.trim()}\n`);
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
    UserKnownHostsFile: "known_hosts",
  };
  if (password === undefined) {
    write("key", `${(privateKey ?? "").trim()}\n`);
    return { ...common, BatchMode: "yes", IdentityFile: "key" };
  }
  write("password", password);
  write("askpass", "#!/bin/sh\nexec cat password\n", 0o700);
  return {
    ...common,
    NumberOfPasswordPrompts: "1",
    PreferredAuthentications: "password,keyboard-interactive",
    PubkeyAuthentication: "no",
  };
}
