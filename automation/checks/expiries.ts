import { Fault } from "../../components/base/fault";
import { parseCertificateEnds } from "../../components/kube/cluster/certificate-ends";
import { at, text } from "../../components/kube/objects/object";
import { jsonOf } from "../../components/base/json";
import { aptKeyEnd, certificateEnds, credentialEnd, kubeconfigEnd } from "../../components/plan/expiries";
import type { Script, StackState } from "../stack/stack-state";
import { reveal } from "../stack/state";
import { findingsOf, type Finding } from "./checks";
import type { ProgramResult } from "./run-program";
import type { StackVim } from "./vims";

const CREDENTIAL = "openstack:identity/applicationCredential:ApplicationCredential";

/** The application credentials of a stack's clusters with an expiry. */
export function endingCredentials(
  state: StackState,
  vnf: string | undefined,
): readonly { readonly urn: string; readonly vnf: string; readonly expiresAt: string }[] {
  return state.of(vnf).flatMap(({ urn, type, vnf: owner, inputs }) => {
    const expiresAt = type === CREDENTIAL ? text(reveal(inputs?.["expiresAt"])) : undefined;
    return expiresAt === undefined ? [] : [{ urn, vnf: owner, expiresAt }];
  });
}

/** Findings about expired credentials, and those that expire soon. @param now in milliseconds since the epoch */
export function credentialFindings(
  credentials: ReturnType<typeof endingCredentials>,
  now: number,
): readonly Finding[] {
  return credentials.flatMap(({ urn, vnf, expiresAt }): readonly Finding[] => {
    const end = credentialEnd(expiresAt, now);
    return end === undefined
      ? []
      : [{ urn, vnf, step: "credential", kind: "differs", text: `credential.expiresAt: ${end.text}` }];
  });
}

/** Findings in the answer of a script to `expiry`. */
export function certificateFindings(script: Script, answer: ProgramResult, now: number): readonly Finding[] {
  const { urn, vnf, vnfc, step } = script;
  if (answer.status !== 0) return findingsOf(script, { ...answer, stdout: "" });
  const about = { urn, vnf, ...(vnfc !== undefined && { vnfc }), step };
  try {
    const ends = parseCertificateEnds(answer.stdout);
    return certificateEnds(vnf, ends, now).map((sentence): Finding => ({
      ...about,
      kind: "differs",
      text: sentence,
    }));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [{ ...about, kind: "unchecked", text: `step ${step} cannot be checked: ${error.message}` }];
  }
}

/** Findings about kubeconfigs of the last run that have expired, or expire soon. @param vnf only of this instance */
export function kubeconfigFindings(
  vims: readonly StackVim[],
  vnf: string | undefined,
  now: number,
): readonly Finding[] {
  return vims.flatMap(({ urn, kubeconfig, vnfs: [owner = "", ...others] }): readonly Finding[] => {
    const end = kubeconfigEnd(kubeconfig, now);
    if (end === undefined || (vnf !== undefined && ![owner, ...others].includes(vnf))) return [];
    const wayOut = "'pulumi up' uses the current one of the settings or of Cluster API";
    return [
      {
        urn,
        vnf: owner,
        step: "kubeconfig",
        kind: "differs",
        text: `the kubeconfig: ${end.text}; ${wayOut}`,
      },
    ];
  });
}

/** Findings about keys of nodes' apt repositories that have expired, or expire soon: one for each instance. */
export function aptKeyFindings(state: StackState, vnf: string | undefined, now: number): readonly Finding[] {
  const ofVnf = new Map(
    state
      .scripts(vnf)
      .filter(({ script }) => script === "prepare-node.sh")
      .map((script) => [script.vnf, script]),
  );
  return [...ofVnf.values()].flatMap(({ urn, vnf: instance, step, stdin }): readonly Finding[] => {
    const key = text(at(jsonOf(stdin), "data", "apt_key"));
    const end = key === undefined ? undefined : aptKeyEnd(key, now);
    return end === undefined
      ? []
      : [{ urn, vnf: instance, step, kind: "differs", text: `apt_repository.signed_by: ${end}` }];
  });
}
