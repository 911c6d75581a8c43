import type { Cluster } from "./cluster";
import { haClusterVnf } from "./configs";
import { declaredEverywhere } from "./declared";
import type { Vnfcs } from "./outputs";
import { TestStack } from "./stack";

/** A stack whose VNF instance `vnf-a` is a cluster with several control-plane nodes and one worker. */
export class HaCluster {
  #cluster: Cluster | undefined;

  private constructor(readonly stack: TestStack) {}

  /** Prepares the stack of a cluster with three control-plane nodes; creates nothing yet. */
  static async create(name: string): Promise<HaCluster> {
    return new HaCluster(await TestStack.create(name, configOf(3)));
  }

  /** @param changes further settings of the VNF instance */
  configure(masters: number, changes: object = {}): void {
    this.stack.configure(configOf(masters, changes));
  }

  /** Access to the cluster, since the last `connect`. */
  get cluster(): Cluster {
    if (this.#cluster === undefined) throw new Error("connect first");
    return this.#cluster;
  }

  async connect(): Promise<void> {
    this.#cluster?.close();
    this.#cluster = await this.stack.cluster("vnf-a");
  }

  async vnfcs(): Promise<Vnfcs> {
    return (await this.stack.vnf("vnf-a")).vnfcs;
  }

  /** Expects exactly `masters` control-plane nodes and the worker in each configuration that lists the nodes. */
  async expectDeclared(masters: number): Promise<void> {
    const names = Array.from({ length: masters }, (_, i) => `vnf-a-masternode-${i + 1}`);
    const nodes = [...names, "vnf-a-workernode-1"];
    expect(await declaredEverywhere(this.cluster, await this.vnfcs())).toEqual({
      nodes,
      etcd: names,
      haproxy: names,
    });
  }

  async remove(): Promise<void> {
    this.#cluster?.close();
    await this.stack.remove();
  }
}

const configOf = (masters: number, changes: object = {}) => ({ "vnf-a": haClusterVnf(masters, 1, changes) });
