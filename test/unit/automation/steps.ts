import type { Step } from "../../../automation/stack/steps";

const STACK = "urn:pulumi:t::vnfm::pulumi:pulumi:Stack::vnfm-t";

/** Returns the URN of a resource. It has only the resource's type, without those of its parents. */
export const urn = (type: string, name: string): string => `urn:pulumi:t::vnfm::${type}::${name}`;

/** Returns a step, in the form of the engine's events. */
export function step(op: string, type: string, name: string, changes: Partial<Step> = {}): Step {
  const isComponent = type.startsWith("vnfm:");
  return { urn: urn(type, name), op, type, parent: STACK, custom: !isComponent, differs: [], ...changes };
}

const child = (op: string, type: string, name: string, parent: string, changes: Partial<Step> = {}): Step =>
  step(op, type, name, { parent, ...changes });

const replaced = (one: Step): Step[] =>
  ["delete-replaced", "replace", "create-replacement"].map((op) => ({ ...one, op }));

export const VNF = urn("vnfm:index:Vnf", "vnf-a");
const CLUSTER = urn("vnfm:kubernetes:KubeadmCluster", "vnf-a");
export const COMMAND = "command:local:Command";

/** Scripts of a node, by the name endings of their resources. */
const SCRIPTS = {
  prepare: "prepare-node.sh",
  init: "init-master.sh",
  access: "read-access.sh",
  member: "membership.sh",
  join: "join-node.sh",
  ready: "node-ready.sh",
  labels: "node-labels.sh",
  copy: "control-plane-copy.sh",
  restore: "control-plane-copy.sh",
  certificates: "certificates.sh",
} as const;

/** Returns the step of a script resource. */
export function scriptStep(op: string, owner: string, end: keyof typeof SCRIPTS, parent: string): Step {
  return step(op, COMMAND, `${owner}-${end}`, { parent, script: SCRIPTS[end] });
}

/** Returns the inputs of a script resource in the state. @param stdin standard input of run-script.ts */
export function scriptInputs(end: keyof typeof SCRIPTS, stdin: unknown = "{}") {
  return { environment: { VNFM_SCRIPT: `${SCRIPTS[end]} 0123456789ab` }, stdin };
}

/** Returns the steps of a VNF instance without changes. */
export const vnf = (name = "vnf-a"): Step[] => [
  step("same", "vnfm:index:Vnf", name),
  child("same", "vnfm:kubernetes:KubeadmCluster", name, urn("vnfm:index:Vnf", name)),
];

/** Returns the steps of a VNFC: those of its server and, in a cluster, of its scripts. */
export function vnfc(op: string, key: string, role?: "master" | "member"): Step[] {
  const name = `vnf-a-${key}`;
  const each = (one: Step): Step[] => (op === "replace" && one.custom ? replaced(one) : [{ ...one, op }]);
  const node = urn("vnfm:openstack:Node", name);
  const server = [
    child(op, "vnfm:openstack:Node", name, VNF),
    child(op, "openstack:networking/port:Port", `${name}-cp`, node),
    child(op, "openstack:compute/instance:Instance", `${name}-server`, node),
  ];
  const steps = (parent: string, ...ends: (keyof typeof SCRIPTS)[]): Step[] =>
    ends.map((end) => scriptStep(op, name, end, parent));
  const controlPlane = "vnfm:kubernetes:ControlPlane";
  const member =
    role === undefined
      ? []
      : role === "master"
        ? [
            ...steps(CLUSTER, "prepare"),
            child(op, controlPlane, name, CLUSTER),
            ...steps(urn(controlPlane, name), "init", "access"),
          ]
        : steps(CLUSTER, "prepare", "member", "join", "ready");
  // if a server is replaced, its components and ports stay
  const stays = ({ custom, type }: Step) => op === "replace" && (!custom || type.endsWith(":Port"));
  return [...server, ...member].flatMap((one) => (stays(one) ? [{ ...one, op: "same" }] : each(one)));
}

/** Returns the steps of a Kubernetes object of the CNF vnf-b. */
export function objectOf(op: string, object: string, changes: Partial<Step> = {}): Step[] {
  const [kind, name] = object.split(" ");
  const cnf = urn("vnfm:cnf:Cnf", "vnf-b");
  return [
    step("same", "vnfm:index:Vnf", "vnf-b"),
    child("same", "vnfm:cnf:Cnf", "vnf-b", urn("vnfm:index:Vnf", "vnf-b")),
    child(op, `kubernetes:apps/v1:${kind}`, `vnf-b-${kind?.toLowerCase()}-${name}`, cnf, {
      object,
      ...changes,
    }),
  ];
}
