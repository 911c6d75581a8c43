import type { Cluster } from "../../support/cluster";
import { onServer } from "../../support/guest";
import type { TestStack } from "../../support/stack";

/** A cluster with three control-plane nodes and a worker. */
export interface Drifting {
  readonly stack: TestStack;
  readonly cluster: Cluster;
  /** Expects the declared nodes in each configuration that lists nodes. */
  readonly expectDeclared: () => Promise<void>;
}

/** Changes by hand are found by `check`, and repaired by `mend`. The steps build on each other. */
export function describeDrift(subject: () => Drifting): void {
  describe("check", () => {
    // servers, preparation, labels and membership of four nodes, load balancers, snapshots and certificates of three, the CNI
    const asDeclared = { status: 0, checks: 27, found: [] };

    it("finds nothing on a cluster as it was made", async () => {
      expect(await subject().stack.check()).toEqual(asDeclared);
    });

    it("names what somebody has changed on the servers", async () => {
      const label = ["-o", String.raw`jsonpath={.metadata.labels.topology\.kubernetes\.io/zone}`];
      const zone = await subject().cluster.kubectl(["get", "node", "vnf-a-workernode-1", ...label]);
      await Promise.all([
        onServer(subject().stack, "masterNode-2", "echo '# by hand' >>/etc/haproxy/haproxy.cfg"),
        onServer(subject().stack, "masterNode-3", "systemctl stop keepalived"),
        onServer(
          subject().stack,
          "workerNode-1",
          "hosts=$(sed '/ vnf-a-workernode-1$/d' /etc/hosts); echo \"$hosts\" >/etc/hosts",
        ),
        subject().cluster.kubectl([
          "label",
          "--overwrite",
          "node",
          "vnf-a-workernode-1",
          "topology.kubernetes.io/zone=x",
        ]),
        subject().cluster.kubectl([
          ...["label", "--overwrite", "configmap", "kube-flannel-cfg"],
          ...["--namespace=kube-flannel", "k8s-app=x"],
        ]),
      ]);
      expect(await subject().stack.check()).toEqual({
        status: 5,
        checks: 27,
        found: [
          "masterNode-1: v1.ConfigMap.kube-flannel.kube-flannel-cfg is not as in the manifest of the CNI",
          "masterNode-2: /etc/haproxy/haproxy.cfg differs from the desired state",
          "masterNode-3: keepalived does not run",
          expect.stringMatching(/^workerNode-1: \/etc\/hosts does not name vnf-a-workernode-1 at /),
          `workerNode-1: Node vnf-a-workernode-1 has no label topology.kubernetes.io/zone=${zone}`,
        ],
      });
    });

    it("lets the scripts mend it that have made it, and nothing else runs", async () => {
      const { status, stdout } = await subject().stack.vnfm("mend", "--yes");
      expect([status, stdout.split("\n")]).toEqual([
        0,
        expect.arrayContaining([
          "vnf-a: masterNode-1: the CNI is applied again",
          "vnf-a: masterNode-2: HAProxy and keepalived are set up again",
          "vnf-a: masterNode-3: HAProxy and keepalived are set up again",
          "vnf-a: workerNode-1: is prepared again",
          "vnf-a: workerNode-1: gets its labels and taints again",
          "nothing else changes",
        ]),
      ]);
      expect(stdout.match(/^vnf-a: .* again$/gm)).toHaveLength(5);
      expect(await subject().stack.check()).toEqual(asDeclared);
      await subject().expectDeclared();
      expect(await subject().stack.changes()).toEqual([]);
    });

    it("finds again what a script has failed to mend, until it is mended", async () => {
      const { stack } = subject();
      await onServer(stack, "masterNode-3", "systemctl mask --runtime --now keepalived");
      expect((await stack.vnfm("mend", "--yes")).status).toBe(1);
      expect((await stack.check()).found).toEqual([
        "masterNode-3: keepalived does not run",
        "masterNode-3: keepalived is not enabled, so it would not start at boot",
      ]);
      await onServer(stack, "masterNode-3", "systemctl unmask --runtime keepalived");
      expect((await stack.vnfm("mend", "--yes")).status).toBe(0);
      expect(await stack.check()).toEqual(asDeclared);
    });
  });
}
