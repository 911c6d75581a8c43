import type { PartKind } from "../../automation/changes/kinds";
import { writeServersPackage } from "../support/servers-package";
import type { Edit, Family, Rule } from "./edits";
import { observe, type Names } from "./observe";

/** The variable part of an instance: servers `app-1` and so on, each with a port and a volume. */
export interface Instance {
  /** Number of servers after the first one. */
  readonly level: number;
  readonly network: (typeof NETWORKS)[number];
  /** Size of each server's volume. */
  readonly sizeGiB: number;
  /** True if its network has a router, and each port a floating IP. */
  readonly isReachable: boolean;
  /** Metadata of the servers, and tag of the ports. */
  readonly role: string;
  /** Trigger values of VNFCs that were healed. */
  readonly heal: Readonly<Record<string, string>>;
}

/** Instances by name, without terminated ones. */
export type Config = Readonly<Record<string, Instance>>;

const NETWORKS = ["left", "right"] as const;
const CIDRS = { left: "10.40.0.0/24", right: "10.41.0.0/24" };
const INSTANCES = ["one", "two"];
const LEVELS = 2;
const VDU = "app";

/** Names in the names of the instances' resources. */
const NAMES: Names = Object.fromEntries(INSTANCES.map((vnf) => [vnf, [VDU]]));

const FRESH: Instance = {
  ...{ level: 0, network: "left", sizeGiB: 1, isReachable: false, role: "fresh" },
  heal: {},
};

export function vnfcsOf(instance: Instance | undefined): readonly string[] {
  return instance === undefined
    ? []
    : Array.from({ length: instance.level + 1 }, (_, i) => `${VDU}-${i + 1}`);
}

/** Returns the options of an edit that changes one instance. */
const ofEach =
  (changes: (instance: Instance, number: number) => readonly Partial<Instance>[]): Rule<Config>["options"] =>
  (config, number) =>
    Object.entries(config).flatMap(([target, instance]) =>
      changes(instance, number).map((change) => {
        return { target, after: { ...config, [target]: { ...instance, ...change } } };
      }),
    );

/** Returns a rule for the subjects that an edit may change in its instance. */
const within =
  (mayTouch: Rule<Config>["mayTouch"]): Rule<Config>["mayTouch"] =>
  (subject, edit) =>
    subject.vnf === edit.target.split(" ")[0] && mayTouch(subject, edit);

/** Lists the VNFCs that an instance has only before or only after an edit. */
function comingOrGoing({ before, after, target }: Edit<Config>): readonly string[] {
  const [one, other] = [vnfcsOf(before[target]), vnfcsOf(after[target])];
  return [...one, ...other].filter((vnfc) => !one.includes(vnfc) || !other.includes(vnfc));
}

const scaled = within(({ vnfc = "" }, edit) => comingOrGoing(edit).includes(vnfc));
const kinds = (...some: readonly PartKind[]) => within(({ kind }) => some.includes(kind));

const RULES: Readonly<Record<string, Rule<Config>>> = {
  "scale out": {
    options: ofEach(({ level }) => (level === LEVELS ? [] : [{ level: level + 1 }])),
    mayTouch: scaled,
  },
  "scale in": {
    options: ofEach((instance) => {
      const level = instance.level - 1;
      if (level < 0) return [];
      const stay = vnfcsOf({ ...instance, level });
      return [{ level, heal: Object.fromEntries(stay.map((vnfc) => [vnfc, instance.heal[vnfc] ?? ""])) }];
    }),
    mayTouch: scaled,
  },
  heal: {
    options: (config, number) =>
      Object.entries(config).flatMap(([vnf, instance]) =>
        vnfcsOf(instance).map((vnfc) => ({
          target: `${vnf} ${vnfc}`,
          after: {
            ...config,
            [vnf]: { ...instance, heal: { ...instance.heal, [vnfc]: `edit-${number}` } },
          },
        })),
      ),
    // the port, the floating IP and the volume outlive the server
    mayTouch: within(
      ({ vnfc, kind }, { target }) =>
        vnfc === target.split(" ")[1] && ["server", "volumeAttachment"].includes(kind),
    ),
  },
  "another network": {
    options: ofEach((instance) =>
      NETWORKS.filter((network) => network !== instance.network).map((network) => ({ network })),
    ),
    // each instance uses its own network; the servers stay
    mayTouch: within(({ vnfc, kind }) =>
      vnfc === undefined
        ? ["network", "subnet", "router", "routerInterface"].includes(kind)
        : ["port", "floatingIp"].includes(kind),
    ),
  },
  "floating IPs": {
    options: ofEach(({ isReachable }) => [{ isReachable: !isReachable }]),
    // the gateway of the subnet is the router
    mayTouch: kinds("router", "routerInterface", "floatingIp", "subnet"),
  },
  "other metadata": {
    options: ofEach((_, number) => [{ role: `edit-${number}` }]),
    mayTouch: kinds("server", "port"),
  },
  "larger volumes": {
    options: ofEach(({ sizeGiB }) => [{ sizeGiB: sizeGiB + 1 }]),
    mayTouch: kinds("volume"),
  },
  terminate: {
    // one instance stays, because a run that terminates all is rejected
    options: (config) => {
      const all = Object.keys(config);
      return all.length === 1
        ? []
        : all.map((target) => ({
            target,
            after: Object.fromEntries(Object.entries(config).filter(([vnf]) => vnf !== target)),
          }));
    },
    mayTouch: within(() => true),
  },
  instantiate: {
    options: (config) =>
      INSTANCES.filter((vnf) => config[vnf] === undefined).flatMap((target) =>
        NETWORKS.flatMap((network) =>
          [false, true].map((isReachable) => ({
            target,
            after: { ...config, [target]: { ...FRESH, network, isReachable } },
          })),
        ),
      ),
    mayTouch: within(() => true),
  },
};

/** Two instances of servers without a cluster, each on its own network. */
export const SERVERS: Family<Config> = {
  name: "servers",
  base: { one: { ...FRESH, level: 1 }, two: { ...FRESH, network: "right", isReachable: true } },
  rules: RULES,
  write: writeConfig,
  observe: ({ cloud }) => observe(cloud, NAMES),
};

function writeConfig(folder: string, config: Config): object {
  return Object.fromEntries(
    Object.entries(config).map(([vnf, { level, network, sizeGiB, isReachable, role, heal }]) => {
      const data = { virtual_block_storage_data: { size_of_storage: `${sizeGiB} GB` } };
      const vdus = { [VDU]: { levels: LEVELS, storages: ["data"] } };
      writeServersPackage(folder, vdus, { data }, `package-${vnf}`);
      const router = { externalNetwork: "public" };
      return [
        vnf,
        {
          package: `package-${vnf}`,
          protectVolumes: false,
          scale: { [VDU]: level },
          heal: Object.fromEntries(Object.entries(heal).filter(([, token]) => token !== "")),
          virtualLinks: {
            [network]: { subnets: [{ cidr: CIDRS[network] }], ...(isReachable && { router }) },
          },
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
