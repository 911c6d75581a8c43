import { text } from "../../components/kube/object";
import { credentialEnd } from "../../components/plan/credential-end";
import { Places } from "../changes/places";
import { reveal, type State } from "../stack/state";
import { resourcesOf, stepOf, type Finding } from "./checks";

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

/** Those of them that have ended, or will soon. @param now in milliseconds, as Date has it */
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
