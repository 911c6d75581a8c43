import { at, fields, text } from "../kube/objects/object";
import type { FormerOutputs } from "./former-outputs";
import { clusterOf, serversOf, type InstancePlan } from "./model";
import { ownVolumes } from "./servers/model";

/** Storage of a cluster in the last run that the plan no longer contains. */
export interface LeavingStorage {
  /** Instance name of its cluster, which may be deleted too. */
  readonly instance: string;
  /** Name of the storage, for the operator. */
  readonly what: string;
  /** Names of PersistentVolumes that are deleted. */
  readonly persistentVolumes: readonly string[];
  /** Addresses of the storage server if one of its volumes is deleted. */
  readonly nfsServers: readonly string[];
}

/** A volume of a storage server that stays, but may be replaced if its size changes, as it is not protected. */
export interface UnprotectedVolume {
  readonly instance: string;
  /** Cloud of the instance, as of InstancePlan. */
  readonly cloud: string | undefined;
  /** Name for the operator. */
  readonly name: string;
  readonly id: string;
  readonly sizeGiB: number;
  readonly nfsServers: readonly string[];
}

/** A VNFC with volumes, as in the outputs. */
interface FormerServer {
  readonly key: string;
  readonly addresses: readonly string[];
  /** Ids of volumes by the name of their storage. */
  readonly volumes: Readonly<Record<string, string>>;
}

/** @param former outputs of the last run */
export function leavingStorage(plans: readonly InstancePlan[], former: FormerOutputs): LeavingStorage[] {
  return storageClusters(former).flatMap(({ instance, persistentVolumes, servers }) => {
    const plan = plans.find(({ name }) => name === instance);
    const planned = (plan && clusterOf(plan))?.storage?.persistentVolumes.map(({ name }) => name) ?? [];
    const leaving = persistentVolumes.filter((name) => !planned.includes(name));
    const lost = servers.flatMap(({ key, addresses, volumes }) =>
      Object.keys(volumes)
        .filter((storage) => volumeOf(plan, key, storage) === undefined)
        .map((storage) => ({ name: volumeName(key, storage), addresses })),
    );
    if (leaving.length === 0 && lost.length === 0) return [];
    const parts = [
      ...(leaving.length === 0 ? [] : [`PersistentVolume ${leaving.join(", ")}`]),
      ...lost.map(({ name }) => name),
    ];
    return [
      {
        instance,
        what: plan === undefined ? "the whole cluster" : parts.join(" and "),
        persistentVolumes: leaving,
        nfsServers: lost.flatMap(({ addresses }) => addresses),
      },
    ];
  });
}

/** See UnprotectedVolume. @param former outputs of the last run */
export function unprotectedVolumes(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
): UnprotectedVolume[] {
  return storageClusters(former).flatMap(({ instance, servers }) => {
    const plan = plans.find(({ name }) => name === instance);
    return servers.flatMap(({ key, addresses, volumes }) =>
      Object.entries(volumes).flatMap(([storage, id]) => {
        const planned = volumeOf(plan, key, storage);
        if (planned === undefined || planned.protect) return [];
        const { sizeGiB } = planned;
        const name = volumeName(key, storage);
        return [{ instance, cloud: plan?.cloud, name, id, sizeGiB, nfsServers: addresses }];
      }),
    );
  });
}

/** The clusters of the last run that had a storage server. */
function storageClusters(former: FormerOutputs) {
  return Object.entries(former).flatMap(([instance, vnf]) =>
    vnf?.persistentVolumes === undefined
      ? []
      : [{ instance, persistentVolumes: vnf.persistentVolumes, servers: serversWithVolumes(vnf.vnfcs) }],
  );
}

function serversWithVolumes(vnfcs: unknown): FormerServer[] {
  return Object.entries(fields(vnfcs)).flatMap(([key, vnfc]) => {
    const volumes = textsOf(at(vnfc, "volumes"));
    return Object.keys(volumes).length === 0
      ? []
      : [{ key, addresses: Object.values(textsOf(at(vnfc, "addresses"))), volumes }];
  });
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields(value)).flatMap(([key, one]) => {
      const content = text(one);
      return content === undefined ? [] : [[key, content]];
    }),
  );
}

function volumeOf(plan: InstancePlan | undefined, key: string, storage: string) {
  const server = plan && serversOf(plan).find((one) => one.key === key);
  return server && ownVolumes(server).find((volume) => volume.storage === storage);
}

function volumeName(key: string, storage: string): string {
  return `the volume ${storage} of ${key}`;
}
