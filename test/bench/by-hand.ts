/**
 * Lower bound of the time of an `up`: clusters and a CNF created without Pulumi, by the same steps, with the plan,
 * scripts and configurations of vnfm. Each step begins as soon as its inputs exist.
 */
import type { CnfPlan } from "../../components/plan/workload/model";
import { workloads, type KubeadmPlan } from "../../components/plan/model";
import { Cluster } from "../support/cluster";
import { Cloud } from "./cloud";
import { ClusterByHand } from "./cluster-by-hand";
import { seconds } from "./figures";
import { unlessInterrupted } from "./interruption";
import { Order } from "./order";
import { clustersOf, planOf } from "./plans";
import { Ssh } from "./ssh";

/** Calls `work` with a function that starts to create a cluster. Deletes everything at the end, also after an error. */
export async function byHand<T>(
  kind: Order["kind"],
  work: (make: (vnf: KubeadmPlan) => ClusterByHand) => Promise<T>,
): Promise<T> {
  const ssh = new Ssh();
  try {
    const cloud = await Cloud.connect();
    try {
      return await unlessInterrupted(
        work((vnf) => new ClusterByHand({ cloud, ssh, order: new Order(kind) }, vnf)),
      );
    } finally {
      await cloud.cleanUp();
    }
  } finally {
    ssh.close();
  }
}

/** Creates the cluster and the CNF of a stack config, and deletes them. @returns the seconds of the creation */
export async function upByHand(vnfs: object): Promise<number> {
  const plans = planOf(vnfs);
  const [vnf] = clustersOf(plans);
  const [cnf] = workloads(plans);
  if (vnf === undefined || cnf === undefined) throw new Error("a cluster and a CNF are planned");
  return byHand("best", (make) =>
    seconds(async () => {
      const cluster = make(vnf);
      const connected = cluster.kubeconfig().then((kubeconfig) => Cluster.connect(kubeconfig));
      const [client] = await Promise.all([connected, cluster.done()]);
      try {
        await deploy(client, cnf.cnf);
      } finally {
        client.close();
      }
    }),
  );
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
