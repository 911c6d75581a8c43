import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, run, type CommandResult } from "./command";

interface KubeList<T> {
  readonly items: readonly T[];
}

export interface KubeNode {
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

/** Access to a cluster with its kubeconfig, by kubectl. */
export class Cluster {
  readonly #folder = mkdtempSync(join(tmpdir(), "vnfm-kubeconfig-"));
  readonly #kubectl: string;

  private constructor(kubernetes: string, kubeconfig: string) {
    this.#kubectl = kubernetes;
    writeFileSync(this.kubeconfig, kubeconfig, { mode: 0o600 });
  }

  /** Path of the kubeconfig's file. */
  get kubeconfig(): string {
    return join(this.#folder, "kubeconfig");
  }

  static async connect(kubeconfig: string): Promise<Cluster> {
    const folder = (await mustRun("toolchain/build.sh", ["--path", "kubernetes-v1.33"])).trim();
    return new Cluster(join(folder, "kubernetes"), kubeconfig);
  }

  tryKubectl(args: readonly string[], input = ""): Promise<CommandResult> {
    // one binary contains all programs of Kubernetes: the name that it is called by selects one
    return run("bash", ["-c", 'exec -a kubectl "$0" "$@"', this.#kubectl, ...args], {
      env: { KUBECONFIG: this.kubeconfig },
      input,
    });
  }

  async kubectl(args: readonly string[], input = ""): Promise<string> {
    const { status, stdout, stderr } = await this.tryKubectl(args, input);
    if (status !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  }

  async list<T>(kind: string, ...args: string[]): Promise<readonly T[]> {
    return (JSON.parse(await this.kubectl(["get", kind, ...args, "-o", "json"])) as KubeList<T>).items;
  }

  /** Names of the Ready nodes, sorted. */
  async readyNodes(): Promise<string[]> {
    const nodes = await this.list<KubeNode>("nodes");
    return nodes
      .filter(({ status }) =>
        status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
      )
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  /** The first Node with a label, by a label selector, and the id of its server. */
  async node(selector: string): Promise<{ readonly name: string; readonly serverId: string }> {
    const path = "jsonpath={.items[0].metadata.name} {.items[0].spec.providerID}";
    const found = await this.kubectl(["get", "nodes", "-l", selector, "-o", path]);
    const [name = "", id = ""] = found.split(" ");
    return { name, serverId: id.split("/").at(-1) ?? "" };
  }

  /** Digest of the public key of the CA that the cluster's pods trust, in the form of `kubeadm join`. */
  async caKeyHash(): Promise<string> {
    const path = ["-o", String.raw`jsonpath={.data.ca\.crt}`];
    const ca = await this.kubectl(["get", "configmap", "-n", "kube-system", "kube-root-ca.crt", ...path]);
    const key = new X509Certificate(ca).publicKey.export({ type: "spki", format: "der" });
    return `sha256:${createHash("sha256").update(key).digest("hex")}`;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
