import type { Cluster } from "./cluster";
import { Probe, type Probed } from "./probe";

export interface Written extends Probed {
  /** Acknowledged writes that are not there at the end. */
  readonly lostWrites: readonly string[];
}

/** Writes to the API again and again, one object after the other, and counts what fails. */
export class Prober {
  readonly #acknowledged: string[] = [];
  readonly #probe: Probe;
  #written: Promise<Written> | undefined;

  private constructor(private readonly cluster: Cluster) {
    this.#probe = Probe.start((n) => this.#write(`probe-${n}`));
  }

  static start(cluster: Cluster): Prober {
    return new Prober(cluster);
  }

  /** What was found; the same however often it is called. */
  stop(): Promise<Written> {
    return (this.#written ??= this.#finish());
  }

  async #finish(): Promise<Written> {
    const probed = await this.#probe.stop();
    const maps = await this.cluster.list<{ metadata: { name: string } }>("configmaps", "-l", "probe=true");
    const names = maps.map(({ metadata }) => metadata.name);
    await this.cluster.kubectl(["delete", "configmaps", "-l", "probe=true"]);
    return { ...probed, lostWrites: this.#acknowledged.filter((name) => !names.includes(name)) };
  }

  async #write(name: string): Promise<boolean> {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, labels: { probe: "true" } },
    };
    const { status } = await this.cluster.tryKubectl(
      ["create", "--request-timeout=5s", "-f", "-"],
      JSON.stringify(object),
    );
    if (status === 0) this.#acknowledged.push(name);
    return status === 0;
  }
}
