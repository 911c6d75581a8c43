import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster";

export interface Probed {
  /** Between two requests that were answered. */
  readonly longestOutageSeconds: number;
  readonly failed: number;
  /** Acknowledged writes that are not there at the end. */
  readonly lostWrites: readonly string[];
}

/** Writes to the API again and again, one object after the other, and counts what fails. */
export class Prober {
  readonly #acknowledged: string[] = [];
  #failed = 0;
  #longest = 0;
  #stopped = false;
  readonly #done: Promise<void>;
  #probed: Promise<Probed> | undefined;

  private constructor(private readonly cluster: Cluster) {
    this.#done = this.#run();
  }

  static start(cluster: Cluster): Prober {
    return new Prober(cluster);
  }

  /** What was found; the same however often it is called. */
  stop(): Promise<Probed> {
    return (this.#probed ??= this.#finish());
  }

  async #finish(): Promise<Probed> {
    this.#stopped = true;
    await this.#done;
    const maps = await this.cluster.list<{ metadata: { name: string } }>("configmaps", "-l", "probe=true");
    const names = maps.map(({ metadata }) => metadata.name);
    await this.cluster.kubectl(["delete", "configmaps", "-l", "probe=true"]);
    return {
      longestOutageSeconds: this.#longest,
      failed: this.#failed,
      lostWrites: this.#acknowledged.filter((name) => !names.includes(name)),
    };
  }

  async #run(): Promise<void> {
    let answered = Date.now();
    for (let n = 1; !this.#stopped; n++) {
      const name = `probe-${n}`;
      const object = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, labels: { probe: "true" } },
      };
      const { status } = await this.cluster.tryKubectl(
        ["create", "--request-timeout=5s", "-f", "-"],
        JSON.stringify(object),
      );
      if (status === 0) {
        this.#longest = Math.max(this.#longest, (Date.now() - answered) / 1000);
        answered = Date.now();
        this.#acknowledged.push(name);
      } else {
        this.#failed++;
      }
      await sleep(500);
    }
  }
}
