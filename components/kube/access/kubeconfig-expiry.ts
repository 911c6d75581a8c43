import { X509Certificate } from "node:crypto";
import { timestamp } from "../../base/expiry";
import { jsonOf } from "../../base/json";
import { apiAccess } from "./api-access";
import { at, text } from "../objects/object";

/**
 * Returns the time when the last inline credential of a kubeconfig expires: the client certificate, or a token that is
 * a JWT. Expiries of files, plugins and other tokens are not known.
 *
 * @returns ISO 8601; undefined if the expiry is not known, or there is none
 */
export function kubeconfigExpiry(kubeconfig: string): string | undefined {
  const { user } = apiAccess(kubeconfig);
  const certificate = text(user["client-certificate-data"]);
  const token = text(user["token"]);
  const isElsewhere = ["exec", "auth-provider", "tokenFile", "client-certificate"].some((key) => key in user);
  const ends = [
    ...(certificate ? [certificateExpiry(Buffer.from(certificate, "base64"))] : []),
    ...(token ? [tokenExpiry(token)] : []),
  ];
  if (isElsewhere || !ends.every((end) => end !== undefined)) return undefined;
  // the API takes whichever of both it can
  return ends.sort().at(-1);
}

/** Returns the expiry of the first certificate in a PEM chain, which is the client's. */
function certificateExpiry(pem: Buffer): string | undefined {
  try {
    return timestamp(Date.parse(new X509Certificate(pem).validTo));
  } catch {
    // the API refuses it, with a reason
    return undefined;
  }
}

/** Returns the expiry of a JWT: https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4 */
function tokenExpiry(token: string): string | undefined {
  const [, claims = "", signature] = token.split(".");
  if (signature === undefined) return undefined;
  const seconds = at(jsonOf(Buffer.from(claims, "base64url").toString()), "exp");
  return typeof seconds === "number" ? timestamp(seconds * 1000) : undefined;
}
