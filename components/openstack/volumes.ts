import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { PlannedServer } from "../plan/model";
import { inRelease } from "./provider-release";

/** The Cinder volumes of one server, by the name of the storage in the VNFD. */
export type Volumes = Readonly<Record<string, openstack.blockstorage.Volume>>;

/** Makes a server's volumes: they belong to no server, so that they outlive each one they are attached to. */
export function makeVolumes(name: string, server: PlannedServer, child: pulumi.ResourceOptions): Volumes {
  return Object.fromEntries(
    server.volumes.map(({ storage, sizeGiB, volumeType, image, protect }) => [
      storage,
      new openstack.blockstorage.Volume(
        `${name}-${storage}`,
        {
          size: sizeGiB,
          enableOnlineResize: true,
          ...(volumeType === undefined ? {} : { volumeType }),
          ...(image === undefined ? {} : { imageId: imageId(image, child) }),
        },
        // an image of that name which is newer would make the volume anew
        { ...child, protect, ignoreChanges: ["imageId"] },
      ),
    ]),
  );
}

/** What a server has attached. */
export interface Attached {
  /** By the name of the storage in the VNFD; each is known once it is attached. */
  readonly volumes: Readonly<Record<string, pulumi.Output<AttachedVolume>>>;
  /** Comes after all others. @default none */
  readonly last: pulumi.Resource | undefined;
}

/** Attaches volumes to a server, one after the other. */
export function attachVolumes(
  name: string,
  volumes: Volumes,
  server: openstack.compute.Instance,
  child: pulumi.ResourceOptions,
): Attached {
  const attached = new Map<string, pulumi.Output<AttachedVolume>>();
  let last: pulumi.Resource | undefined;
  for (const [storage, volume] of Object.entries(volumes)) {
    const attachment = new openstack.compute.VolumeAttach(
      `${name}-${storage}-attachment`,
      { instanceId: server.id, volumeId: volume.id },
      // a server that goes is stopped first, then Nova detaches what it has: all it wrote is on the disk. The engine
      // takes no server that is replaced for one that its attachments go with (pulumi 3.259)
      { ...child, dependsOn: last === undefined ? [] : [last], retainOnDelete: true },
    );
    last = attachment;
    attached.set(
      storage,
      pulumi.all([volume.id, volume.size, attachment.id]).apply(([id, sizeGiB]) => ({ id, sizeGiB })),
    );
  }
  return { volumes: Object.fromEntries(attached), last };
}

export interface AttachedVolume {
  readonly id: string;
  readonly sizeGiB: number;
}

function imageId(name: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  return openstack.images.getImageOutput({ name }, inRelease(opts)).id;
}
