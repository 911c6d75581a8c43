import { renderKubeconfig } from "../../components/render/access";
import type { VnfSettings } from "../../components/settings/model";
import type { PlannedNetwork } from "../../components/plan/servers/model";
import type {
  DeploymentFlavour,
  L3ProtocolData,
  ScalingAspect,
  Vdu,
  VduCp,
  VirtualLink,
  VnfPackage,
} from "../../components/vnfd/model";

/** Returns the settings of an instance, with their defaults. */
export function vnfSettings(changes: Partial<VnfSettings> = {}): VnfSettings {
  return {
    package: "p",
    readyTimeout: "10m",
    evacuate: false,
    placementPolicy: "strict",
    protectVolumes: true,
    protectForeignObjects: true,
    keepBootVolumes: false,
    ...changes,
  };
}

/** Returns a kubeconfig for the cluster with this name. */
export function kubeconfig(name: string): string {
  return renderKubeconfig(name, "https://192.0.2.1:6443", { ca: "Y2E=" }, `${name}-token`);
}

/** Returns a VNF package with these flavours. @param files texts of its files, by path */
export function vnfPackage(
  location: string,
  flavours: Readonly<Record<string, DeploymentFlavour>>,
  files: Readonly<Record<string, string>> = {},
): VnfPackage {
  return {
    location,
    warnings: [],
    vnfd: {
      descriptorId: "d",
      descriptorVersion: "1",
      provider: "p",
      productName: "n",
      softwareVersion: "1",
      flavours,
    },
    files: {
      list: () => Object.keys(files),
      has: (path) => Object.hasOwn(files, path),
      read: (path) => {
        const text = files[path];
        if (text === undefined) throw new Error(`there is no file ${path}`);
        return Buffer.from(text);
      },
    },
  };
}

/** Returns a VDU of servers. @param changes properties that matter for the test */
export function vdu(id: string, changes: Partial<Vdu> = {}): Vdu {
  return {
    id,
    name: id,
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

/** Returns a subnet of which the VNFD has only the CIDR. */
export function subnet(cidr: string): L3ProtocolData & { readonly cidr: string } {
  return { cidr, gatewayIp: undefined, dhcpEnabled: true, ipv6AddressMode: undefined, ipAllocationPools: [] };
}

export function virtualLink(id: string, subnets: readonly L3ProtocolData[]): VirtualLink {
  return { id, subnets, mtu: undefined, vlanTransparent: false, externalLink: undefined };
}

/** Returns the planned network of a virtual link. */
export function network(virtualLink: string, ...cidrs: readonly string[]): PlannedNetwork {
  return {
    ...{ virtualLink, subnets: cidrs.map(subnet), mtu: undefined, vlanTransparent: false },
    ...{ dnsNameservers: [], router: undefined },
  };
}

export function connectionPoint(id: string, vduId: string, changes: Partial<VduCp> = {}): VduCp {
  return {
    id,
    vdu: vduId,
    order: 0,
    vnicType: undefined,
    virtualLink: undefined,
    externalLink: undefined,
    ...changes,
  };
}

export function aspect(id: string, deltas: ScalingAspect["deltas"]): ScalingAspect {
  const maxScaleLevel = Object.values(deltas)[0]?.length ?? 0;
  return { id, maxScaleLevel, deltas };
}

export function flavour(changes: Partial<DeploymentFlavour> = {}): DeploymentFlavour {
  return {
    id: "simple",
    vdus: {},
    volumes: {},
    connectionPoints: {},
    virtualIps: {},
    virtualLinks: {},
    scalingAspects: {},
    instantiationLevels: {},
    defaultInstantiationLevel: undefined,
    placementGroups: [],
    warnings: [],
    ...changes,
  };
}

/** Returns a flavour of a cluster: one control-plane node, and workers that scale by an aspect. */
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

/** Public key of an apt repository. */
export const ARMORED_KEY = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawG+MBYJKwYBBAHaRw8BAQdAb57TkIXm6lWsAk1rZA2/mmI/tWR634/SjDH2
3SpBmlm0GWFwdCByZXBvc2l0b3J5IG9mIHRoZSBsYWKIkAQTFggAOBYhBP00EoZF
mQQ2w5fd6LFX4o9Fs2bPBQJrAb4wAhsDBQsJCAcCBhUKCQgLAgQWAgMBAh4BAheA
AAoJELFX4o9Fs2bPt58BAOWHM///VL4uP5buPlIlVM5O88jd52sMR784qEDo0jY8
AP0dMlLiB2Ly9ol6sW7stN8AklVx45thfPbLlCvd7A9QAw==
=3qQl
-----END PGP PUBLIC KEY BLOCK-----
`;

/** Public key of an apt repository, by GnuPG; it expires on 2026-03-01. */
export const ENDING_KEY = [
  "mDMEaVW5ABYJKwYBBAHaRw8BAQdAPQ9YlosDygLRPZpAWLC7GbV9iA2I0Gj7lfUNg21JQxO0BXNob3J0iJYEExYIAD4WIQTvD/pu",
  "CWm8+0RqovJ3EtAPlGCgIgUCaVW5AAIbAwUJAE3IgAULCQgHAgYVCgkICwIEFgIDAQIeAQIXgAAKCRB3EtAPlGCgIkkJAQDj489L",
  "8YgzeMcu+T/sfjD2+0RQrjOgbHOW54tal1y+YwEAn+kcxHXL0MIlqCiYm9j6kgDi6QoYawxSgQhKW/S75wM=",
].join("");
