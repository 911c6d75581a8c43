import type { Cluster } from "./cluster";
import { REQUEST_PAGE } from "./page-daemon";
import { until } from "./until";

const NAMESPACE = "policies";
const CLIENTS = ["friend", "stranger"] as const;

/** NetworkPolicy that allows access to the page only from pods with the label `role=friend`. */
const ONLY_FRIENDS = {
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "only-friends", namespace: NAMESPACE },
  spec: {
    podSelector: { matchLabels: { role: "page" } },
    policyTypes: ["Ingress"],
    ingress: [
      {
        from: [{ podSelector: { matchLabels: { role: "friend" } } }],
        ports: [{ protocol: "TCP", port: 80 }],
      },
    ],
  },
};

/** @param nodeName of the node that it runs on */
function pod(role: string, command: string, nodeName: string): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: role, namespace: NAMESPACE, labels: { role } },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 0,
      tolerations: [{ operator: "Exists" }],
      containers: [{ name: role, image: "docker.io/library/busybox:1.36", command: ["sh", "-c", command] }],
    },
  };
}

/**
 * Expects that a NetworkPolicy works between two nodes. Of two pods that request a page from the other node, both get
 * it without the policy, only one with it, and both again after its deletion.
 */
export async function expectPoliciesEnforced(
  cluster: Cluster,
  [pageOn, clientsOn]: readonly [string, string],
): Promise<void> {
  const objects = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
    pod("page", "echo policies >/tmp/index.html; exec httpd -f -p 80 -h /tmp", pageOn),
    ...CLIENTS.map((client) => pod(client, "exec sleep 3600", clientsOn)),
  ];
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  const policy = JSON.stringify(ONLY_FRIENDS);
  try {
    await cluster.kubectl(["apply", "-f", "-"], list);
    await cluster.kubectl(["wait", "pod", "--all", "-n", NAMESPACE, "--for=condition=Ready", "--timeout=2m"]);
    const page = await cluster.kubectl([
      "get",
      "pod",
      "page",
      "-n",
      NAMESPACE,
      "-o",
      "jsonpath={.status.podIP}",
    ]);
    const clientsWithPage = async () => {
      const pages = CLIENTS.map(async (client) => {
        const { stdout } = await cluster.tryKubectl([
          "exec",
          client,
          "-n",
          NAMESPACE,
          "--",
          ...REQUEST_PAGE,
          page,
        ]);
        return stdout.endsWith("policies\n") ? [client] : [];
      });
      return (await Promise.all(pages)).flat();
    };
    const expectClientsWithPage = async (clients: readonly string[]) => {
      let served: readonly string[] = [];
      const isExpected = async () => (served = await clientsWithPage()).join() === clients.join();
      await until(60, () => `[${clients.join()}] to get the page, which [${served.join()}] get`, isExpected);
    };
    await expectClientsWithPage(CLIENTS);
    await cluster.kubectl(["apply", "-f", "-"], policy);
    await expectClientsWithPage(["friend"]);
    await cluster.kubectl(["delete", "-f", "-"], policy);
    await expectClientsWithPage(CLIENTS);
  } finally {
    await cluster.kubectl(["delete", "namespace", NAMESPACE, "--ignore-not-found"]);
  }
}
