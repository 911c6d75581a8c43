import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asRoot } from "../../components/remote/reaching";
import { scriptText } from "../../components/remote/script-text";
import { shellAssignments } from "../../components/remote/shell";
import { mustRun, run } from "../support/command";

/** An SSH key pair, in OpenSSH's format. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A host for SSH connections, with its expected host key. */
export interface Host {
  readonly address: string;
  readonly user: string;
  readonly hostKey: string;
}

/** The OpenSSH client, with separate keys and known hosts. */
export class Ssh {
  readonly #folder = mkdtempSync(join(tmpdir(), "vnfm-bench-ssh-"));

  /** Generates a key pair. The one with the name `login` is used for connections. */
  async keyPair(name: string): Promise<KeyPair> {
    const file = join(this.#folder, name);
    await mustRun("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file]);
    return {
      publicKey: readFileSync(`${file}.pub`, "utf8").trim(),
      privateKey: readFileSync(file, "utf8"),
    };
  }

  /** Runs one of vnfm's scripts as root, as soon as the host answers. @returns the script's output */
  async script(
    host: Host,
    script: string,
    data: Readonly<Record<string, string>>,
    action: "create" | "drain" | "delete" = "create",
  ): Promise<string> {
    const args = [...this.#options(host), `${host.user}@${host.address}`];
    const input = shellAssignments(data) + scriptText(script);
    const end = performance.now() + 270_000;
    for (;;) {
      const { status, stdout, stderr } = await run("ssh", [...args, asRoot(action, 25 * 60)], { input });
      if (status === 0) return stdout;
      // 255 is an error of ssh: the host is still booting
      if (status !== 255 || performance.now() > end) {
        throw new Error(`${script} on ${host.address} ended with ${status}: ${stderr}`);
      }
      await sleep(200);
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #options({ address, hostKey }: Host): string[] {
    const knownHosts = join(this.#folder, `${address}.known_hosts`);
    writeFileSync(knownHosts, `${address} ${hostKey}\n`);
    const options = {
      BatchMode: "yes",
      ConnectTimeout: "2",
      GlobalKnownHostsFile: "none",
      IdentitiesOnly: "yes",
      IdentityFile: join(this.#folder, "login"),
      LogLevel: "ERROR",
      // a booting server may lose a connection, which is then repeated
      ServerAliveInterval: "5",
      StrictHostKeyChecking: "yes",
      UserKnownHostsFile: knownHosts,
    };
    return ["-F", "none", ...Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`])];
  }
}
