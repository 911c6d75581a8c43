import { limits } from "../base/limits";

/**
 * The typed model of a VNF package, which the rest of vnfm uses. Names follow ETSI GS NFV-SOL 001 (clause 6), in camel
 * case.
 */

import { Fault as OperatorFault } from "../base/fault";
import { printableLine } from "../base/printable";

/** A VNF package (SOL004), opened from a folder or from a CSAR zip. */
export interface VnfPackage {
  /** Path of the folder or zip, as in the settings. */
  readonly location: string;
  readonly vnfd: Vnfd;
  readonly files: PackageFiles;
  /** Warnings about a valid package that concern all flavours, such as wrong digests. */
  readonly warnings: readonly string[];
}

/** The files of a package by their path inside it, with forward slashes. */
export interface PackageFiles {
  list(): readonly string[];
  has(path: string): boolean;
  /** @throws PackageFault if the package has no such file. */
  read(path: string): Buffer;
}

export interface Vnfd {
  readonly descriptorId: string;
  readonly descriptorVersion: string;
  readonly provider: string;
  readonly productName: string;
  readonly softwareVersion: string;
  /** Deployment flavours by id, at least one. */
  readonly flavours: Readonly<Record<string, DeploymentFlavour>>;
}

/** One deployment flavour (SOL001 6.8.1 tosca.nodes.nfv.VNF with its own topology template). */
export interface DeploymentFlavour {
  readonly id: string;
  readonly vdus: Readonly<Record<string, Vdu>>;
  readonly volumes: Readonly<Record<string, VirtualBlockStorage>>;
  readonly connectionPoints: Readonly<Record<string, VduCp>>;
  readonly virtualIps: Readonly<Record<string, VipCp>>;
  readonly virtualLinks: Readonly<Record<string, VirtualLink>>;
  readonly scalingAspects: Readonly<Record<string, ScalingAspect>>;
  readonly instantiationLevels: Readonly<Record<string, InstantiationLevel>>;
  /** The level that applies if the operator sets none. */
  readonly defaultInstantiationLevel: string | undefined;
  readonly placementGroups: readonly PlacementGroup[];
  /** Helm charts of its Mciops. @default none */
  readonly charts?: readonly PackageChart[];
  /** Warnings for the operator of this flavour: properties that are ignored. */
  readonly warnings: readonly string[];
}

/** Helm chart of a tosca.nodes.nfv.Mciop (SOL001 6.8.14). */
export interface PackageChart {
  /** Name of the Mciop. */
  readonly id: string;
  /** Path of the chart in the package. */
  readonly path: string;
  /** VDUs whose objects the chart contains. */
  readonly vdus: readonly string[];
}

/** tosca.nodes.nfv.Vdu.Compute (SOL001 6.8.3) or tosca.nodes.nfv.Vdu.OsContainerDeployableUnit (6.8.13). */
export interface Vdu {
  /** The node template's name: the VDU's id. */
  readonly id: string;
  /** Property `name`, which is also the name of a CNF's controller object. */
  readonly name: string;
  /** Minimum and maximum number of instances, from vdu_profile (SOL001 6.2.23). */
  readonly minInstances: number;
  readonly maxInstances: number;
  /** VduInitialDelta (SOL001 6.10.3); undefined if no such policy has the VDU as a target. */
  readonly initialInstances: number | undefined;
  /** sw_image_data.name; undefined for a VDU without an image (containers). */
  readonly image: string | undefined;
  /** A SwImage whose name the VNFD leaves out, so that the stack config must set an image. */
  readonly unnamedImage?: string;
  /** requested_additional_capability_name, by convention the name of the Nova flavor. */
  readonly flavor: string | undefined;
  readonly vcpus: number | undefined;
  readonly memoryMiB: number | undefined;
  readonly diskGiB: number | undefined;
  /** Requirements on the flavor in addition to the size. @default none */
  readonly extraSpecs?: readonly ExtraSpec[];
  /** Names of the VirtualBlockStorage node templates it requires (virtual_storage), in order. */
  readonly volumes: readonly string[];
  /** User data of the VDU as plain text, from boot_data or Tacker's user_data. */
  readonly bootData: string | undefined;
}

/** Requirement of a VDU on its Nova flavor, as an extra spec. */
export interface ExtraSpec {
  /** Name in Nova, such as `hw:cpu_policy`. */
  readonly name: string;
  /** Required value. Undefined: any. */
  readonly value: string | undefined;
  /** Path of the property with the requirement, inside the VDU. */
  readonly property: string;
}

/** tosca.nodes.nfv.Vdu.VirtualBlockStorage (SOL001 6.8.4). */
export interface VirtualBlockStorage {
  readonly id: string;
  readonly sizeGiB: number;
  /** sw_image_data.name if the volume is created from an image. */
  readonly image: string | undefined;
  /** A SwImage whose name the VNFD leaves out, as of a VDU. */
  readonly unnamedImage?: string;
  /** Cinder volume type, if the VNFD names one. */
  readonly volumeType: string | undefined;
}

/** tosca.nodes.nfv.VduCp (SOL001 6.8.8): a port of each instance of a VDU. */
export interface VduCp {
  readonly id: string;
  /** The VDU that it is bound to (virtual_binding); undefined if it is unbound. */
  readonly vdu: string | undefined;
  readonly order: number;
  readonly vnicType: string | undefined;
  /** Its internal virtual link; undefined for an external connection point. */
  readonly virtualLink: string | undefined;
  /**
   * Requirement in substitution_mappings that exposes it, for example `virtual_link_external1_1`; undefined for an
   * internal connection point.
   */
  readonly externalLink: string | undefined;
}

