import type { Cluster } from "./cluster";
import { onServer } from "./guest";
import type { TestStack } from "./stack";

const NAMESPACE = "kube-system";

/** Ports of TCP at an address that the server of a VNFC of `vnf-a` can connect to. */
export async function openFromServer(
  stack: TestStack,
  vnfc: string,
  address: string,
  ports: readonly number[],
): Promise<number[]> {
  const connects = `timeout 5 bash -c "</dev/tcp/${address}/$port" 2>/dev/null`;
  return numbers(await onServer(stack, vnfc, loop(ports, connects)));
}

/** Ports of TCP at an address that a pod on a node can connect to; the pod is made for it, and deleted. */
export async function openFromPod(
  cluster: Cluster,
  nodeName: string,
  address: string,
  ports: readonly number[],
): Promise<number[]> {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "connects", namespace: NAMESPACE },
    spec: {
      ...{ nodeName, terminationGracePeriodSeconds: 0, tolerations: [{ operator: "Exists" }] },
      containers: [
        { name: "c", image: "docker.io/library/busybox:1.36", command: ["sh", "-c", "exec sleep 100000"] },
      ],
    },
  };
  const connects = `echo | nc -w 5 ${address} $port >/dev/null 2>&1`;
  try {
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(pod));
    await cluster.kubectl([
      "wait",
      "-n",
      NAMESPACE,
      "pod/connects",
      "--for=condition=Ready",
      "--timeout=120s",
    ]);
    const command = ["exec", "-n", NAMESPACE, "connects", "--", "sh", "-c", loop(ports, connects)];
    return numbers(await cluster.kubectl(command));
  } finally {
    // a pod without a controller would rightly stop the drain of its node
    await cluster.kubectl(["delete", "pod", "-n", NAMESPACE, "connects", "--now", "--ignore-not-found"]);
  }
}

/** A shell script that prints each port for which a command, with it as `$port`, succeeds. */
function loop(ports: readonly number[], command: string): string {
  return `for port in ${ports.join(" ")}; do if ${command}; then echo $port; fi; done`;
}

function numbers(lines: string): number[] {
  return lines.split("\n").filter(Boolean).map(Number);
}
