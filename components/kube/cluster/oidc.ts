/**
 * Tokens of OpenID Connect for kube-apiserver:
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */

/** Path of the certificates of the issuer's CA. */
export const OIDC_CA = "/etc/kubernetes/oidc-ca.crt";

/** Arguments of kube-apiserver by the settings under `oidc`. */
const ARGUMENTS = {
  issuerUrl: "oidc-issuer-url",
  clientId: "oidc-client-id",
  usernameClaim: "oidc-username-claim",
  usernamePrefix: "oidc-username-prefix",
  groupsClaim: "oidc-groups-claim",
  groupsPrefix: "oidc-groups-prefix",
  ca: "oidc-ca-file",
} as const;

/** The issuer of the tokens; `ca` is PEM. */
export type OpenIdConnect = Readonly<Partial<Record<keyof typeof ARGUMENTS, string>>>;

export const OIDC_ARGS: readonly string[] = Object.values(ARGUMENTS);

/** Arguments of kube-apiserver for an issuer. */
export function oidcArgs(oidc: OpenIdConnect): Record<string, string> {
  const values: OpenIdConnect = { ...oidc, ...(oidc.ca !== undefined && { ca: OIDC_CA }) };
  const settings = Object.keys(ARGUMENTS) as (keyof typeof ARGUMENTS)[];
  return Object.fromEntries(
    settings.flatMap((setting) => {
      const value = values[setting];
      return value === undefined ? [] : [[ARGUMENTS[setting], value]];
    }),
  );
}
