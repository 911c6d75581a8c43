import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
 * @param seconds after which it is ended
 * @throws Fault if there is no client, or `signal` has ended it
 */
export async function runOverSsh(
  connection: Connection,
  { command, input, seconds }: { command: string; input: string; seconds: number },
  signal?: AbortSignal,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-ssh-"));
  try {
    const options = prepare(connection, folder);
    const { host, port = 22, user } = connection;
    const args = [
      ...["-F", "none", "-T", "-p", String(port), "-l", user],
      ...Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]),
      ...["--", host, command],
    ];
    const env = { SSH_ASKPASS: join(folder, "askpass"), SSH_ASKPASS_REQUIRE: "force" };
    return await runProgram("ssh", args, { input, seconds, env, cwd: folder }, signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
