import { writeServersPackage } from "../support/servers-package";
import type { Names } from "./observe";

/** What the stack config and the VNF package say of an instance: servers `app-1` and so on, each with a port and a volume. */
export interface Instance {
  /** Servers beside the first one. */
  readonly level: number;
  readonly network: (typeof NETWORKS)[number];
  /** Of the volume of each server. */
  readonly sizeGiB: number;
  /** Whether its network has a router, and each port a floating IP. */
  readonly isReachable: boolean;
  /** Metadata of the servers, and tag of the ports. */
  readonly role: string;
  /** Tokens of VNFCs that were healed. */
  readonly heal: Readonly<Record<string, string>>;
}

/** A stack, as far as edits change it. An instance that is terminated is not there. */
export type Config = Readonly<Record<string, Instance>>;

export const NETWORKS = ["left", "right"] as const;
export const INSTANCES = ["one", "two"] as const;
export const LEVELS = 2;

const VDU = "app";
const CIDRS = { left: "10.40.0.0/24", right: "10.41.0.0/24" };

/** What the things of the instances are called after. */
export const NAMES: Names = Object.fromEntries(INSTANCES.map((vnf) => [vnf, [VDU]]));

const FRESH: Instance = {
  level: 0,
  network: "left",
  sizeGiB: 1,
  isReachable: false,
  role: "fresh",
  heal: {},
};

/** Instances that one may be made as. */
export const FIRST_FORMS: readonly Instance[] = NETWORKS.flatMap((network) =>
  [0, 1].flatMap((level) => [false, true].map((isReachable) => ({ ...FRESH, level, network, isReachable }))),
);

/** The config that the edits begin with. */
export const BASE: Config = {
  one: { ...FRESH, level: 1 },
  two: { ...FRESH, network: "right", isReachable: true },
};

export function vnfcsOf(instance: Instance | undefined): readonly string[] {
  return instance === undefined
    ? []
    : Array.from({ length: instance.level + 1 }, (_, i) => `${VDU}-${i + 1}`);
}

/** Writes the packages of a config into a project's folder. @returns its `vnfm:vnfs` */
export function writeConfig(folder: string, config: Config): object {
  return Object.fromEntries(
    Object.entries(config).map(([vnf, { level, network, sizeGiB, isReachable, role, heal }]) => {
      const data = { virtual_block_storage_data: { size_of_storage: `${sizeGiB} GB` } };
      const vdus = { [VDU]: { levels: LEVELS, storages: ["data"] } };
      writeServersPackage(folder, vdus, { data }, `package-${vnf}`);
      const virtualLinks = {
        [network]: {
          subnets: [{ cidr: CIDRS[network] }],
          ...(isReachable && { router: { externalNetwork: "public" } }),
        },
      };
      return [
        vnf,
        {
          package: `package-${vnf}`,
          protectVolumes: false,
          scale: { [VDU]: level },
          heal,
          virtualLinks,
          servers: { [VDU]: { metadata: { role } } },
          extVirtualLinks: {
            [`${VDU}_CP`]: {
              virtualLink: network,
              tags: [role],
              ...(isReachable && { floatingNetwork: "public" }),
            },
          },
        },
      ];
    }),
  );
}
