import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { ownVolumes, type PlannedServer } from "../../plan/servers/model";
import { cloudId } from "../../base/uuid";
import { withoutStackTrace } from "../run-error";
import type { Offer } from "./offer";

/** The Cinder volumes of one server, by the name of the storage in the VNFD. */
export type Volumes = Readonly<Record<string, openstack.blockstorage.Volume>>;

/**
 * Creates a server's volumes. They are separate resources, so that they outlive the servers that they are attached to.
 * A boot volume that is deleted with its server is created by Nova.
 */
export function makeVolumes(
  name: string,
  server: PlannedServer,
  offer: Offer,
  child: pulumi.ResourceOptions,
): Volumes {
  return Object.fromEntries(
    ownVolumes(server).map(({ storage, sizeGiB, volumeType, availabilityZone, image, protect }) => [
      storage,
      new openstack.blockstorage.Volume(
        `${name}-${storage}`,
        {
          size: sizeGiB,
          enableOnlineResize: true,
          ...(volumeType === undefined ? {} : { volumeType }),
          ...(availabilityZone === undefined ? {} : { availabilityZone }),
          ...(image === undefined ? {} : { imageId: offer.image(image).id }),
        },
        // another image of that name, or another zone, would replace the volume
        { ...child, protect, ignoreChanges: ["imageId", "availabilityZone"] },
      ),
    ]),
  );
}

/** @throws Error if the server has no separate volume for that storage */
export function volumeOf(volumes: Volumes, storage: string): openstack.blockstorage.Volume {
  const volume = volumes[storage];
  if (volume === undefined) throw new Error(`there is no volume of the storage ${storage}`);
  return volume;
}

/** The attached volumes of a server. */
export interface Attached {
  /** Volumes by the name of the storage in the VNFD; each is known once it is attached. */
  readonly volumes: Readonly<Record<string, pulumi.Output<AttachedVolume>>>;
  /** The last attachment, after which the server has all volumes. @default none */
  readonly last: pulumi.Resource | undefined;
}

/** Attaches a server's volumes, one after the other. The boot volume is attached when the server is created. */
export function attachVolumes(
  name: string,
  { bootVolume }: PlannedServer,
  volumes: Volumes,
  server: openstack.compute.Instance,
  child: pulumi.ResourceOptions,
): Attached {
  const attached = new Map<string, pulumi.Output<AttachedVolume>>();
  let last: pulumi.Resource | undefined;
  for (const [storage, volume] of Object.entries(volumes)) {
    if (storage === bootVolume?.storage) {
      attached.set(storage, attachedBy(volume, server.id));
      continue;
    }
    const attachment = new openstack.compute.VolumeAttach(
      `${name}-${storage}-attachment`,
      { instanceId: server.id, volumeId: volume.id },
      // a server is shut down before it is deleted, then Nova detaches its volumes, so that all writes are on disk. The
      // engine does not accept a replaced server as one that its attachments are deleted with (pulumi 3.259)
      { ...child, dependsOn: last === undefined ? [] : [last], retainOnDelete: true },
    );
    last = attachment;
    attached.set(storage, attachedBy(volume, attachment.id));
  }
  return { volumes: Object.fromEntries(attached), last };
}

export interface AttachedVolume {
  readonly id: string;
  readonly sizeGiB: number;
}

/** The volume of an attachment, known once the attachment exists. */
function attachedBy(
  { id: volumeId, size }: openstack.blockstorage.Volume,
  attachment: pulumi.Output<string>,
): pulumi.Output<AttachedVolume> {
  return pulumi
    .all([volumeId, size, attachment])
    .apply(([id, sizeGiB]) => withoutStackTrace(() => ({ id: cloudId(id, "a volume"), sizeGiB })));
}
