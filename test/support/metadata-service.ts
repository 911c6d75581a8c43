import type { Cluster } from "./cluster";

/** A command that opens the metadata service to the pods of a node. */
export const OPEN_METADATA_SERVICE =
  "nft delete table inet vnfm_metadata 2>/dev/null || { iptables -t mangle -F && ip6tables -t mangle -F; }";

/** Command that asks for the server's user data. Debian's busybox has a wget that crashes. */
const ASK = "printf 'GET /openstack/latest/user_data HTTP/1.0\\r\\n\\r\\n' | nc -w 5 169.254.169.254 80";

/** Beginning of user data: that of cloud-init, alone or after other parts. */
const USER_DATA = /^#cloud-config|^Content-Type: multipart|^## template: jinja/m;

/** Namespace of pods that may use the network of their node: Pod Security `baseline` does not count there. */
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
 * Pods that try to read the user data of their node's server by the metadata service: one with and one without
 * hostNetwork.
 */
export interface Readers {
  readonly pod: boolean;
  readonly hostNetwork: boolean;
}

/** Asks the metadata service from two pods of a node, which are made and deleted. */
export async function userDataReaders(cluster: Cluster, nodeName: string): Promise<Readers> {
  const pods = [asking("asks", nodeName, false), asking("asks-as-host", nodeName, true)];
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: pods });
  await cluster.kubectl(["apply", "-f", "-"], list);
  const reads = async (pod: string) => {
    await cluster.kubectl(["wait", "-n", NAMESPACE, "--for=condition=Ready", `pod/${pod}`, "--timeout=180s"]);
    const { stdout } = await cluster.tryKubectl(["exec", "-n", NAMESPACE, pod, "--", "sh", "-c", ASK]);
    return USER_DATA.test(stdout);
  };
  try {
    return { pod: await reads("asks"), hostNetwork: await reads("asks-as-host") };
  } finally {
    await cluster.kubectl(["delete", "--wait", "-f", "-"], list);
  }
}
