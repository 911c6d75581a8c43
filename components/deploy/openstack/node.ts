import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import { own } from "../../base/own";
import type { PlannedServer } from "../../plan/servers/model";
import { SERVER_OWNER } from "../../plan/servers/server-owner";
import { sshKeyPair, type SshKeyPair } from "../../remote/key-pair";
import { floatingIp } from "./floating-ip";
import type { OfferedItem, Offer } from "./offer";
import { renderUserData } from "../../render/user-data";
import { portAddress, portIpv6, serverPort, type PortsArgs } from "./port";
import { portExchange } from "./port-exchange";
import { attachVolumes, makeVolumes, volumeOf, type AttachedVolume, type Volumes } from "./volumes";
import { NODE } from "../steps";

export interface NodeArgs extends PortsArgs {
  readonly server: PlannedServer;
  readonly offer: Offer;
  /** The resource that is replaced or deleted only together with all servers of the instance. */
  readonly lifetime: pulumi.Resource;
  /** Public key that may log in from the first boot on. */
  readonly loginKey: pulumi.Input<string>;
  /**
   * Config of the OpenStack provider, in the form of the stack config, with which ports of the running server are
   * exchanged. Undefined: other ports replace the server.
   */
  readonly cloudConfig?: Readonly<Record<string, string>> | undefined;
  /** Owner in the server's metadata: see SERVER_OWNER. */
  readonly owner: pulumi.Input<string>;
  /** SSH host key. @default a generated one */
  readonly hostKey?: SshKeyPair | undefined;
  /** Server group of the server. @default none */
  readonly serverGroupId?: pulumi.Input<string>;
  /**
   * True if Nova shuts the server down before it is deleted. If its compute host is down, that takes half an hour and
   * then fails.
   */
  readonly isStopped: boolean;
  /**
   * The server that must be created before this one. In a strict anti-affinity group that is the previous server, as
   * Nova may choose the same host for servers that it schedules together, and then fail them. For a master it is the
   * previous master, as masters that are healed in one run leave and join in order. @default none
   */
  readonly after?: Node | undefined;
}

/** One VNFC: a Nova server with its ports and volumes. Its SSH host key is known before it boots. */
export class Node extends pulumi.ComponentResource {
  /** Prefix of the names of its resources. */
  readonly name: string;
  readonly server: openstack.compute.Instance;
  readonly serverId: pulumi.Output<string>;
  /** Availability zone in which Nova has placed it. */
  readonly zone: pulumi.Output<string>;
  /** One address by connection point: that of IPv4 if the port has several. */
  readonly addresses: Readonly<Record<string, pulumi.Output<string>>>;
  /** Floating IPs by connection point, for ports that have one. */
  readonly floatingIps: Readonly<Record<string, pulumi.Output<string>>>;
  /** Neutron's route to its pods, which stays when the server is replaced. Undefined: there is none. */
  readonly podRoute: openstack.networking.RouterRoute | undefined;
  /** Volumes by the name of the storage in the VNFD; known once attached. */
  readonly volumes: Readonly<Record<string, pulumi.Output<AttachedVolume>>>;
  /** Public SSH host key. */
  readonly hostKey: pulumi.Output<string>;
  readonly #ports: Readonly<Record<string, openstack.networking.Port>>;

  constructor(name: string, args: NodeArgs, opts?: pulumi.ComponentResourceOptions) {
    super(NODE, name, {}, opts);
    const child = { parent: this };
    const { server, offer } = args;
    this.name = name;
    const ports = server.ports.map((planned) => ({
      planned,
      port: serverPort(`${name}-${planned.connectionPoint}`, planned, args, child),
    }));
    this.#ports = Object.fromEntries(ports.map(({ planned, port }) => [planned.connectionPoint, port]));
    const volumes = makeVolumes(name, server, offer, child);
    const hostKey = args.hostKey ?? sshKeyPair(`${name}-host-key`, child);
    this.server = new openstack.compute.Instance(
      `${name}-server`,
      {
        name: after(args.lifetime, pulumi.output(server.name)),
        ...bootDisk(server, offer.image(server.image), volumes),
        ...flavorArgs(server, offer.flavor(server.flavor)),
        networks: ports.map(({ port }) => ({ port: port.id })),
        userData: userData(server, hostKey, args.loginKey),
        stopBeforeDestroy: args.isStopped,
        ...placementArgs(server, args.serverGroupId),
        ...shownArgs(server),
        metadata: { ...server.metadata, [SERVER_OWNER]: args.owner },
      },
      {
        ...child,
        // so that a volume is deleted after its server
        dependsOn: [...Object.values(volumes), ...(args.after === undefined ? [] : [args.after.server])],
        // a port can have only one server at a time
        deleteBeforeReplace: true,
        // if all servers are replaced, the engine does not know the name, so that this one is replaced; a server that
        // the cloud failed to create is in the state too, and is replaced
        replaceOnChanges: ["name", "#initerror"],
        // a running node is never replaced because its image, its user data or its placement changed, and
        // never stopped to be resized; but another volume to keep requires another server
        ignoreChanges: [
          ...["imageName", "imageId", "flavorName", "flavorId", "userData", "configDrive"],
          ...["availabilityZoneHints", "schedulerHints"],
          ...(server.bootVolume?.isKept ? [] : ["blockDevices"]),
          // the ports of the first boot
          ...(args.cloudConfig === undefined ? [] : ["networks"]),
        ],
        // always set: a trigger that is added later would not fire
        replacementTrigger: server.healToken,
      },
    );
    if (args.cloudConfig !== undefined)
      portExchange(name, { server: this.server, ports, config: args.cloudConfig }, child);
    const { volumes: attached, last } = attachVolumes(name, server, volumes, this.server, child);
    this.volumes = attached;
    // steps on the server run after its volumes are attached, and end before they are detached
    this.serverId = last === undefined ? this.server.id : after(last, this.server.id);
    this.zone = this.server.availabilityZone;
    this.addresses = Object.fromEntries(
      ports.map(({ planned, port }) => [planned.connectionPoint, portAddress(port, planned.connectionPoint)]),
    );
    this.floatingIps = Object.fromEntries(
      ports.flatMap(({ planned: { connectionPoint, link, floatingNetwork }, port }) => {
        const { virtualLinks } = args;
        const floating = { floatingNetwork, portId: port.id, link, virtualLinks };
        const address = floatingIp(`${name}-${connectionPoint}-floating`, floating, child);
        return address === undefined ? [] : [[connectionPoint, address]];
      }),
    );
    this.podRoute = this.#podRoute(args, child);
    this.hostKey = hostKey.publicKey;
    this.registerOutputs({ serverId: this.serverId, addresses: this.addresses });
  }

