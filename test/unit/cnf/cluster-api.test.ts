import { objectStatus } from "../../../components/kube/client/status";
import { dependencies, planned } from "./support";

const MANIFEST = `
apiVersion: v1
kind: Secret
metadata: {name: clouds}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: tenant}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: tenant}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: tenant}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: tenant}
spec: {identityRef: {name: clouds, cloudName: lab}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: tenant}
spec: {replicas: 1}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: workers}
spec: {template: {spec: {flavor: m1.small}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: workers}
spec:
  clusterName: tenant
  replicas: 1
  template: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: workers}}}
`;

describe("the objects of a workload cluster", () => {
  const KIND = (key: string) => key.replace(/^(?:cnf-)?(\w+).*/, "$1");
  const { plan } = planned(MANIFEST);

  it("are made before the Cluster, which so goes before them, and the credentials go last", () => {
    const before = Object.entries(dependencies(plan)).map(([key, its]) => [KIND(key), its.map(KIND).sort()]);
    expect(Object.fromEntries(before)).toEqual({
      secret: [],
      openstackcluster: ["secret"],
      kubeadmcontrolplane: expect.anything() as unknown,
      openstackmachinetemplate: expect.anything() as unknown,
      machinedeployment: ["openstackmachinetemplate"],
      cluster: ["kubeadmcontrolplane", "machinedeployment", "openstackcluster"],
    });
  });

  it("need only be made before each other: they become ready together", () => {
    expect(plan.objects.flatMap(({ dependsOn }) => dependsOn).map(KIND)).toEqual(
      expect.not.arrayContaining(["cluster", "machinedeployment", "kubeadmcontrolplane"]),
    );
  });

  it("are waited for until they are available; a template is not", () => {
    const awaited = plan.objects.map(({ key, awaited }) => [KIND(key), awaited]);
    expect(Object.fromEntries(awaited)).toEqual({
      secret: undefined,
      openstackcluster: "ready",
      openstackmachinetemplate: undefined,
      machinedeployment: "available",
      kubeadmcontrolplane: "available",
      cluster: "available",
    });
  });

  it("are scaled by the VNFD: the machines of a VDU", () => {
    const scaled = planned(MANIFEST, { vdus: { VDU1: "workers" }, counts: { VDU1: 3 } });
    const machines = scaled.plan.objects.find(({ key }) => KIND(key) === "machinedeployment");
    expect(machines?.object["spec"]).toMatchObject({ replicas: 3 });
    expect(scaled.plan.vnfcs).toEqual([
      { vdu: "VDU1", kind: "MachineDeployment", namespace: "default", name: "workers", replicas: 3 },
    ]);
  });
});

describe("the status of an object of Cluster API", () => {
  const metadata = { name: "tenant", generation: 1 };
  const cluster = (status: object) => ({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata,
    status,
  });
  const condition = (type: string, status: string, message = "") => ({
    type,
    status,
    reason: "Why",
    message,
  });
  const status = (conditions: object[], until: "available" | "initialized" = "available") =>
    objectStatus(cluster({ observedGeneration: 1, conditions }), until);

  it("is in progress until its controller has said how it is", () => {
    expect(status([])).toEqual({ status: "InProgress", message: "its controller has not reported a status" });
  });

  it("gives the reason why it is not available", () => {
    const waits = condition("Available", "False", "* WorkersAvailable: machine x waits for its address");
    expect(status([waits])).toEqual({
      status: "InProgress",
      message: "Available is False: Why: * WorkersAvailable: machine x waits for its address",
    });
  });

  it.each(["RollingOut", "ScalingUp", "ScalingDown"])("is in progress while it is %s", (change) => {
    const available = condition("Available", "True");
    expect(status([available, condition(change, "True")]).status).toBe("InProgress");
    expect(status([available, condition(change, "False")]).status).toBe("Current");
  });

  it.each([
    [
      "updated: 0/3",
      {
        ...{ replicas: 3, upToDateReplicas: 3, availableReplicas: 3 },
        deprecated: { v1beta1: { updatedReplicas: 0 } },
      },
    ],
    ["up to date: 2/3", { replicas: 3, upToDateReplicas: 2, availableReplicas: 3 }],
    ["available: 2/3", { replicas: 3, upToDateReplicas: 3, availableReplicas: 2 }],
    ["pending termination: 1", { replicas: 4, upToDateReplicas: 3, availableReplicas: 3 }],
  ])("is in progress for machines until all of them exist: %s", (message, counts) => {
    const conditions = [condition("Available", "True")];
    const set = (its: object) => ({
      ...cluster({ observedGeneration: 1, conditions, ...its }),
      ...{ kind: "MachineDeployment", spec: { replicas: 3 } },
    });
    expect(objectStatus(set(counts), "available")).toEqual({ status: "InProgress", message });
    const deprecated = { v1beta1: { updatedReplicas: 3 } };
    const all = { replicas: 3, upToDateReplicas: 3, availableReplicas: 3, deprecated };
    expect(objectStatus(set(all), "available").status).toBe("Current");
  });

  it("is initialized as soon as the API of the cluster answers", () => {
    const answers = [condition("ControlPlaneInitialized", "True"), condition("ScalingUp", "True")];
    expect(status(answers, "initialized").status).toBe("Current");
    expect(status(answers).status).toBe("InProgress");
  });

  it("is read from where an object of v1beta1 has these conditions", () => {
    const old = { conditions: [condition("Ready", "False")] };
    const v1beta2 = { conditions: [condition("Available", "True")] };
    expect(objectStatus(cluster({ observedGeneration: 1, ...old, v1beta2 }), "available").status).toBe(
      "Current",
    );
  });
});
