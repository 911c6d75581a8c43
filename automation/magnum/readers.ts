/** The setting's value for a value of Magnum. */
export type Reading =
  | { readonly value: unknown; readonly remark?: string }
  /** The reason why the value has no setting. */
  | { readonly why: string };

/** Converts a value; values of labels are texts. Undefined: the value has no effect. */
export type Reader = (text: string) => Reading | undefined;

export const text: Reader = (value) => ({ value });

/** Reads the name of a flavor. An id, which Magnum accepts too, gets a remark. */
export const flavor: Reader = (value) =>
  /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/.test(value)
    ? { value, remark: "is an id: replace it with the name" }
    : { value };

export const list: Reader = (value) => ({ value: items(value) });

/** Reads a number; 0 means none, such as for the size of a volume. */
export const positive: Reader = (value) => {
  if (!/^\d{1,6}$/.test(value)) return { why: "is not a whole number" };
  return Number(value) === 0 ? undefined : { value: Number(value) };
};

export const boolean: Reader = (value) => {
  const read = truth(value);
  return read === undefined ? { why: "is neither true nor false" } : { value: read };
};

/** Reads a switch of a feature that is on by default: only `false` becomes a setting. */
export const unlessOff: Reader = (value) => (truth(value) === false ? { value: false } : undefined);

/** Reads one or more arguments of a program, as in `--max-pods=200 --v=2`. */
export const programArguments: Reader = (value) => {
  const found = value
    .split(/\s+/)
    .filter(Boolean)
    .map((one) => /^--([a-z0-9-]+)(?:=(.*))?$/.exec(one));
  if (found.some((one) => one === null)) return { why: "is not a list of --argument=value" };
  return { value: Object.fromEntries(found.map((one) => [one?.[1] ?? "", one?.[2] ?? "true"])) };
};

/**
 * Reads a release of Kubernetes, such as `v1.26.8-rancher1` of a container's tag, without the suffix of a distribution.
 */
export const kubernetesVersion: Reader = (value) => {
  const [, release] = /^v?(1\.\d+\.\d+)([-+].*)?$/.exec(value) ?? [];
  return release === undefined ? { why: "is not a release of Kubernetes" } : { value: `v${release}` };
};

/** Reads a provider of Octavia; `octavia` is an alias of `amphora`. */
export const loadBalancerProvider: Reader = (value) => {
  const name = value.toLowerCase();
  if (name === "amphora" || name === "octavia") return { value: "amphora" };
  return name === "ovn"
    ? { value: "ovn" }
    : { why: "is a provider that is not supported: use amphora or ovn" };
};

export const serverGroup: Reader = (value) =>
  value === "anti-affinity" || value === "soft-anti-affinity"
    ? { value }
    : { why: "is not a policy that spreads machines: use anti-affinity or soft-anti-affinity" };

/** Reads the networks of additional ports of machines. */
export const ports: Reader = (value) => ({ value: items(value).map((network) => ({ network })) });

/** Reads a value as a list with one entry. */
export const single: Reader = (value) => ({ value: [value] });

function items(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** Parses a boolean like oslo.utils, which Magnum and its drivers use. */
export function truth(value: string): boolean | undefined {
  const word = value.trim().toLowerCase();
  if (["true", "1", "yes", "on", "y", "t"].includes(word)) return true;
  return ["false", "0", "no", "off", "n", "f"].includes(word) ? false : undefined;
}
