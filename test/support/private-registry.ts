import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, REPOSITORY, run } from "./command";
import { LAB } from "./lab";
import { until } from "./until";

interface Index {
  readonly manifests: readonly { readonly annotations: Readonly<Record<string, string>> }[];
}

const NAME = "io.containerd.image.name";

/** A container registry with its own CA and a login; it contains busybox as `private/app:1`. */
export class PrivateRegistry {
  static readonly login = { username: "puller", password: "registry pass word" };
  /** User and bcrypt hash of the password. */
  static readonly #htpasswd = "puller:$2b$05$abcdefghijklmnopqrstuuYl1UrNRCGkjOZUrLLmWDtrKcALtKQAa\n";

  readonly #processes: ChildProcess[] = [];

  /** @param folder a new folder for the registry's files */
  private constructor(private readonly folder: string) {}

  /** @param names host names in the registry's certificate */
  static async start(
    folder: string,
    address: string,
    port: number,
    names: readonly string[],
  ): Promise<PrivateRegistry> {
    const registry = new PrivateRegistry(folder);
    mkdirSync(folder);
    try {
      await registry.#fill(`127.0.0.1:${port}`);
      registry.#makeCertificate(names);
      writeFileSync(join(folder, "htpasswd"), PrivateRegistry.#htpasswd);
      await registry.#serve(`https://${address}:${port}`, {
        addr: `${address}:${port}`,
        tls: { certificate: join(folder, "ca.crt"), key: join(folder, "ca.key") },
      });
    } catch (error) {
      registry.close();
      throw error;
    }
    return registry;
  }

  /** The registry's CA, in PEM. */
  get certificate(): string {
    return readFileSync(join(this.folder, "ca.crt"), "utf8");
  }

  close(): void {
    for (const child of this.#processes) child.kill();
  }

  /** Pushes the image, by a registry without TLS and login that runs on the loopback only for that time. */
  async #fill(addr: string): Promise<void> {
    const layout = join(this.folder, "layout");
    const images = join(LAB, "images-v1.33.0");
    mkdirSync(layout);
    symlinkSync(join(images, "blobs"), join(layout, "blobs"));
    const { manifests } = JSON.parse(readFileSync(join(images, "index.json"), "utf8")) as Index;
    const busybox = manifests.find(
      ({ annotations }) => annotations[NAME] === "docker.io/library/busybox:1.36",
    );
    if (busybox === undefined) throw new Error(`${images} has no busybox`);
    const index = { manifests: [{ ...busybox, annotations: { [NAME]: "any/private/app:1" } }] };
    writeFileSync(join(layout, "index.json"), JSON.stringify(index));
    const child = await this.#serve(`http://${addr}`, { addr });
    await mustRun("python3", [join(REPOSITORY, "lab/images/push.py"), layout, `http://${addr}`]);
    await new Promise((ended) => child.once("exit", ended) && child.kill());
  }

  #makeCertificate(names: readonly string[]): void {
    const file = (name: string) => join(this.folder, name);
    const subjects = names.map((name) => `DNS:${name}`).join(",");
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", ...kind, "-subj", "/CN=registry", "-addext", `subjectAltName=${subjects}`],
        ...["-keyout", file("ca.key"), "-out", file("ca.crt")],
      ],
      { stdio: "ignore" },
    );
  }

  async #serve(url: string, http: { readonly addr: string; readonly tls?: object }): Promise<ChildProcess> {
    const config = join(this.folder, "config.json");
    const auth = http.tls && { htpasswd: { realm: "private", path: join(this.folder, "htpasswd") } };
    const storage = { filesystem: { rootdirectory: join(this.folder, "data") } };
    // JSON is YAML
    writeFileSync(config, JSON.stringify({ version: "0.1", storage, http, ...(auth && { auth }) }));
    const child = spawn("docker-registry", ["serve", config], { stdio: "ignore" });
    this.#processes.push(child);
    await until(20, `the registry at ${url}`, async () => {
      if (child.exitCode !== null) throw new Error(`the registry at ${url} ended with ${child.exitCode}`);
      // without credentials the registry answers 401, so it is running
      return (await run("curl", ["-sko", "/dev/null", `${url}/v2/`])).status === 0;
    });
    return child;
  }
}
