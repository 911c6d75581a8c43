import type { Step } from "../../../automation/stack/steps";

const STACK = "urn:pulumi:t::vnfm::pulumi:pulumi:Stack::vnfm-t";

/** URN of a resource; its type stands for the chain of types, which nothing here reads. */
export const urn = (type: string, name: string): string => `urn:pulumi:t::vnfm::${type}::${name}`;

/** A step as the engine reports it. */
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

/** The scripts of a node, by the ends of the names of their steps. */
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

/** A step that runs a script on a server. */
export function scriptStep(op: string, owner: string, end: keyof typeof SCRIPTS, parent: string): Step {
  return step(op, COMMAND, `${owner}-${end}`, { parent, script: SCRIPTS[end] });
}

/** The inputs by which a state knows such a command. @param stdin as run-script.ts takes it */
export function scriptInputs(end: keyof typeof SCRIPTS, stdin: unknown = "{}") {
  return { environment: { VNFM_SCRIPT: `${SCRIPTS[end]} 0123456789ab` }, stdin };
}

/** The steps of a VNF instance that stays itself. */
export const vnf = (name = "vnf-a"): Step[] => [
  step("same", "vnfm:index:Vnf", name),
  child("same", "vnfm:kubernetes:KubeadmCluster", name, urn("vnfm:index:Vnf", name)),
];

/** The steps of a VNFC: its server, and in a cluster what it does there. */
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
  // components and ports stay where the server is replaced
  const stays = ({ custom, type }: Step) => op === "replace" && (!custom || type.endsWith(":Port"));
  return [...server, ...member].flatMap((one) => (stays(one) ? [{ ...one, op: "same" }] : each(one)));
}

/** A Kubernetes object of the CNF vnf-b. */
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
