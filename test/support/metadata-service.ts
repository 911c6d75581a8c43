import type { Cluster } from "./cluster";

/** Shell command that lets the pods of a node use the metadata service. */
export const OPEN_METADATA_SERVICE =
  "nft delete table inet vnfm_metadata 2>/dev/null || { iptables -t mangle -F && ip6tables -t mangle -F; }";

/** Shell command that requests the server's user data, without wget: that of Debian's busybox crashes. */
const REQUEST = "printf 'GET /openstack/latest/user_data HTTP/1.0\\r\\n\\r\\n' | nc -w 5 169.254.169.254 80";

/** Beginning of user data: a cloud-config, a multipart message or a Jinja template. */
const USER_DATA = /^#cloud-config|^Content-Type: multipart|^## template: jinja/m;

/** Namespace without Pod Security `baseline`, where a pod may use its node's network. */
const NAMESPACE = "kube-system";

function asking(name: string, nodeName: string, hostNetwork: boolean): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      ...{ nodeName, hostNetwork, terminationGracePeriodSeconds: 0 },
      tolerations: [{ operator: "Exists" }],
      containers: [
        { name: "c", image: "docker.io/library/busybox:1.36", command: ["sh", "-c", "sleep 100000"] },
      ],
    },
  };
}

/**
 * Two pods, with and without hostNetwork: true if the pod can read its server's user data from the metadata service.
 */
export interface Readers {
  readonly pod: boolean;
  readonly hostNetwork: boolean;
}

/** Creates two pods on a node, queries the metadata service from both, and deletes them. */
export async function userDataReaders(cluster: Cluster, nodeName: string): Promise<Readers> {
  const pods = [asking("asks", nodeName, false), asking("asks-as-host", nodeName, true)];
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: pods });
  await cluster.kubectl(["apply", "-f", "-"], list);
  const reads = async (pod: string) => {
    await cluster.kubectl(["wait", "-n", NAMESPACE, "--for=condition=Ready", `pod/${pod}`, "--timeout=180s"]);
    const { stdout } = await cluster.tryKubectl(["exec", "-n", NAMESPACE, pod, "--", "sh", "-c", REQUEST]);
    return USER_DATA.test(stdout);
  };
  try {
    return { pod: await reads("asks"), hostNetwork: await reads("asks-as-host") };
  } finally {
    await cluster.kubectl(["delete", "--wait", "-f", "-"], list);
  }
}
