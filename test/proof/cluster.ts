import type { Part } from "../../automation/changes/changes";
import type { Subject } from "../../automation/changes/subject";
import { clusterVnf } from "../support/configs";
import type { ProvenPreview } from "./differences";
import type { Edit, Family, Rule } from "./edits";
import { modelOf } from "./model";
import { observe } from "./observe";
import { observeCluster } from "./observe-cluster";

/** The variable part of a config of a cluster with one control-plane node. */
export interface Config {
  readonly workers: number;
  /** Trigger values of workers that were healed. */
  readonly heal: Readonly<Record<string, string>>;
  /** Value of a label of the workers. */
  readonly label: string;
  /** True if the workers have a taint. */
  readonly isTainted: boolean;
  /** True if a second network is among the management CIDRs. */
  readonly isManagedFromAfar: boolean;
  /** A further port that is open on the nodes. */
  readonly port: number;
}

const VNF = "vnf-a";
const WORKERS = 3;
const [LABEL, TAINT] = ["example.com/proof", "example.com/proof"];

export function workersOf({ workers }: Config): readonly string[] {
  return Array.from({ length: workers }, (_, i) => `workerNode-${i + 1}`);
}

/** Returns the options of an edit that affects the whole cluster. */
const ofAll =
  (change: (config: Config, number: number) => Partial<Config> | undefined): Rule<Config>["options"] =>
  (config, number) => {
    const changed = change(config, number);
    return changed === undefined ? [] : [{ target: VNF, after: { ...config, ...changed } }];
  };

/** Lists the workers that exist only before or only after an edit. */
function comingOrGoing({ before, after }: Edit<Config>): readonly string[] {
  const [one, other] = [workersOf(before), workersOf(after)];
  return [...one, ...other].filter((vnfc) => !one.includes(vnfc) || !other.includes(vnfc));
}

const scaled: Rule<Config>["mayTouch"] = ({ vnfc = "" }, edit) => comingOrGoing(edit).includes(vnfc);
const scripts: Rule<Config>["mayTouch"] = ({ vnfc, kind }, { before }) =>
  kind === "script" && workersOf(before).includes(vnfc ?? "");
const rules: Rule<Config>["mayTouch"] = ({ kind }) => kind === "securityGroupRule";

const RULES: Readonly<Record<string, Rule<Config>>> = {
  "scale out": {
    options: ofAll(({ workers }) => (workers === WORKERS ? undefined : { workers: workers + 1 })),
    mayTouch: scaled,
  },
  "scale in": {
    options: ofAll((config) => {
      const workers = config.workers - 1;
      if (workers === 0) return undefined;
      const stay = workersOf({ ...config, workers });
      const heal = Object.entries(config.heal).filter(([vnfc]) => stay.includes(vnfc));
      return { workers, heal: Object.fromEntries(heal) };
    }),
    mayTouch: scaled,
  },
  "heal of a worker": {
    options: (config, number) =>
      workersOf(config).map((vnfc) => ({
        target: vnfc,
        after: { ...config, heal: { ...config.heal, [vnfc]: `edit-${number}` } },
      })),
    // the port and the floating IP outlive the server
    mayTouch: ({ vnfc, kind }, { target }) => vnfc === target && !["port", "floatingIp"].includes(kind),
  },
  label: { options: ofAll((_, number) => ({ label: `edit-${number}` })), mayTouch: scripts },
  taint: { options: ofAll(({ isTainted }) => ({ isTainted: !isTainted })), mayTouch: scripts },
  "management network": {
    options: ofAll(({ isManagedFromAfar }) => ({ isManagedFromAfar: !isManagedFromAfar })),
    mayTouch: rules,
  },
  "ingress rule": { options: ofAll((_, number) => ({ port: 9000 + number })), mayTouch: rules },
};

/** A cluster with one control-plane node, which the edits do not change, and workers. */
export const CLUSTER: Family<Config> = {
  name: "cluster",
  base: { workers: 2, heal: {}, label: "first", isTainted: false, isManagedFromAfar: false, port: 9000 },
  rules: RULES,
  write: (_, config) => ({
    [VNF]: { ...clusterVnf(config.workers, installation(config)), heal: config.heal },
  }),
  observe: async (stack) => {
    const cluster = await stack.cluster(VNF);
    try {
      const ofCloud = await observe(stack.cloud, { [VNF]: ["masterNode", "workerNode"] });
      return modelOf([...ofCloud.values(), ...(await observeCluster(cluster, VNF))]);
    } finally {
      cluster.close();
    }
  },
  implied: (preview, edit) => [...nodeParts(preview, edit.kind), ...groupParts(preview)],
};

function installation({ label, isTainted, isManagedFromAfar, port }: Config): object {
  const taints = isTainted ? [{ key: TAINT, value: "on", effect: "PreferNoSchedule" }] : [];
  return {
    worker_node: {
      ...{ ssh_cp_name: "workerNode_CP2", aspect_id: "worker_instance" },
      labels: { [LABEL]: label },
      ...(taints.length > 0 && { taints }),
    },
    management_cidrs: ["198.19.0.0/24", ...(isManagedFromAfar ? ["192.0.2.0/24"] : [])],
    ingress_rules: [{ ports: [`tcp/${port}`], cidrs: ["192.0.2.0/24"] }],
  };
}

/** Changes of Nodes, which are not resources: servers create and delete them, and a script sets labels and taints. */
function nodeParts({ changes }: ProvenPreview, kind: string): readonly Part[] {
  const parts = changes.flatMap((change) => change.parts);
  const servers = parts.filter(({ action, subject }) => subject.kind === "server" && action !== "update");
  const labels = parts.filter(
    ({ subject: { vnfc, kind: subjectKind, key } }) =>
      subjectKind === "script" && key === "labels" && !servers.some(({ subject }) => subject.vnfc === vnfc),
  );
  return [
    ...servers.map(({ action, subject }): Part => ({ action, subject: nodeOf(subject) })),
    ...labels.map(({ subject }): Part => {
      return {
        action: "update",
        subject: nodeOf(subject),
        differs: [kind === "taint" ? "spec" : "metadata"],
      };
    }),
  ];
}

function nodeOf({ vnf = "", vnfc = "" }: Subject): Subject {
  const name = `${vnf}-${vnfc}`.toLowerCase();
  return { vnf, vnfc, kind: "object", key: `Node ${name}`, object: { apiVersion: "v1", kind: "Node", name } };
}

/** Security groups in addition to that of all servers. */
const GROUPS = ["masters", "others"];

/** Changes of security groups by their rules, which are resources, but are observed as a field of the group. */
function groupParts({ changes }: ProvenPreview): readonly Part[] {
  const parts = changes.flatMap((change) => change.parts);
  const rules = parts.filter(({ subject }) => subject.kind === "securityGroupRule");
  const keys = new Set(
    rules.map(({ subject }) => GROUPS.find((group) => subject.key.startsWith(`${group}-`)) ?? ""),
  );
  return [...keys].map((key): Part => {
    return { action: "update", subject: { vnf: VNF, kind: "securityGroup", key }, differs: ["rules"] };
  });
}
