import { Fault } from "../../components/base/fault";
import { parseCertificateEnds } from "../../components/kube/cluster/certificate-ends";
import { at, text } from "../../components/kube/objects/object";
import { jsonOf } from "../../components/base/json";
import { aptKeyEnd, certificateEnds, credentialEnd, kubeconfigEnd } from "../../components/plan/expiries";
import { Places } from "../stack/places";
import { reveal, type State } from "../stack/state";
import { findingsOf, has, resourcesOf, scriptsOf, stepOf, type Finding, type Script } from "./checks";
import type { Answer } from "./run-program";
import type { StackVim } from "./vims";

const CREDENTIAL = "openstack:identity/applicationCredential:ApplicationCredential";

/** The application credentials of a stack's clusters that have an end. @param state with its secrets in plain text */
export function endingCredentials(
  state: State,
  vnf: string | undefined,
): readonly { readonly urn: string; readonly vnf: string; readonly expiresAt: string }[] {
  const resources = resourcesOf(state);
  const places = new Places(resources.map(stepOf));
  return resources
    .filter(({ type }) => type === CREDENTIAL)
    .flatMap((resource) => {
      const place = places.of(stepOf(resource)).vnf;
      const expiresAt = text(reveal(resource.inputs?.["expiresAt"]));
      if (place === undefined || expiresAt === undefined || (vnf !== undefined && vnf !== place)) return [];
      return [{ urn: resource.urn, vnf: place, expiresAt }];
    });
}

/** Ends that are over, or near. @param now in milliseconds, as Date has it */
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

/** The scripts that can say when certificates on their server end. The arguments are those of scriptsOf. */
export function certificateScripts(state: State, vnf?: string): readonly Script[] {
  return scriptsOf(state, vnf).filter((script) => has(script, "expiry"));
}

/** Reads the answer of such a script to `expiry`. */
export function certificateFindings(script: Script, answer: Answer, now: number): readonly Finding[] {
  const { urn, vnf, vnfc, step } = script;
  if (answer.status !== 0) return findingsOf(script, { ...answer, stdout: "" });
  const about = { urn, vnf, ...(vnfc !== undefined && { vnfc }), step };
  try {
    const ends = parseCertificateEnds(answer.stdout);
    return certificateEnds(vnf, ends, now).map((its): Finding => ({ ...about, kind: "differs", text: its }));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [{ ...about, kind: "unchecked", text: `step ${step} cannot be checked: ${error.message}` }];
  }
}

/** Kubeconfigs that the last run has used, and which have ended, or will soon. @param vnf only of this instance */
export function kubeconfigFindings(
  vims: readonly StackVim[],
  vnf: string | undefined,
  now: number,
): readonly Finding[] {
  return vims.flatMap(({ urn, kubeconfig, vnfs: [owner = "", ...others] }): readonly Finding[] => {
    const end = kubeconfigEnd(kubeconfig, now);
    if (end === undefined || (vnf !== undefined && ![owner, ...others].includes(vnf))) return [];
    const wayOut = "'pulumi up' takes the present one, of the settings or of Cluster API";
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

/** Keys of the apt repositories of nodes that have ended, or will soon: one finding for each instance. */
export function aptKeyFindings(state: State, vnf: string | undefined, now: number): readonly Finding[] {
  const ofVnf = new Map(
    scriptsOf(state, vnf)
      .filter(({ script }) => script === "prepare-node.sh")
      .map((script) => [script.vnf, script]),
  );
  return [...ofVnf.values()].flatMap(({ urn, vnf: its, step, stdin }): readonly Finding[] => {
    const key = text(at(jsonOf(stdin), "data", "apt_key"));
    const end = key === undefined ? undefined : aptKeyEnd(key, now);
    return end === undefined
      ? []
      : [{ urn, vnf: its, step, kind: "differs", text: `apt_repository.signed_by: ${end}` }];
  });
}
