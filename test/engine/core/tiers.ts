import type { Cluster } from "../../support/cluster";
import { devStack } from "../../support/dev-stack";
import type { TestStack } from "../../support/stack";

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly readyReplicas?: number; readonly numberReady?: number };
}

/**
 * The CNF of `npm start`, with objects of many kinds, also a CRD and a custom resource.
 *
 * @param subject the stack, and its other instances, including the cluster `vnf-a`
 */
export function describeTiers(
  subject: () => { readonly stack: TestStack; readonly cluster: Cluster; readonly vnfs: object },
): void {
  const dev = devStack<{ config: { "vnfm:vnfs": { "vnf-b": object } } }>();

  it("is up with all of its kinds, and the next run has nothing to do", async () => {
    const { stack, cluster, vnfs } = subject();
    stack.configure({ ...vnfs, tiers: dev.config["vnfm:vnfs"]["vnf-b"] });
    await stack.mustUp();
    expect(await stack.changes()).toEqual([]);
    const workloads = await cluster.list<Workload>("deployment,statefulset", "-n", "tiers");
    expect(workloads.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      "Deployment/api",
      "Deployment/frontend",
      "Deployment/worker",
      "StatefulSet/db",
    ]);
    for (const { spec, status } of workloads) expect(status.readyReplicas).toBe(spec.replicas);
    const others = ["backends.example.vnfm.io", "cronjob", "hpa", "ingress", "networkpolicy", "pdb"];
    for (const kind of others) expect(await cluster.list(kind, "-n", "tiers")).toHaveLength(1);
    const { endpoints } = await stack.vnf("tiers");
    const port = endpoints.find(({ name }) => name === "frontend")?.ports[0]?.nodePort;
    const [address] = Object.values((await stack.vnf("vnf-a")).vnfcs["workerNode-1"]?.addresses ?? {});
    const response = await fetch(`http://${address}:${port}/`, { signal: AbortSignal.timeout(10_000) });
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
  });

  it("goes with all of them, save the Namespace of the setting", async () => {
    const { stack, cluster, vnfs } = subject();
    stack.configure(vnfs);
    await stack.mustUp();
    const places = ["namespace/tiers", "customresourcedefinition/backends.example.vnfm.io"];
    expect(await cluster.kubectl(["get", ...places, "--ignore-not-found", "-o", "name"])).toBe(
      "namespace/tiers\n",
    );
    const kinds = "deployment,statefulset,job,cronjob,service,ingress,networkpolicy,pdb,hpa,role,secret";
    expect(await cluster.list(kinds, "-n", "tiers")).toEqual([]);
  });
}
