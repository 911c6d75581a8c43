import { endpoint } from "../../components/base/net/cidr";
import { renderKubeconfig, type ClusterAccess } from "../../components/render/access";
import type { NodeData } from "../../components/render/preparation";
import type { ClusterPlan } from "../../components/plan/kubeadm/model";
import { poolsOf } from "../../components/plan/kubeadm/pools";
import type { KubeadmPlan } from "../../components/plan/model";
import type { PlannedServer } from "../../components/plan/servers/model";
import type { Cloud } from "./cloud";
import type { Order } from "./order";
import { Scripts } from "./scripts-by-hand";
import { makePlace, makeServer, makeShared, type Place, type Server, type Shared } from "./servers-by-hand";
import type { Host, Ssh } from "./ssh";

export interface Tools {
  readonly cloud: Cloud;
  readonly ssh: Ssh;
  readonly order: Order;
}

interface Node {
  readonly planned: PlannedServer;
  readonly role: NodeData["role"];
  readonly user: string;
  readonly place: Promise<Place>;
  readonly data: Promise<NodeData>;
  /** Present server; each heal replaces it. */
  server: Promise<Server>;
}

/**
 * A cluster with one control-plane node, or several with a virtual IP, created and changed without Pulumi. Steps are
 * declared in the order of Tacker's Kubernetes management driver: all servers, then node by node.
 */
export class ClusterByHand {
  readonly #shared: Shared;
  readonly #scripts: Scripts;
  /** Control-plane nodes first. */
  readonly #nodes: Node[] = [];
  readonly #apiAddress: Promise<string>;
  /** First control-plane node, after `kubeadm init`. */
  readonly #first: Promise<Host>;
  readonly #config: Promise<string>;
  readonly #access: Promise<ClusterAccess>;
  readonly #bearerToken: Promise<string>;
  #lastMaster: Promise<unknown>;

