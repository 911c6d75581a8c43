import { assertAnswer } from "../../components/base/fault";
import { apiAccess } from "../../components/kube/access/api-access";
import { KubeApi } from "../../components/kube/client/kube-api";
import { at, items, text, type Fields } from "../../components/kube/objects/object";
import { inParallel } from "../checks/ask";

/** Time limit for all queries to a cluster, in milliseconds. */
const LIMIT_MS = 120_000;

/** Number of lines of each container's log. */
const LINES = 500;

/** Namespaces whose containers' logs are read: those of Kubernetes, of its addons and of Cluster API. */
const SYSTEM = /^(kube-.*|cap[io]-.*|cert-manager|orc-system)$/;

/** Files of the report about a cluster, and the lists of objects that they have. */
const LISTS: Readonly<Record<string, string>> = {
  "nodes.json": "/api/v1/nodes",
  "pods.json": "/api/v1/pods",
  "events.json": "/api/v1/events?limit=5000",
  "deployments.json": "/apis/apps/v1/deployments",
  "daemonsets.json": "/apis/apps/v1/daemonsets",
  "persistentvolumeclaims.json": "/api/v1/persistentvolumeclaims",
  "clusters.json": "/apis/cluster.x-k8s.io/v1beta1/clusters",
  "machines.json": "/apis/cluster.x-k8s.io/v1beta1/machines",
};

/**
 * Reads the states of a cluster's objects, its events, and the logs of its controllers. Specs are left out, because
 * environment variables of Pods may be secret.
 *
 * @returns texts by file name; a list that is not read has the reason
 */
export async function clusterReport(kubeconfig: string): Promise<ReadonlyMap<string, string>> {
  const api = new KubeApi(apiAccess(kubeconfig), AbortSignal.timeout(LIMIT_MS));
  const lists = await inParallel(Object.entries(LISTS), async ([file, path]) => {
    return { file, list: await api.get(path).catch(asAnswer) };
  });
  const pods = items(at(lists.find(({ file }) => file === "pods.json")?.list, "items"));
  const logs = await inParallel(pods.flatMap(systemContainers), async ({ file, path }) => {
    const log = await api.text(path).catch(asAnswer);
    return [file, typeof log === "string" ? log : reasonOf(log)] as const;
  });
  return new Map([...lists.map(({ file, list }) => [file, shownList(list)] as const), ...logs]);
}

function asAnswer(error: unknown): Error {
  assertAnswer(error);
  return error;
}

const reasonOf = ({ message }: Error): string => `not read: ${message}\n`;

function shownList(list: Fields | Error): string {
  if (list instanceof Error) return reasonOf(list);
  return `${JSON.stringify(items(at(list, "items")).map(withoutSpec), undefined, 2)}\n`;
}

/** Returns an object without its spec, annotations and managed fields, but with the node that a Pod is on. */
function withoutSpec(object: unknown): object {
  const { spec, metadata, data, ...others } = object as Record<string, unknown>;
  void data;
  const { name, namespace, labels, creationTimestamp, deletionTimestamp, ownerReferences } = (metadata ??
    {}) as Fields;
  return {
    metadata: { namespace, name, labels, creationTimestamp, deletionTimestamp, ownerReferences },
    ...{ nodeName: at(spec, "nodeName"), taints: at(spec, "taints"), ...others },
  };
}

/** Lists the log files of the containers of a Pod of the system. */
function systemContainers(pod: unknown): { readonly file: string; readonly path: string }[] {
  const [namespace = "", name = ""] = ["namespace", "name"].map((key) => text(at(pod, "metadata", key)));
  if (!SYSTEM.test(namespace)) return [];
  const containers = items(at(pod, "status", "containerStatuses")).flatMap(
    (one) => text(at(one, "name")) ?? [],
  );
  return containers.map((container) => {
    const [inNamespace, ofPod, ofContainer] = [namespace, name, container].map(encodeURIComponent);
    return {
      // a name of the cluster is part of a file's name, and of no path
      file: `logs/${[namespace, name, container].join(".").replaceAll(/[^\w.-]/g, "_")}.log`,
      path: `/api/v1/namespaces/${inNamespace}/pods/${ofPod}/log?container=${ofContainer}&tailLines=${LINES}`,
    };
  });
}
