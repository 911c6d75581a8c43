import type { Change } from "../changes/changes";
import { apiAccess } from "../../components/kube/access/api-access";
import { text } from "../../components/kube/objects/object";
import { isWorkload, type InstancePlan, type Vim } from "../../components/plan/model";
import { marksOf } from "./marks";
import { box, type Box, type Topology } from "./model";
import { serverBoxes } from "./servers";
import { workloadBoxes } from "./workload";

/**
 * Returns the topology of a stack: its clouds and clusters, the instances on each, and the changes of the next run.
 *
 * @param plans the desired state
 * @param changes the changes of a preview
 * @param cloud name of the stack's OpenStack cloud, for instances without a cloud of their own
 */
export function topologyOf(
  plans: readonly InstancePlan[],
  changes: readonly Change[],
  cloud: string,
): Topology {
  // in the order of the instances
  const clouds = new Map<string, CloudBoxes>();
  const within = (name: string): CloudBoxes => {
    const known = clouds.get(name) ?? { networks: [], existing: new Set(), vnfs: [] };
    clouds.set(name, known);
    return known;
  };
  // a target cluster, as a key, with the instances that stand on it
  const on = new Map<string, Box[]>();
  const below = (vim: string): Box[] => {
    const known = on.get(vim) ?? [];
    on.set(vim, known);
    return known;
  };
  const cloudOf = (plan: InstancePlan) => within(plan.cloud === undefined ? cloud : `cloud ${plan.cloud}`);
  plans.forEach(cloudOf);
  // an instance comes after the VIM that it is on, so the last ones are put together first
  for (const plan of [...plans].reverse()) {
    const ofVnf = changes.filter(({ subject }) => subject.vnf === plan.name);
    const parts = isWorkload(plan) ? workloadBoxes(plan, ofVnf) : serverBoxes(plan, ofVnf);
    const { facts, groups, rest } = parts;
    const whole = box("vnf", plan.name, {
      facts,
      marks: marksOf(rest),
      boxes: [...groups, ...below(plan.name)],
    });
    const ofCloud = cloudOf(plan);
    ofCloud.networks.unshift(...parts.networks);
    for (const network of parts.existing) ofCloud.existing.add(network);
    (isWorkload(plan) ? below(headOf(plan.on)) : ofCloud.vnfs).unshift(whole);
  }
  const names = plans.map(({ name }) => name);
  const others = [...on].filter(([vim]) => !names.includes(vim)).reverse();
  const concerned = new Set(changes.flatMap(({ subject }) => subject.vnf ?? []));
  const gone = [...concerned].filter((vnf) => !names.includes(vnf));
  return {
    boxes: [
      ...[...clouds].flatMap(([name, parts]) => {
        const boxes = boxesOf(parts);
        return boxes.length > 0 ? [box("vim", name, { facts: ["OpenStack"], boxes })] : [];
      }),
      ...others.map(([vim, boxes]) =>
        box("vim", vim, { facts: ["Kubernetes, not part of this stack"], boxes }),
      ),
      ...gone.map((name) =>
        box("vnf", name, {
          facts: ["no longer in the stack config"],
          marks: marksOf(changes.filter(({ subject }) => subject.vnf === name)),
        }),
      ),
    ],
    marks: marksOf(changes.filter(({ subject }) => subject.vnf === undefined)),
  };
}

/** The parts of the stack in a cloud. */
interface CloudBoxes {
  readonly networks: Box[];
  /** Names of networks that exist without the stack. */
  readonly existing: Set<string>;
  readonly vnfs: Box[];
}

function boxesOf({ networks, existing, vnfs }: CloudBoxes): readonly Box[] {
  const others = [...existing].sort().map((name) => box("network", name, { facts: ["existing"] }));
  return [...others, ...networks, ...vnfs];
}

/** The name of a target cluster: that of its instance in this stack, or its name as a VIM. */
function headOf(vim: Vim): string {
  switch (vim.kind) {
    case "vnf":
      return vim.vnf;
    case "stack":
      return `${vim.vim_name} of stack ${vim.stack}`;
    case "kubeconfig": {
      const server = text(apiAccess(vim.kubeconfig.reveal()).cluster["server"]);
      // without a user or a password that the URL may have
      return `cluster at ${server === undefined ? "the address in its kubeconfig" : new URL(server).host}`;
    }
  }
}
