import { jsonOf } from "../../components/base/json";
import { maskOf, secretsIn } from "../../components/base/secret";
import { isScalar, visit, yamlDocument } from "../../components/base/yaml/yaml";
import { hasTemplate } from "../../components/settings/clusters";
import { DEFINITIONS } from "../../components/settings/schema-part";
import { withSecretTexts } from "../../components/settings/secret-texts";
import type { StackSettings } from "../stack/stack-config";
import { plaintextOf, SECRET, type State } from "../stack/state";

/** Shortest line of a secret of several lines, such as a private key, that is hidden by itself, in characters. */
const SHORTEST_LINE = 20;

/** Names of fields, within a secret map, whose texts are hidden; an address or a user name there is not. */
const CREDENTIAL_FIELD = /pass|keys?$|token|secret|credential|kubeconfig/i;

/**
 * Names of fields of a stack config whose values are hidden: encrypted values, the salt or key by which a passphrase
 * could be guessed, and credentials that somebody has left in plain text, such as values of a chart.
 */
const HIDDEN_FIELD = /^(secure|encryptionsalt|encryptedkey)$|passw|token|secret/i;

/** A text that looks random: 20 or more characters of base64 or hex, with a digit and a letter; no path. */
const RANDOM = /^(?!\/)(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/=]{20,}$/;

/**
 * Forms of credentials that may stand in logs and in no state: private keys, JSON Web Tokens, bootstrap tokens of
 * kubeadm, logins in URLs, and values after words such as `password=`; with their replacements.
 */
const CREDENTIALS: readonly (readonly [form: RegExp, shown: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, "[secret]"],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, "[secret]"],
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "[secret]"],
  [/(:\/\/[^\s/:@"]*):[^\s/@"]+@/g, "$1:[secret]@"],
  [
    /\b((?:password|passwd|token|secret|authorization)\\?["']?\s*[:=]\s*\\?["']?)(?:bearer |basic )?[^\s"'\\,}[]+/gi,
    "$1[secret]",
  ],
];

/**
 * Returns a function that hides the secrets of a stack, and whatever looks like a credential, in a text.
 *
 * @param state with its secrets in plain text
 * @param ofSettings secret texts of the stack config
 */
export function supportMask(state: State, ofSettings: readonly string[]): (text: string) => string {
  const mask = maskOf([...secretsOf(state.deployment), ...ofSettings.flatMap(textsOf)]);
  return (text) => CREDENTIALS.reduce((masked, [form, shown]) => masked.replaceAll(form, shown), mask(text));
}

/** Lists the secret texts of a stack config: encrypted ones, and those of settings that the schema marks as secrets. */
export function secretsOfSettings({
  vnfs,
  clusterTemplates = {},
}: Pick<StackSettings, "vnfs" | "clusterTemplates">): readonly string[] {
  const { vnf, cluster } = DEFINITIONS;
  return secretsIn([
    ...Object.values(vnfs).map((one) => withSecretTexts(one, hasTemplate(one) ? cluster : vnf)),
    ...Object.values(clusterTemplates as object).map((one: unknown) => withSecretTexts(one, cluster)),
  ]);
}

/**
 * Hides the values of a stack config whose fields are named as secrets, in any of its settings.
 *
 * @throws Fault if it is not YAML
 */
export function withoutSecretFields(config: string): string {
  const document = yamlDocument(config, "the stack config");
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && HIDDEN_FIELD.test(String(key.value)) && isScalar(value)) value.value = "[secret]";
    },
  });
  return document.toString();
}

/** Lists the texts of all secrets within a value of the state. */
function secretsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (!(SECRET in value)) return Object.values(value).flatMap(secretsOf);
  const secret = plaintextOf(value);
  return typeof secret === "string" ? textsOf(secret) : credentialsIn(secret);
}

/** Lists the texts to hide of a secret text: its credentials if it is JSON, else the text and its lines. */
function textsOf(secret: string): string[] {
  const map = /^\s*[[{]/.test(secret) ? jsonOf(secret) : undefined;
  if (map !== undefined) return credentialsIn(map);
  const lines = secret.split("\n").map((line) => line.trim());
  return [secret, ...lines.filter((line) => line.length >= SHORTEST_LINE)];
}

/** Lists the credentials within a secret map or list. @param field name of the value's field */
function credentialsIn(value: unknown, field = ""): string[] {
  if (typeof value === "string")
    return CREDENTIAL_FIELD.test(field) || RANDOM.test(value) || value.includes("\n") ? textsOf(value) : [];
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, entry]) => credentialsIn(entry, isList ? field : key));
}