  #podRoute(
    { server, podRoute, virtualLinks }: NodeArgs,
    child: pulumi.CustomResourceOptions,
  ): openstack.networking.RouterRoute | undefined {
    if (podRoute === undefined) return undefined;
    const point = podRoute.connectionPoint;
    const planned = server.ports.find(({ connectionPoint }) => connectionPoint === point);
    const nextHop = own(this.addresses, point);
    if (planned === undefined || nextHop === undefined)
      throw new Error(`the plan gives no port for connection point ${point}`);
    return new openstack.networking.RouterRoute(
      `${this.name}-pods`,
      { routerId: virtualLinks.routerId(planned.link), destinationCidr: podRoute.cidr, nextHop },
      { ...child, dependsOn: [...virtualLinks.routed(planned.link)] },
    );
  }

  /**
   * The IPv6 address at a connection point.
   * @throws Error, in the output, if the port has none
   */
  ipv6Address(connectionPoint: string): pulumi.Output<string> {
    const port = own(this.#ports, connectionPoint);
    if (port === undefined) throw new Error(`the plan gives no port for connection point ${connectionPoint}`);
    return portIpv6(port, connectionPoint);
  }
}

/**
 * Arguments for the boot disk of a server: its image, on the disk of its flavor; or a volume, its own or one that Nova
 * creates from the image and deletes with the server. With a volume the name of the image is informative only; upgrades
 * read it.
 */
function bootDisk(
  { image: nameOrId, bootVolume }: PlannedServer,
  image: OfferedItem,
  volumes: Volumes,
): Pick<openstack.compute.InstanceArgs, "imageName" | "imageId" | "blockDevices"> {
  if (bootVolume === undefined) return image.byId ? { imageId: nameOrId } : { imageName: nameOrId };
  const { storage, sizeGiB, volumeType, isKept } = bootVolume;
  const source = isKept
    ? { sourceType: "volume", uuid: volumeOf(volumes, storage).id }
    : {
        sourceType: "image",
        uuid: image.id,
        volumeSize: sizeGiB,
        ...(volumeType === undefined ? {} : { volumeType }),
        deleteOnTermination: true,
      };
  return { imageName: nameOrId, blockDevices: [{ ...source, destinationType: "volume", bootIndex: 0 }] };
}

/** Arguments for the placement of a server by Nova. */
function placementArgs(
  { availabilityZone, schedulerHints = {} }: PlannedServer,
  serverGroupId: pulumi.Input<string> | undefined,
): Pick<openstack.compute.InstanceArgs, "availabilityZoneHints" | "schedulerHints"> {
  const { group = serverGroupId, different_host, same_host, ...others } = schedulerHints;
  const hints = {
    ...(group !== undefined && { group }),
    ...(different_host && { differentHosts: [...different_host] }),
    ...(same_host && { sameHosts: [...same_host] }),
    ...(Object.keys(others).length > 0 && { additionalProperties: others }),
  };
  return {
    // the other property is Nova's choice
    ...(availabilityZone !== undefined && { availabilityZoneHints: availabilityZone }),
    ...(Object.keys(hints).length > 0 && { schedulerHints: [hints] }),
  };
}

/** Arguments that the cloud shows to its users, or passes to the guest. */
function shownArgs({
  configDrive,
  tags,
}: PlannedServer): Pick<openstack.compute.InstanceArgs, "configDrive" | "tags"> {
  return {
    ...(configDrive !== undefined && { configDrive }),
    ...(tags !== undefined && { tags: [...tags] }),
  };
}

function flavorArgs(
  { flavor: plannedFlavor }: PlannedServer,
  { id, byId }: OfferedItem,
): Pick<openstack.compute.InstanceArgs, "flavorName" | "flavorId"> {
  return plannedFlavor.kind === "name" && !byId ? { flavorName: plannedFlavor.name } : { flavorId: id };
}

function userData(
  server: PlannedServer,
  hostKey: { publicKey: pulumi.Output<string>; privateKey: pulumi.Output<string> },
  loginPublicKey: pulumi.Input<string>,
): pulumi.Output<string> {
  return pulumi
    .all([hostKey.privateKey, hostKey.publicKey, loginPublicKey])
    .apply(([hostPrivateKey, hostPublicKey, loginKey]) =>
      renderUserData({ hostPrivateKey, hostPublicKey, loginKey, bootData: server.vdu.bootData }),
    );
}