/** tosca.nodes.nfv.VipCp (SOL001 6.8.16): an address that ports of other connection points share. */
export interface VipCp {
  readonly id: string;
  /** VduCps whose ports may have the address (target). */
  readonly targets: readonly string[];
  /**
   * Function: one of the ports has the address, or a load balancer of the VIM has it and forwards to them.
   * @default high_availability
   */
  readonly vipFunction: "high_availability" | "load_balance";
}

/** tosca.nodes.nfv.VnfVirtualLink (SOL001 6.8.9). */
export interface VirtualLink {
  readonly id: string;
  /** Its subnets, from the l3_protocol_data of its vl_profile. */
  readonly subnets: readonly L3ProtocolData[];
  /** MTU in bytes. Undefined: the cloud's default. */
  readonly mtu: number | undefined;
  /** True if the network passes frames with VLAN tags on. */
  readonly vlanTransparent: boolean;
  /** Requirement in substitution_mappings that exposes the link itself, if any. */
  readonly externalLink: string | undefined;
}

/** tosca.datatypes.nfv.L3ProtocolData (SOL001 6.2.16): a subnet. */
export interface L3ProtocolData {
  readonly cidr: string | undefined;
  /** @default none: no default route */
  readonly gatewayIp: string | undefined;
  /** True if the subnet has DHCP. @default true */
  readonly dhcpEnabled: boolean;
  /** Undefined: none, or the subnet is IPv4. */
  readonly ipv6AddressMode: Ipv6AddressMode | undefined;
  /** Addresses for ports. Empty: all of the CIDR. */
  readonly ipAllocationPools: readonly IpAllocationPool[];
}

export type Ipv6AddressMode = "slaac" | "dhcpv6-stateful" | "dhcpv6-stateless";

/** Addresses from `start` to `end`, inclusive. */
export interface IpAllocationPool {
  readonly start: string;
  readonly end: string;
}

/** A scaling aspect, from ScalingAspects and VduScalingAspectDeltas (SOL001 6.10.2, 6.10.4). */
export interface ScalingAspect {
  readonly id: string;
  readonly maxScaleLevel: number;
  /**
   * Number of instances that each level adds, by VDU: `deltas.workerNode[0]` is the difference of level 1 to level 0.
   * There are maxScaleLevel entries.
   */
  readonly deltas: Readonly<Record<string, readonly number[]>>;
}

/** An instantiation level, from InstantiationLevels and VduInstantiationLevels (SOL001 6.10.5, 6.10.6). */
export interface InstantiationLevel {
  readonly id: string;
  /** Scale level by aspect. */
  readonly scaleLevels: Readonly<Record<string, number>>;
  /** Numbers of instances by VDU, from VduInstantiationLevels policies. */
  readonly instances: Readonly<Record<string, number>>;
}

/** An AffinityRule or AntiAffinityRule for a group or for VDUs (SOL001 6.10.9, 6.10.10). */
export interface PlacementGroup {
  readonly id: string;
  readonly policy: "affinity" | "anti-affinity";
  /** Scope in SOL001's terms: nfvi_node (a compute host), zone and others. */
  readonly scope: string;
  readonly vdus: readonly string[];
}

/** An error or a warning about a package: its location, and what to do. */
export interface Fault {
  /** Path inside the package. */
  readonly file: string;
  /** Node template, policy or other named part of the file; empty for the whole file. */
  readonly node: string;
  /** Path of the property in that part; empty for the whole part. */
  readonly property: string;
  /** Line in the file, from 1. Undefined: not known. */
  readonly line?: number;
  readonly message: string;
}

/** An error with all errors of a package. */
export class PackageFault extends OperatorFault {
  constructor(
    readonly location: string,
    readonly findings: readonly Fault[],
  ) {
    const shown = findings.slice(0, limits.findings).map((fault) => `  ${faultLine(fault)}`);
    const more = findings.length - shown.length;
    super(
      [
        `VNF package ${location} is not valid:`,
        ...shown,
        ...(more > 0 ? [`  and ${more} more errors`] : []),
      ].join("\n"),
    );
    this.name = "PackageFault";
  }

  override get faults(): readonly string[] {
    return this.findings.map(faultLine);
  }
}

/** Reads the content of a file. Undefined, with an error, if it cannot be read. */
export function contentOf(
  files: Pick<PackageFiles, "read">,
  file: string,
  faults: Fault[],
): Buffer | undefined {
  try {
    return files.read(file);
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error;
    faults.push(...error.findings);
    return undefined;
  }
}

const FAULT_KEYS = [
  "message",
  "line",
  "node",
  "property",
  "file",
] as const satisfies readonly (keyof Fault)[];

/** Ends the reading of a package that has too many errors or warnings. */
export class TooManyFindings extends Error {}

/**
 * Adds an error or a warning to those of a package, unless another reader of the same place has recorded it.
 * @throws TooManyFindings if the limit is reached
 */
export function record(findings: Fault[], finding: Fault): void {
  const isRecorded = findings.some((other) => FAULT_KEYS.every((key) => other[key] === finding[key]));
  if (isRecorded) return;
  if (findings.length >= limits.findings) throw new TooManyFindings();
  findings.push(finding);
}

/**
 * Returns `file:line: node: property: message`, without empty parts. It is one line, whatever names the package
 * contains.
 */
export function faultLine({ file, line, node, property, message }: Fault): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return printableLine([place, node, property, message].filter(Boolean).join(": "));
}
