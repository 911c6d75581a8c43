/**
 * The bound: a cluster and a CNF on it made without an engine, by the same steps, each begun as soon as what
 * it needs is there. The steps' contents are the product's own: plan, scripts, kubeadm configuration.
 */
import {
  parseAccess,
  renderAccessManifest,
  renderKubeconfig,
  SERVICE_ACCOUNT,
  type ClusterAccess,
} from "../../components/kubernetes/access";
import {
  apiEndpoint,
  renderCniManifest,
  renderInitConfig,
  renderJoinConfig,
} from "../../components/kubernetes/kubeadm-config";
import type { ClusterPlan, PlannedServer, VnfPlan } from "../../components/plan/model";
import type { CnfPlan } from "../../components/plan/cnf";
import { Cluster } from "../support/cluster";
import { Cloud } from "./cloud";
import { planOf } from "./plans";
import { makeServer, makeShared } from "./servers-by-hand";
import { Ssh, type Host } from "./ssh";

/** Makes the cluster and the CNF of a stack config, takes them away. @returns the seconds of the making */
export async function byHand(vnfs: object): Promise<number> {
  const [vnf, { cnf } = {}] = planOf(vnfs);
  if (vnf?.cluster === undefined || cnf === undefined) throw new Error("a cluster and a CNF are planned");
  const ssh = new Ssh();
  const begin = performance.now();
  const cloud = await Cloud.connect();
  try {
    const cluster = await makeCluster(cloud, ssh, vnf, vnf.cluster);
    try {
      await deploy(cluster, cnf.plan);
    } finally {
      cluster.close();
    }
    return (performance.now() - begin) / 1000;
  } finally {
    await cloud.cleanUp();
    ssh.close();
  }
}

async function makeCluster(cloud: Cloud, ssh: Ssh, vnf: VnfPlan, cluster: ClusterPlan): Promise<Cluster> {
  const shared = makeShared(cloud, ssh, cluster);
  const [master, ...workers] = vnf.servers.map((server) => ({ server, host: prepared(server) }));
  if (master === undefined) throw new Error("a master is planned");
  const initialized = master.host.then((host) => init(ssh, cluster, master.server, host));
  const access = initialized.then((host) =>
    ssh
      .script(host, "read-access.sh", {
        namespace: SERVICE_ACCOUNT.namespace,
        secret: SERVICE_ACCOUNT.secret,
      })
      .then(parseAccess),
  );
  const client = Promise.all([initialized, access]).then(([{ address }, known]) =>
    Cluster.connect(
      renderKubeconfig(cluster.vimName, `https://${apiEndpoint(address, cluster.api.port)}`, known),
    ),
  );
  const networked = initialized.then((host) =>
    ssh.script(host, "install-cni.sh", { cni_manifest: renderCniManifest(cluster, host.address) }),
  );
  const joined = workers.map(({ server, host }) => join(ssh, cluster, server, host, initialized, access));
  const [connected] = await Promise.all([client, shared.rules, networked, ...joined]);
  return connected;

  async function prepared(server: PlannedServer): Promise<Host> {
    const pool = cluster.master.servers.includes(server) ? cluster.master : cluster.worker;
    const host = await makeServer(cloud, ssh, shared, server, pool.login.username);
    await ssh.script(host, "prepare-node.sh", {
      node_name: server.name,
      node_role: pool === cluster.master ? "master" : "worker",
      node_script: cluster.nodeScript ?? "",
      http_proxy_url: "",
      https_proxy_url: "",
      no_proxy_list: "",
    });
    return host;
  }
}

async function init(ssh: Ssh, cluster: ClusterPlan, master: PlannedServer, host: Host): Promise<Host> {
  await ssh.script(host, "init-master.sh", {
    kubernetes_version: cluster.kubernetesVersion ?? "",
    kubeadm_config: renderInitConfig(cluster, {
      nodeName: master.name,
      nodeAddress: host.address,
      apiAddress: host.address,
    }),
    access_manifest: renderAccessManifest(),
    api_endpoint: "",
  });
  return host;
}

async function join(
  ssh: Ssh,
  cluster: ClusterPlan,
  { name }: PlannedServer,
  prepared: Promise<Host>,
  initialized: Promise<Host>,
  access: Promise<ClusterAccess>,
): Promise<void> {
  const made = initialized.then((host) =>
    ssh.script(host, "create-join-token.sh", { node_name: name, certificate_key: "" }),
  );
  const [worker, master, token, known] = await Promise.all([prepared, initialized, made, access]);
  await ssh.script(worker, "join-node.sh", {
    cluster_config: "",
    certificate_key: "",
    join_kubeconfig: renderKubeconfig(
      cluster.vimName,
      `https://${apiEndpoint(master.address, cluster.api.port)}`,
      { ...known, bearerToken: token.trim() },
    ),
    join_config: renderJoinConfig(cluster, {
      nodeName: name,
      nodeAddress: worker.address,
      apiAddress: master.address,
      token: token.trim(),
      caCertHash: known.caCertHash,
    }),
  });
  await ssh.script(master, "membership.sh", { node_name: name, join_token: token.trim() });
}

async function deploy(cluster: Cluster, { objects }: CnfPlan): Promise<void> {
  const items = objects.map(({ object }) => object);
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  await cluster.kubectl(["apply", "--server-side", "-f", "-"], list);
  const deployments = items.filter(({ kind }) => kind === "Deployment");
  await Promise.all(
    deployments.map(({ metadata: { name, namespace = "default" } }) =>
      cluster.kubectl(["rollout", "status", `deployment/${name}`, "-n", namespace, "--timeout=300s"]),
    ),
  );
}
