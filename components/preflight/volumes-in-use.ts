import * as pulumi from "@pulumi/pulumi";
import { readBoundVolumes, type BoundVolume } from "./cluster-queries";
import { readFormerKubeconfigs } from "../gather/former-outputs";
import { own } from "../base/own";
import type { FormerOutputs } from "../plan/former-outputs";
import { leavingStorage, unprotectedVolumes, type LeavingStorage } from "../plan/leaving-storage";
import type { InstancePlan } from "../plan/model";
import { printable } from "../base/printable";
import { optional, type Cloud } from "./cloud";

/** Connects to the cloud of an instance. */
type ConnectTo = (instance: { readonly cloud: string | undefined }) => Promise<Cloud>;

/** Queries to clusters. */
interface Queries {
  /** Reads the kubeconfigs of the last run, by instance. */
  readonly kubeconfigs: () => Promise<Readonly<Record<string, string>>>;
  /** Reads the volumes that are bound to PersistentVolumeClaims. Undefined: the cluster does not answer. */
  readonly boundVolumes: (kubeconfig: string) => Promise<readonly BoundVolume[] | undefined>;
}

/**
 * Warns about PersistentVolumes in use that the run deletes, or whose storage it deletes. Only clusters whose storage
 * leaves the plan are queried.
 * @param former outputs of the last run
 * @param connectTo connects to the cloud of an instance, which is needed only for unprotected volumes that a run may
 * make smaller
 */
export async function warnOfVolumesInUse(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  connectTo: ConnectTo,
): Promise<void> {
  const queries = { kubeconfigs: readFormerKubeconfigs, boundVolumes: readBoundVolumes };
  const leaving = [...leavingStorage(plans, former), ...(await shrinking(plans, former, connectTo))];
  for (const warning of await volumesInUse(leaving, queries)) void pulumi.log.warn(printable(warning));
}

/** Warnings about volumes that are bound to a PersistentVolumeClaim, and about clusters that do not answer. */
export async function volumesInUse(
  leaving: readonly LeavingStorage[],
  { kubeconfigs, boundVolumes }: Queries,
): Promise<readonly string[]> {
  if (leaving.length === 0) return [];
  const known = await kubeconfigs();
  const warnings = await Promise.all(
    leaving.map(async ({ instance, what, persistentVolumes, nfsServers }) => {
      const kubeconfig = own(known, instance);
      const held = kubeconfig === undefined ? undefined : await boundVolumes(kubeconfig);
      const begin = `vnfm:vnfs.${instance}: the run deletes ${what}`;
      if (held === undefined)
        return [`${begin}; whether PVCs use it is not known, because the cluster does not answer`];
      return held
        .filter(
          ({ name, nfsServer }) =>
            persistentVolumes.includes(name) || (nfsServer !== undefined && nfsServers.includes(nfsServer)),
        )
        .map(({ name, claim }) => `${begin}; PersistentVolume ${name} is in use by the PVC ${claim}`);
    }),
  );
  return warnings.flat();
}

/** Volumes of storage servers that the run replaces, as Cinder cannot make volumes smaller. */
export async function shrinking(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  connectTo: ConnectTo,
): Promise<LeavingStorage[]> {
  const volumes = unprotectedVolumes(plans, former);
  if (volumes.length === 0) return [];
  const found = await optional("sizes of volumes are", async () => {
    return Promise.all(
      volumes.map(async ({ instance, cloud: named, name, id, sizeGiB, nfsServers }) => {
        const cloud = await connectTo({ cloud: named });
        const body = await cloud.get<{ volume?: { size?: number } }>("block-storage", `/volumes/${id}`);
        const size = body?.volume?.size ?? 0;
        const what = `${name}, because ${sizeGiB} GiB are less than its ${size}`;
        return size > sizeGiB ? [{ instance, what, persistentVolumes: [], nfsServers }] : [];
      }),
    );
  });
  return (found ?? []).flat();
}
