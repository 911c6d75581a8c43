import type { Cluster } from "./cluster";
import { until } from "./until";

/**
 * Expects that pods on two nodes reach each other, both ways: by the pod's address, and by the name of its Service.
 */
export async function expectPodsToReachEachOther(
  cluster: Cluster,
  nodes: readonly [string, string],
): Promise<void> {
  const items = nodes.flatMap((node) => [pod(node), service(node)]);
  try {
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    await cluster.kubectl(["wait", "pod", "-l", "app=probe", "--for=condition=Ready", "--timeout=60s"]);
    for (const [from, to] of [nodes, nodes.toReversed()] as [string, string][]) {
      const pageAt = (host: string) =>
        cluster.kubectl(["exec", from, "--", "timeout", "10", "wget", "-qO-", `http://${host}/`]);
      const address = await cluster.kubectl(["get", "pod", to, "-o", "jsonpath={.status.podIP}"]);
      expect(await pageAt(address)).toBe(`${to}\n`);
      const byName = () => pageAt(`${to}.default.svc.cluster.local`).catch(() => "");
      // CoreDNS has a new Service only after a moment
      await until(30, `the Service ${to} by its name`, async () => (await byName()) === `${to}\n`);
    }
  } finally {
    // a drain stops at a pod without a controller
    await cluster.kubectl(["delete", "pod,service", "-l", "app=probe", "--now"]);
  }
}

function pod(node: string): object {
  const serve = `mkdir /tmp/www && echo ${node} >/tmp/www/index.html && exec httpd -f -p 80 -h /tmp/www`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: node, labels: { app: "probe", node } },
    spec: {
      nodeName: node,
      containers: [
        { name: "probe", image: "docker.io/library/busybox:1.36", command: ["/bin/sh", "-c", serve] },
      ],
    },
  };
}

function service(node: string): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: node, labels: { app: "probe" } },
    spec: { selector: { node }, ports: [{ port: 80 }] },
  };
}
