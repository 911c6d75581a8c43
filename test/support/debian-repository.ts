import { createHash } from "node:crypto";
import {
  createReadStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { mustRun } from "./command";

/** Address of this machine in the lab's networks. */
const HERE = "198.19.0.1";

/** An apt repository on this machine, with those packages of Debian that a test adds. */
export class DebianRepository {
  readonly #folder = mkdtempSync(join(tmpdir(), "vnfm-debian-"));
  readonly #server = createServer(({ url = "" }, response) => {
    createReadStream(join(this.#folder, basename(url)))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });

  /** Starts an empty repository. */
  static async start(): Promise<DebianRepository> {
    const repository = new DebianRepository();
    writeFileSync(join(repository.#folder, "Packages"), "");
    await new Promise<void>((done, fail) => {
      repository.#server.once("error", fail).listen(0, HERE, done);
    });
    return repository;
  }

  /** Returns a shell script that uninstalls packages from a server, and makes this repository its only one. */
  without(...packages: readonly string[]): string {
    const { port } = this.#server.address() as AddressInfo;
    return `set -e
dpkg --remove ${packages.join(" ")}
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d
echo 'deb [trusted=yes] http://${HERE}:${port}/ ./' >/etc/apt/sources.list`;
  }

  /** Adds packages from the repositories of this machine. */
  async add(...packages: readonly string[]): Promise<void> {
    await mustRun("apt-get", ["-q", "update"]);
    await mustRun("apt-get", ["-q", "download", ...packages], { cwd: this.#folder });
    const entries = packages.map((name) => this.#entry(name));
    writeFileSync(join(this.#folder, "Packages"), (await Promise.all(entries)).join("\n"));
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Renames a downloaded package to a name without its version. @returns its entry of the repository's index */
  async #entry(name: string): Promise<string> {
    const file = join(this.#folder, `${name}.deb`);
    const downloaded = readdirSync(this.#folder).find((one) => one.startsWith(`${name}_`)) ?? "";
    renameSync(join(this.#folder, downloaded), file);
    const fields = await mustRun("dpkg-deb", ["--field", file]);
    const content = readFileSync(file);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return `${fields}Filename: ./${name}.deb\nSize: ${content.length}\nSHA256: ${sha256}\n`;
  }
}
