import type { Cluster } from "./cluster";
import { onServer } from "./guest";
import type { TestStack } from "./stack";

const NAMESPACE = "kube-system";

/** Returns the TCP ports of an address that are open to the server of a VNFC of `vnf-a`. */
export async function openFromServer(
  stack: TestStack,
  vnfc: string,
  address: string,
  ports: readonly number[],
): Promise<number[]> {
  const connects = `timeout 5 bash -c "</dev/tcp/${address}/$port" 2>/dev/null`;
  return numbers(await onServer(stack, vnfc, loop(ports, connects)));
}

/** Returns the TCP ports of an address that are open to a pod on a node, which is created and deleted here. */
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
    // a drain stops at a pod without a controller
    await cluster.kubectl(["delete", "pod", "-n", NAMESPACE, "connects", "--now", "--ignore-not-found"]);
  }
}

/** Returns a shell script that prints the ports for which a command succeeds; the command has the port as `$port`. */
function loop(ports: readonly number[], command: string): string {
  return `for port in ${ports.join(" ")}; do if ${command}; then echo $port; fi; done`;
}

function numbers(lines: string): number[] {
  return lines.split("\n").filter(Boolean).map(Number);
}
