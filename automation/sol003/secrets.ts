import { isFields, type Fields } from "../../components/kube/objects/object";
import { hasLogin } from "../conversion/conversion";

/** Names of parameters with a secret. */
const SECRET = /password|passphrase|secret|token|private_key/i;

/** A value without its secrets, and a remark for each of them. */
interface Public {
  readonly value: unknown;
  readonly remarks: readonly string[];
}

/**
 * Removes the secrets from parameters, because the settings are printed in plain text: those by name, and URLs with a
 * login.
 * @param path of the value in the stack config
 */
export function withoutSecrets(value: unknown, path: string): Public {
  if (Array.isArray(value)) return ofList(value, path);
  if (!isFields(value)) return { value, remarks: [] };
  const found = Object.entries(value).map(([key, inner]) => {
    const at = `${path}.${key}`;
    const isSecret = typeof inner === "string" && inner !== "" && (SECRET.test(key) || hasLogin(inner));
    const remark = `${key}: a secret, which is left out: pulumi config set --secret --path ${at}`;
    return isSecret ? { key, value: undefined, remarks: [remark] } : { key, ...withoutSecrets(inner, at) };
  });
  const kept = found.filter((one) => one.value !== undefined).map((one) => [one.key, one.value] as const);
  return {
    value: Object.fromEntries(kept) satisfies Fields,
    remarks: found.flatMap(({ remarks }) => remarks),
  };
}

function ofList(list: readonly unknown[], path: string): Public {
  const found = list.map((inner, i) => withoutSecrets(inner, `${path}[${i}]`));
  return { value: found.map(({ value }) => value), remarks: found.flatMap(({ remarks }) => remarks) };
}
