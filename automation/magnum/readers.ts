/** What a value of Magnum is as the value of a setting. */
export type Reading =
  | { readonly value: unknown; readonly remark?: string }
  /** It has no place among the settings. */
  | { readonly why: string };

/** Reads a value, which is a text in labels. Undefined: it says what is so without it. */
export type Reader = (text: string) => Reading | undefined;

export const text: Reader = (value) => ({ value });

/** The name of a flavor, which Magnum knows by its id too. */
export const flavor: Reader = (value) =>
  /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/.test(value)
    ? { value, remark: "is an id: put the name in its place" }
    : { value };

export const list: Reader = (value) => ({ value: items(value) });

/** A number of which 0 is none, as of a volume's size. */
export const positive: Reader = (value) => {
  if (!/^\d{1,6}$/.test(value)) return { why: "is no whole number" };
  return Number(value) === 0 ? undefined : { value: Number(value) };
};

export const boolean: Reader = (value) => {
  const read = truth(value);
  return read === undefined ? { why: "is neither true nor false" } : { value: read };
};

/** What is there unless it is switched off. */
export const unlessOff: Reader = (value) => (truth(value) === false ? { value: false } : undefined);

/** One or more arguments of a program, as in `--max-pods=200 --v=2`. */
export const programArguments: Reader = (value) => {
  const found = value
    .split(/\s+/)
    .filter(Boolean)
    .map((one) => /^--([a-z0-9-]+)(?:=(.*))?$/.exec(one));
  if (found.some((one) => one === null)) return { why: "is no list of --argument=value" };
  return { value: Object.fromEntries(found.map((one) => [one?.[1] ?? "", one?.[2] ?? "true"])) };
};

/** A release of Kubernetes, as `v1.26.8-rancher1` of a container's tag; what a distribution adds to it is left out. */
export const kubernetesVersion: Reader = (value) => {
  const [, release] = /^v?(1\.\d+\.\d+)([-+].*)?$/.exec(value) ?? [];
  return release === undefined ? { why: "is no release of Kubernetes" } : { value: `v${release}` };
};

/** Octavia has `octavia` as another name of its provider `amphora`. */
export const loadBalancerProvider: Reader = (value) => {
  const name = value.toLowerCase();
  if (name === "amphora" || name === "octavia") return { value: "amphora" };
  return name === "ovn"
    ? { value: "ovn" }
    : { why: "is a provider that is not known here: amphora and ovn are" };
};

export const serverGroup: Reader = (value) =>
  value === "anti-affinity" || value === "soft-anti-affinity"
    ? { value }
    : { why: "is no policy that spreads machines: anti-affinity and soft-anti-affinity are" };

/** Networks that machines have a further port on. */
export const ports: Reader = (value) => ({ value: items(value).map((network) => ({ network })) });

/** A list of one. */
export const single: Reader = (value) => ({ value: [value] });

function items(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** As oslo.utils reads a boolean, which Magnum and its drivers use. */
export function truth(value: string): boolean | undefined {
  const word = value.trim().toLowerCase();
  if (["true", "1", "yes", "on", "y", "t"].includes(word)) return true;
  return ["false", "0", "no", "off", "n", "f"].includes(word) ? false : undefined;
}
