import { Fault } from "../../base/fault";
import { jsonOf } from "../../base/json";
import { at } from "../objects/object";

/** Expiry of a control plane's certificates: ISO 8601 in UTC with seconds, so that strings sort like times. */
export interface CertificateEnds {
  /** First expiry of the certificates that kubeadm renews, including client certificates in its kubeconfigs. */
  readonly expiresAt: string;
  /** First expiry of the CAs. */
  readonly caExpiresAt: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Parses the output of certificates.sh.
 * @throws Fault for any other output, without its content
 */
export function parseCertificateEnds(printed: string): CertificateEnds {
  const facts = jsonOf(printed);
  const [expiresAt, caExpiresAt] = ["expiresAt", "caExpiresAt"].map((key) => at(facts, key));
  if (isTime(expiresAt) && isTime(caExpiresAt)) return { expiresAt, caExpiresAt };
  throw new Fault("the script's output about certificates is not as expected");
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** The first expiries among all control-plane nodes. */
export function firstEnds(ofMasters: readonly CertificateEnds[]): CertificateEnds {
  const first = (key: keyof CertificateEnds) => ofMasters.map((ends) => ends[key]).sort()[0] ?? "";
  return { expiresAt: first("expiresAt"), caExpiresAt: first("caExpiresAt") };
}