  /** Starts to create the cluster; `done` waits for it. */
  constructor(
    private readonly tools: Tools,
    vnf: KubeadmPlan,
  ) {
    const { cloud, ssh, order } = tools;
    const { cluster } = vnf;
    const scripts = new Scripts(ssh, cluster);
    this.#scripts = scripts;
    this.#shared = makeShared(cloud, ssh, vnf, cluster);
    void order.beside(this.#shared.rules);
    const [first, ...others] = this.#makeServers(cluster);
    if (first === undefined) throw new Error("a master is planned");
    this.#apiAddress = this.#apiAddressOf(cluster, first);
    this.#config = Promise.all([first.data, this.#apiAddress]).then(([data, api]) =>
      scripts.initConfig(data, api),
    );
    this.#first = order.step([this.#install(first), this.#config, this.#apiAddress], (host, config, api) =>
      scripts.init(host, config, api),
    );
    this.#lastMaster = this.#first;
    void order.step([this.#first, this.#apiAddress], (host, api) => scripts.installCni(host, api));
    this.#access = order.step([this.#first], (host) => scripts.readAccess(host));
    this.#bearerToken = order.step([this.#first], (host) => scripts.readBearerToken(host));
    this.#join(others, this.#first);
    const member = order.step([this.#first, first.data], (host, { name }) => scripts.ready(host, name));
    this.#label(first, this.#first, member);
  }

  /** Waits for all declared steps. */
  done(): Promise<void> {
    return this.tools.order.done();
  }

  async kubeconfig(): Promise<string> {
    const { vimName, api } = this.#scripts.cluster;
    const [address, access, token] = await Promise.all([this.#apiAddress, this.#access, this.#bearerToken]);
    return renderKubeconfig(vimName, `https://${endpoint(address, api.port)}`, access, token);
  }

  /** Adds the plan's workers that do not exist yet. */
  async grow(vnf: KubeadmPlan): Promise<void> {
    this.#join(this.#makeServers(vnf.cluster), this.#first);
    await this.done();
  }

  /** Replaces a VNFC's server. The new one has the same port and host key. */
  async heal(key: string): Promise<void> {
    const { cloud, order } = this.tools;
    const node = this.#nodes.find(({ planned }) => planned.key === key);
    const other = this.#nodes.find((it) => it !== node && it.role === "master");
    if (node === undefined || other === undefined) throw new Error(`${key}: no master could let it leave`);
    const left = order.step([other.server, node.server, node.data], (host, own, data) =>
      this.#scripts.leave(host, own, data),
    );
    const gone = order.step([node.server, left], ({ id }) => cloud.remove("compute", `/servers/${id}`));
    node.server = order.beside(gone.then(() => this.#makeServer(node)));
    this.#join([node], other.server);
    await this.done();
  }

  /** Creates the servers that do not exist yet. */
  #makeServers(cluster: ClusterPlan): Node[] {
    const { cloud, ssh, order } = this.tools;
    const planned = (["master", "worker"] as const)
      .flatMap((role) =>
        poolsOf(cluster, role).flatMap((pool) =>
          pool.servers.map((server) => ({ planned: server, role, pool })),
        ),
      )
      .filter((it) => this.#nodes.every((node) => node.planned.key !== it.planned.key));
    const apart = this.#shared.placementGroups.filter(({ policy }) => policy === "anti-affinity");
    let last: Promise<unknown> = Promise.resolve();
    const nodes = planned.map(({ planned, role, pool }) => {
      const { name } = planned;
      const user = pool.login.username;
      const place = makePlace(cloud, ssh, this.#shared, planned);
      const data = order.beside(place.then(({ address }) => ({ name, role, address })));
      // one after the other: Nova may pick one host for servers that it schedules together
      const isApart = apart.some(({ vdus }) => vdus.includes(planned.vdu.id));
      const before = isApart ? last : Promise.resolve();
      const server = order.beside(before.then(() => this.#makeServer({ planned, place, user })));
      if (isApart) last = server;
      return { planned, role, user, place, data, server };
    });
    this.#nodes.push(...nodes);
    // Tacker's driver starts after Heat has created all servers
    void order.step([Promise.all(nodes.map(({ server }) => server))], () => Promise.resolve());
    return nodes;
  }

  #makeServer({ planned, place, user }: Pick<Node, "planned" | "place" | "user">): Promise<Server> {
    const { cloud, order } = this.tools;
    return order.beside(makeServer(cloud, this.#shared, planned, place, user));
  }

  #apiAddressOf({ api }: ClusterPlan, first: Node): Promise<string> {
    if (api.kind === "master") return first.data.then(({ address }) => address);
    if (api.kind !== "haproxy" || !api.onMasters)
      throw new Error("the load balancers are planned on the masters");
    const virtualIp = this.#shared.virtualIps.find(
      ({ connectionPoint }) => connectionPoint === api.virtualIp.connectionPoint,
    );
    if (virtualIp === undefined) throw new Error("the virtual IP is planned");
    return virtualIp.address;
  }

  /** Prepares a node's server. @returns the host, when kubeadm can run there */
  #install(node: Node): Promise<Host> {
    const { order } = this.tools;
    const scripts = this.#scripts;
    const { api } = scripts.cluster;
    const prepared = order.step([node.server, node.data], (host, data) => scripts.prepare(host, data));
    if (node.role === "worker" || api.kind !== "haproxy") return prepared;
    const masters = Promise.all(this.#nodes.filter(({ role }) => role === "master").map(({ data }) => data));
    return order.step([prepared, this.#apiAddress, masters], (host, virtualIp, all) =>
      scripts.balance(host, virtualIp, api.virtualRouterId, all),
    );
  }

  /** Joins nodes to the cluster. @param master a control-plane node of the cluster */
  #join(nodes: readonly Node[], master: Promise<Host>): void {
    const { order } = this.tools;
    const scripts = this.#scripts;
    const joined = nodes.map((node) => {
      const ready = this.#install(node);
      const isMaster = node.role === "master";
      const cluster = Promise.all([master, this.#apiAddress, this.#access, this.#config]);
      // etcd admits one new member at a time
      const before = isMaster ? this.#lastMaster : Promise.resolve();
      const member = order.step(
        [ready, node.data, cluster, before],
        (host, data, [onMaster, apiAddress, access, config]) =>
          scripts.join(host, onMaster, data, { apiAddress, access, config }),
      );
      if (isMaster) this.#lastMaster = member;
      return { node, member };
    });
    // the driver does not wait for a node before the next one joins
    for (const { node, member } of joined) {
      void order.step([master, node.data, member], (host, { name }) => scripts.ready(host, name));
      this.#label(node, master, member);
    }
  }

  #label({ server, data, role }: Node, master: Promise<Host>, member: Promise<unknown>): void {
    const isSole = role === "master" && this.#scripts.cluster.api.kind === "master";
    const config = isSole ? this.#config : Promise.resolve("");
    void this.tools.order.step([master, server, data, config, member], (host, { zone }, { name }, ofSole) =>
      this.#scripts.label(host, name, zone, ofSole),
    );
  }
}
