import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { mustRun, REPOSITORY } from "../support/command";
import { until } from "../support/until";

/** Hosts that accept scripts by SSH and do nothing: one sshd on the loopback, which represents any number of hosts. */
export interface IdleHosts {
  readonly port: number;
  readonly hostKey: string;
  readonly privateKey: string;
  readonly close: () => void;
}

/** Starts the hosts. @param folder folder for the sshd's files */
export async function idleHosts(folder: string): Promise<IdleHosts> {
  const at = (name: string) => join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of ["host", "login"])
    await mustRun("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", at(name)]);
  const port = await freePort();
  const settings = {
    ListenAddress: `127.0.0.1:${port}`,
    HostKey: at("host"),
    AuthorizedKeysFile: at("login.pub"),
    PidFile: "none",
    StrictModes: "no",
    // a script's output begins with a mark, but nothing reads it here
    ForceCommand: "cat >/dev/null",
    MaxStartups: "1000",
  };
  writeFileSync(
    at("config"),
    Object.entries(settings)
      .map((line) => `${line.join(" ")}\n`)
      .join(""),
  );
  const run = `mkdir -p /run/sshd; exec "$(command -v sshd)" -D -e -f "${at("config")}"`;
  const daemon: ChildProcess = spawn(join(REPOSITORY, "test/bench/with-sshd.sh"), ["sh", "-c", run], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let output = "";
  daemon.stderr?.on("data", (text: Buffer) => (output += text.toString()));
  await until(60, "an sshd that listens", () => Promise.resolve(output.includes("Server listening")));
  return {
    port,
    hostKey: readFileSync(at("host.pub"), "utf8").trim(),
    privateKey: readFileSync(at("login"), "utf8"),
    close: () => process.kill(-(daemon.pid ?? 0), "SIGTERM"),
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
