import type { VnfSettings } from "../../components/settings/model";
import type { DeploymentFlavour, ScalingAspect, Vdu, VduCp } from "../../components/vnfd/model";

/** Settings of an instance, with their defaults. */
export function vnfSettings(changes: Partial<VnfSettings> = {}): VnfSettings {
  return { package: "p", readyTimeout: "10m", protectVolumes: true, ...changes };
}

/** A VDU of a VM, with what a test cares about. */
export function vdu(id: string, changes: Partial<Vdu> = {}): Vdu {
  return {
    id,
    name: id,
    description: "",
    minInstances: 0,
    maxInstances: 10,
    initialInstances: undefined,
    image: "debian-12",
    flavor: "m1.small",
    vcpus: undefined,
    memoryMiB: undefined,
    diskGiB: undefined,
    volumes: [],
    bootData: undefined,
    ...changes,
  };
}

export function connectionPoint(id: string, vduId: string, changes: Partial<VduCp> = {}): VduCp {
  return {
    id,
    vdu: vduId,
    order: 0,
    layerProtocols: ["ipv4"],
    vnicType: undefined,
    virtualLink: undefined,
    externalLink: undefined,
    ...changes,
  };
}

export function aspect(id: string, deltas: ScalingAspect["deltas"]): ScalingAspect {
  const maxScaleLevel = Object.values(deltas)[0]?.length ?? 0;
  return { id, description: "", maxScaleLevel, deltas };
}

export function flavour(changes: Partial<DeploymentFlavour> = {}): DeploymentFlavour {
  return {
    id: "simple",
    description: "",
    vdus: {},
    volumes: {},
    connectionPoints: {},
    virtualLinks: {},
    scalingAspects: {},
    instantiationLevels: {},
    defaultInstantiationLevel: undefined,
    placementGroups: [],
    ...changes,
  };
}

/** A flavour of a cluster: one master, workers by aspect. */
export function clusterFlavour(changes: Partial<DeploymentFlavour> = {}): DeploymentFlavour {
  return flavour({
    vdus: {
      masterNode: vdu("masterNode", { initialInstances: 1, minInstances: 1, maxInstances: 3 }),
      workerNode: vdu("workerNode", { initialInstances: 2, minInstances: 2, maxInstances: 4 }),
    },
    connectionPoints: {
      masterNode_CP1: connectionPoint("masterNode_CP1", "masterNode", {
        externalLink: "virtual_link_external1_1",
      }),
      workerNode_CP2: connectionPoint("workerNode_CP2", "workerNode", {
        externalLink: "virtual_link_external1_2",
      }),
    },
    scalingAspects: {
      master_instance: aspect("master_instance", { masterNode: [1, 1] }),
      worker_instance: aspect("worker_instance", { workerNode: [1, 1] }),
    },
    ...changes,
  });
}
