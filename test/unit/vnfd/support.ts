import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { PackageFault, type DeploymentFlavour } from "../../../components/vnfd/model";
import { loadPackage } from "../../../components/vnfd/package";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true })));

/** Creates a folder, which is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vnfd-"));
  made.push(folder);
  return folder;
}

export type Files = Readonly<Record<string, string>>;

export function folderOf(files: Files): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Returns the error lines of a call, without the package's location. */
export function faultsOf(call: () => unknown): string[] {
  try {
    call();
  } catch (e) {
    if (!(e instanceof PackageFault)) throw e;
    return e.message
      .split("\n")
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

export interface Entry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  readonly stored?: boolean;
  readonly flags?: number;
  readonly method?: number;
  /** Unix mode, with the file type. */
  readonly mode?: number;
  readonly declaredSize?: number;
  /** Size in the zip's directory. */
  readonly compressedSize?: number;
  readonly crc?: number;
  /** Name in the local header. @default that of the directory */
  readonly localName?: string;
  /** Wrong offset of the local header in the directory. */
  readonly offset?: number;
  /** True if sizes and offset are in the ZIP64 extra field. */
  readonly zip64?: boolean;
}

/** Builds a zip byte by byte, so that tests can make any part of it invalid. */
export function zipOf(entries: readonly Entry[], comment = ""): string {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const e of entries) {
    const name = Buffer.from(e.name);
    const data = Buffer.from(e.data ?? "");
    const packed = e.stored ? data : deflateRawSync(data);
    const size = e.declaredSize ?? data.length;
    const local = Buffer.alloc(30);
    const localName = Buffer.from(e.localName ?? name);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(localName.length, 26);
    const fixed = Buffer.alloc(46);
    fixed.writeUInt32LE(0x02014b50, 0);
    fixed.writeUInt16LE((3 << 8) | 20, 4);
    fixed.writeUInt16LE(e.flags ?? 0x800, 8);
    fixed.writeUInt16LE(e.method ?? (e.stored ? 0 : 8), 10);
    fixed.writeUInt32LE(e.crc ?? crc32(data), 16);
    fixed.writeUInt32LE(e.zip64 ? 0xffffffff : (e.compressedSize ?? packed.length), 20);
    fixed.writeUInt32LE(e.zip64 ? 0xffffffff : size, 24);
    fixed.writeUInt16LE(name.length, 28);
    fixed.writeUInt32LE(((e.mode ?? 0o100644) << 16) >>> 0, 38);
    fixed.writeUInt32LE(e.zip64 ? 0xffffffff : (e.offset ?? offset), 42);
    let extra = Buffer.alloc(0);
    if (e.zip64) {
      extra = Buffer.alloc(28);
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      [size, packed.length, e.offset ?? offset].forEach((v, i) =>
        extra.writeBigUInt64LE(BigInt(v), 4 + 8 * i),
      );
      fixed.writeUInt16LE(extra.length, 30);
    }
    locals.push(local, localName, packed);
    directory.push(fixed, name, extra);
    offset += 30 + localName.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return fileOf(Buffer.concat([...locals, ...directory, end, Buffer.from(comment)]));
}

export function fileOf(content: Buffer): string {
  const path = join(temporaryFolder(), "package.zip");
  writeFileSync(path, content);
  return path;
}

/** A VNFD in one file, with every kind of part. Tests change it with `replaced`. */
export const vnfd = `tosca_definitions_version: tosca_simple_yaml_1_2
imports:
  - etsi_nfv_sol001_vnfd_types.yaml
node_types:
  acme.VNF:
    derived_from: tosca.nodes.nfv.VNF
    properties:
      descriptor_id: { type: string, default: d-1 }
      descriptor_version: { type: string, default: 1.0 }
      provider: { type: string, default: Acme }
      product_name: { type: string, default: Thing }
      software_version: { type: string, default: '2.0' }
topology_template:
  substitution_mappings:
    node_type: acme.VNF
    properties: { flavour_id: simple }
    requirements:
      virtual_link_ext: [ CP1, virtual_link ]
  node_templates:
    VNF: { type: acme.VNF, properties: { flavour_description: One flavour } }
    VDU1:
      type: tosca.nodes.nfv.Vdu.Compute
      properties:
        name: one
        vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 4 }
        sw_image_data: { name: image-one }
      capabilities:
        virtual_compute:
          properties:
            virtual_cpu: { num_virtual_cpu: 2 }
            virtual_memory: { virtual_mem_size: 512 MiB }
            virtual_local_storage: [ { size_of_storage: 3 GiB } ]
      requirements:
        - virtual_storage: VOL1
    VOL1:
      type: tosca.nodes.nfv.Vdu.VirtualBlockStorage
      properties:
        virtual_block_storage_data: { size_of_storage: 2 GiB, vdu_storage_requirements: { volume_type: fast } }
        sw_image_data: { name: data-image }
    CP1:
      type: tosca.nodes.nfv.VduCp
      properties: { layer_protocols: [ ipv4 ], order: 0, vnic_type: normal }
      requirements:
        - virtual_binding: VDU1
    CP2:
      type: tosca.nodes.nfv.VduCp
      properties: { layer_protocols: [ ipv4 ], order: 1 }
      requirements:
        - virtual_binding: { node: VDU1 }
        - virtual_link: { node: VL1 }
    VL1:
      type: tosca.nodes.nfv.VnfVirtualLink
      properties:
        description: Inside
        vl_profile:
          virtual_link_protocol_data:
            - associated_layer_protocol: ipv4
              l3_protocol_data: { ip_version: ipv4, cidr: 10.9.0.1/24, gateway_ip: 10.9.0.1, dhcp_enabled: false }
  groups:
    group1: { type: tosca.groups.nfv.PlacementGroup, members: [ VDU1 ] }
  policies:
    - aspects:
        type: tosca.policies.nfv.ScalingAspects
        properties:
          aspects:
            aspect1: { name: aspect1, description: First, max_scale_level: 2, step_deltas: [ d1, d2 ] }
    - deltas:
        type: tosca.policies.nfv.VduScalingAspectDeltas
        properties:
          aspect: aspect1
          deltas: { d1: { number_of_instances: 1 }, d2: { number_of_instances: 2 } }
        targets: [ VDU1 ]
    - initial:
        type: tosca.policies.nfv.VduInitialDelta
        properties: { initial_delta: { number_of_instances: 1 } }
        targets: [ VDU1 ]
    - levels:
        type: tosca.policies.nfv.InstantiationLevels
        properties:
          levels:
            small: { description: Small, scale_info: { aspect1: { scale_level: 0 } } }
            big: { description: Big, scale_info: { aspect1: { scale_level: 2 } } }
          default_level: small
    - vduLevels:
        type: tosca.policies.nfv.VduInstantiationLevels
        properties: { levels: { small: { number_of_instances: 1 }, big: { number_of_instances: 4 } } }
        targets: [ VDU1 ]
    - apart:
        type: tosca.policies.nfv.AntiAffinityRule
        properties: { scope: nfvi_node }
        targets: [ group1 ]
`;

/** Returns the VNFD with replaced texts, each of which it must contain. */
export function replaced(...changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the VNFD has no ${JSON.stringify(from)}`);
    return text.replace(from, to);
  }, vnfd);
}

/** Returns a package without TOSCA.meta. */
export const packageOf = (content: string, others: Files = {}) =>
  folderOf({ "vnfd.yaml": content, ...others });

/** Loads a flavour of the package in a folder or zip. */
export function flavour(location: string, id = "simple"): DeploymentFlavour {
  const found = loadPackage(location).vnfd.flavours[id];
  if (found === undefined) throw new Error(`no flavour ${id}`);
  return found;
}
