import type { Part } from "../../automation/changes/changes";
import type { Subject } from "../../automation/changes/subject";
import { clusterVnf } from "../support/configs";
import type { ProvenPreview } from "./differences";
import type { Edit, Family, Rule } from "./edits";
import { modelOf } from "./model";
import { observe } from "./observe";
import { observeCluster } from "./observe-cluster";

/** What the stack config says of a cluster of one master. */
export interface Config {
  readonly workers: number;
  /** Tokens of workers that were healed. */
  readonly heal: Readonly<Record<string, string>>;
  /** Value of a label of the workers. */
  readonly label: string;
  /** True if the workers have a taint. */
  readonly isTainted: boolean;
  /** True if a second network may reach the nodes. */
  readonly isManagedFromAfar: boolean;
  /** Port that the nodes let in beside the others. */
  readonly port: number;
}

const VNF = "vnf-a";
const WORKERS = 3;
const [LABEL, TAINT] = ["example.com/proof", "example.com/proof"];

export function workersOf({ workers }: Config): readonly string[] {
  return Array.from({ length: workers }, (_, i) => `workerNode-${i + 1}`);
}

/** An edit of the whole cluster. */
const ofAll =
  (change: (config: Config, number: number) => Partial<Config> | undefined): Rule<Config>["options"] =>
  (config, number) => {
    const changed = change(config, number);
    return changed === undefined ? [] : [{ target: VNF, after: { ...config, ...changed } }];
  };

/** The workers that there are before or after an edit alone. */
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
    // its port and its address outlive the server
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

/** A cluster of one master, which stays as it is, and its workers. */
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

/** Changes of Nodes, which are no resources: they come and go with the servers, and get labels and taints by a script. */
function nodeParts({ changes }: ProvenPreview, kind: string): readonly Part[] {
  const parts = changes.flatMap((change) => change.parts);
  const servers = parts.filter(({ action, subject }) => subject.kind === "server" && action !== "update");
  const labels = parts.filter(
    ({ subject: { vnfc, kind: its, key } }) =>
      its === "script" && key === "labels" && !servers.some(({ subject }) => subject.vnfc === vnfc),
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

/** Groups beside that of all servers. */
const GROUPS = ["masters", "others"];

/** Changes of security groups whose rules come or go: these are resources, and here a field of their group. */
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
