import { didYouMean } from "../../base/nearest";
import { own } from "../../base/own";
import type { StorageServer } from "../../settings/model";

/** Pairs of options of exports(5) that contradict each other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["rw", "ro"],
  ["sync", "async"],
  ["secure", "insecure"],
  ["root_squash", "no_root_squash"],
  ["all_squash", "no_all_squash"],
  ["subtree_check", "no_subtree_check"],
  ["wdelay", "no_wdelay"],
  ["hide", "nohide"],
  ["crossmnt", "nocrossmnt"],
  ["auth_nlm", "no_auth_nlm"],
  ["secure_locks", "insecure_locks"],
  ["acl", "no_acl"],
  ["pnfs", "no_pnfs"],
];
const WORDS = [...OPPOSITES.flat(), "mountpoint", "mp", "nordirplus", "security_label", "sign_fh"];

/** Options of exports(5) with a value, restricted to the characters that the setting allows. */
const VALUES: Readonly<Record<string, OptionValue>> = {
  anonuid: { is: isId, what: "a number up to 4294967295", example: "1000" },
  anongid: { is: isId, what: "a number up to 4294967295", example: "1000" },
  fsid: {
    is: (text) => /^(root|\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i.test(text),
    what: "root, a number or a UUID",
    example: "root",
  },
  sec: {
    is: listOf("sys", "none", "krb5", "krb5i", "krb5p"),
    what: "sys, none or krb5, krb5i, krb5p",
    example: "sys",
  },
  xprtsec: { is: listOf("none", "tls", "mtls"), what: "none, tls or mtls", example: "tls" },
};

interface OptionValue {
  readonly is: (text: string) => boolean;
  readonly what: string;
  readonly example: string;
}

/** Settings of ganesha.conf by option of exports(5); undefined for the behaviour that nfs-ganesha always has. */
const GANESHA: Readonly<Record<string, readonly [name: string, value: string] | undefined>> = {
  rw: ["Access_Type", "RW"],
  ro: ["Access_Type", "RO"],
  root_squash: ["Squash", "Root_Squash"],
  no_root_squash: ["Squash", "No_Root_Squash"],
  all_squash: ["Squash", "All_Squash"],
  secure: ["PrivilegedPort", "true"],
  insecure: ["PrivilegedPort", "false"],
  sync: undefined,
  no_subtree_check: undefined,
  no_all_squash: undefined,
};
const GANESHA_VALUES: Readonly<Record<string, string>> = {
  anonuid: "Anonymous_Uid",
  anongid: "Anonymous_Gid",
};

/** Defaults of exports(5) as settings of ganesha.conf. */
const DEFAULTS = { Access_Type: "RO", Squash: "Root_Squash", PrivilegedPort: "true" };

/** The settings of nfs-ganesha for a client that correspond to options of exports(5). */
export function ganeshaSettings(options: readonly string[]): Readonly<Record<string, string>> {
  const settings: Record<string, string> = { ...DEFAULTS };
  for (const option of options) {
    const [name = "", value = ""] = option.split("=");
    const [key, text] = own(GANESHA, name) ?? [own(GANESHA_VALUES, name), value];
    if (key !== undefined) settings[key] = text;
  }
  // all_squash overrides the options about root
  return options.includes("all_squash") ? { ...settings, Squash: "All_Squash" } : settings;
}

/** Errors in options of exports(5), which the server would refuse only once everything exists. */
export function exportOptionFaults(
  options: readonly string[],
  server: StorageServer["nfs_server"],
): string[] {
  const unknown = server === "ganesha" ? unknownToGanesha : unknownToKernel;
  const faults = options.flatMap((option) => {
    const [name = "", value] = option.split("=");
    const problem = unknown(name, value);
    if (problem !== undefined) return [`${option} ${problem}`];
    const format = own(VALUES, name);
    if (format === undefined || format.is(value ?? "")) return [];
    return [`${option}: ${name} needs ${format.what}, as in ${name}=${format.example}`];
  });
  // options after a sec= apply to that flavour of security only
  if (options.some((option) => option.startsWith("sec="))) return faults;
  const contradictions = OPPOSITES.filter((pair) => pair.every((option) => options.includes(option)));
  return [
    ...faults,
    ...contradictions.map((pair) => `${pair.join(" and ")} contradict each other; remove one of the two`),
  ];
}

function unknownToKernel(name: string, value: string | undefined): string | undefined {
  if (Object.hasOwn(VALUES, name) || (WORDS.includes(name) && value === undefined)) return undefined;
  return `is not an option of exports(5)${didYouMean(name, [...WORDS, ...Object.keys(VALUES)])}`;
}

function unknownToGanesha(name: string, value: string | undefined): string | undefined {
  if (Object.hasOwn(GANESHA_VALUES, name) || (Object.hasOwn(GANESHA, name) && value === undefined)) {
    return undefined;
  }
  const known = [...Object.keys(GANESHA), ...Object.keys(GANESHA_VALUES)].sort().join(", ");
  return `is not an option that nfs-ganesha has; use ${known}, or nfs_server: kernel`;
}

function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) < 2 ** 32;
}

function listOf(...known: readonly string[]): (text: string) => boolean {
  return (text) => text.split(":").every((part) => known.includes(part));
}
