/** What an option of exports(5) is in ganesha.conf; undefined for what nfs-ganesha does anyway. */
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
const NUMBERS: Readonly<Record<string, string>> = { anonuid: "Anonymous_Uid", anongid: "Anonymous_Gid" };

/** What exports(5) takes where nothing is said. */
const DEFAULTS = { Access_Type: "RO", Squash: "Root_Squash", PrivilegedPort: "true" };

/** Options of exports(5) as the settings of nfs-ganesha for a client. */
export function ganeshaSettings(options: readonly string[]): Readonly<Record<string, string>> {
  const settings: Record<string, string> = { ...DEFAULTS };
  for (const option of options) {
    const [name = "", value = ""] = option.split("=");
    const [key, text] = GANESHA[name] ?? [NUMBERS[name], value];
    if (key !== undefined) settings[key] = text;
  }
  return settings;
}

/** The options that nfs-ganesha has no setting for. */
export function ganeshaOptionFaults(options: readonly string[]): string[] {
  return options.flatMap((option) => {
    const [name = "", value] = option.split("=");
    if (name in NUMBERS) {
      return /^\d+$/.test(value ?? "") ? [] : [`${option}: ${name} needs a number, as in ${name}=1000`];
    }
    if (name in GANESHA && value === undefined) return [];
    const known = [...Object.keys(GANESHA), ...Object.keys(NUMBERS)].sort().join(", ");
    return [`${option} is no option that nfs-ganesha has; use ${known}, or nfs_server: kernel`];
  });
}
