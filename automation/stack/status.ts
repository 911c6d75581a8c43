import type { Endpoint } from "../../components/deploy/objects/cnf";
import { Findings, type Finding } from "../../components/base/findings";
import type { CertificateEnds } from "../../components/kube/cluster/certificate-ends";
import { own } from "../../components/base/own";
import { expiries } from "../../components/plan/expiries";
import type { PlannedVnfc } from "../../components/plan/workload/cnf";
import { intentOf, vnfOf, type IntendedVnf } from "./intent";
import { holderOf, type Holder } from "./lock";
import type { PulumiStack } from "./pulumi";

/** A VNF instance according to the stack config and the last update. */
export interface VnfStatus {
  readonly vnf: string;
  /** State in terms of SOL003. */
  readonly instantiationState: "INSTANTIATED" | "NOT_INSTANTIATED";
  readonly vnfState?: string;
  /** Name of its cloud in clouds.yaml. @default the cloud of the stack config */
  readonly cloud?: string;
  /**
   * Flavour, and scale level by aspect or replicas by node group, in the stack config. Undefined: it no longer contains
   * the instance. A cluster from a template has no flavour.
   */
  readonly flavour?: string;
  readonly scale?: Readonly<Record<string, number>>;
  readonly vnfcs: readonly VnfcStatus[];
  /** URL of a cluster's API. CNFs of other stacks refer to the cluster by its `vimName`. */
  readonly apiUrl?: string;
  readonly vimName?: string;
  /** Sentences about credentials, certificates and keys that have expired or expire soon. */
  readonly expiring?: readonly string[];
  /** Services of a CNF that are reachable from outside. */
  readonly endpoints?: readonly Endpoint[];
}

export interface VnfcStatus {
  readonly vnfc: string;
  /** `there`: it exists and is declared; `planned`: it does not exist yet; `leaving`: it is no longer declared. */
  readonly state: "there" | "planned" | "leaving";
  /** First address by connection point. */
  readonly addresses?: Readonly<Record<string, string>>;
  readonly serverId?: string;
  /** The pod controller, such as `Deployment web/web`, with its declared number of pods in `replicas`. */
  readonly controller?: string;
  readonly replicas?: number;
}

export interface StackStatus {
  readonly stack: string;
  /** The run that has locked the stack. */
  readonly heldBy?: Holder;
  readonly vnfs: readonly VnfStatus[];
}

/**
 * The VNF instances of a stack, from its config and outputs, without queries to a cloud or a cluster.
 * @param vnf only this instance
 * @throws UsageFault if there is no such VNF instance
 */
export async function status(stack: PulumiStack, vnf?: string): Promise<StackStatus> {
  const [heldBy, config, outputs] = await Promise.all([holderOf(stack), stack.settings(), stack.outputs()]);
  const intent = intentOf(config);
  const vnfs = statusOf(intent, (outputs["vnfs"] ?? {}) as VnfOutputs);
  const found = vnf === undefined ? vnfs : vnfs.filter((one) => one.vnf === vnf);
  if (vnf !== undefined && found.length === 0) vnfOf(intent, vnf);
  return { stack: stack.qualifiedName, ...(heldBy !== undefined && { heldBy }), vnfs: found };
}

/** The stack's output `vnfs`. */
export type VnfOutputs = Readonly<Record<string, VnfOutput | undefined>>;

export interface VnfOutput {
  readonly vnfState: string;
  readonly cloud?: string;
  readonly vnfcs:
    Readonly<Record<string, Required<Pick<VnfcStatus, "addresses" | "serverId">>>> | readonly PlannedVnfc[];
  readonly apiUrl?: string;
  readonly vimName?: string;
  readonly certificates?: CertificateEnds;
  readonly endpoints?: readonly Endpoint[];
}

/**
 * The status from settings and outputs.
 * @param now in milliseconds since the epoch
 */
export function statusOf(
  intent: ReadonlyMap<string, IntendedVnf>,
  outputs: VnfOutputs,
  now = Date.now(),
): readonly VnfStatus[] {
  const names = [...new Set([...intent.keys(), ...Object.keys(outputs)])];
  return names.map((vnf) => {
    const intended = intent.get(vnf);
    const output = own(outputs, vnf);
    const cloud = output === undefined ? intended?.plan.cloud : output.cloud;
    const ends = intended === undefined ? [] : expiries([intended.plan], outputs, now);
    return {
      vnf,
      instantiationState: output === undefined ? "NOT_INSTANTIATED" : "INSTANTIATED",
      ...(output !== undefined && { vnfState: output.vnfState }),
      ...(intended !== undefined && { scale: intended.scaleLevels }),
      ...(cloud !== undefined && { cloud }),
      ...(intended?.flavour !== undefined && { flavour: intended.flavour.id }),
      vnfcs: vnfcsOf(intended?.vnfcs ?? [], output),
      ...(output?.apiUrl !== undefined && { apiUrl: output.apiUrl }),
      ...(output?.vimName !== undefined && { vimName: output.vimName }),
      ...(ends.length > 0 && { expiring: ends.map(({ finding }) => within(vnf, finding)) }),
      ...(output?.endpoints !== undefined && { endpoints: output.endpoints }),
    };
  });
}

/** The message of an error without the name of its instance. */
function within(vnf: string, { place, message }: Finding): string {
  const setting = new Findings().at(...place).textFrom(new Findings().instance(vnf));
  return setting === "" ? message : `${setting}: ${message}`;
}

function vnfcsOf(intendedKeys: readonly string[], output: VnfOutput | undefined): readonly VnfcStatus[] {
  const there = Object.entries(output === undefined ? {} : byName(output.vnfcs));
  const names = there.map(([vnfc]) => vnfc);
  return [
    ...there.map(([vnfc, rest]): VnfcStatus => {
      return { vnfc, state: intendedKeys.includes(vnfc) ? "there" : "leaving", ...rest };
    }),
    ...intendedKeys
      .filter((vnfc) => !names.includes(vnfc))
      .map((vnfc): VnfcStatus => ({ vnfc, state: "planned" })),
  ];
}

function byName(vnfcs: VnfOutput["vnfcs"]): Readonly<Record<string, Omit<VnfcStatus, "vnfc" | "state">>> {
  if (!isControllers(vnfcs)) return vnfcs;
  return Object.fromEntries(
    vnfcs.map(({ vdu, kind, namespace, name, replicas }) => [
      vdu,
      { controller: `${kind} ${namespace}/${name}`, ...(replicas !== undefined && { replicas }) },
    ]),
  );
}

function isControllers(vnfcs: VnfOutput["vnfcs"]): vnfcs is readonly PlannedVnfc[] {
  return Array.isArray(vnfcs);
}
