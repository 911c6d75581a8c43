/** The admission of a server to a cluster: what a master creates for it as late as it joins, and revokes after that. */
import { runOnServer, type Reach } from "./reaching";
import type { Answer } from "./ssh-client";

type Data = Readonly<Record<string, string>>;

/** The script that runs on the master; its variables are some of those of the script that joins. */
export const ADMISSION = "admit-node.sh";
const VARIABLES = ["node_name", "certificate_key", "cluster_config"];

/** @param data of the script that joins */
export function admissionData(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => VARIABLES.includes(name)));
}

/**
 * Has a master admit a server, runs the script that joins with `admission`, which has what the master has printed, and has
 * that revoked, whatever has become of the script.
 *
 * @param master any master of the cluster
 */
export async function runAdmitted(
  reach: Reach,
  master: Reach,
  join: { readonly script: string; readonly verb: string; readonly data: Data },
): Promise<Answer> {
  const admit = (verb: "create" | "delete") =>
    runOnServer(master, { script: ADMISSION, verb, data: admissionData(join.data) });
  const admitted = await admit("create");
  if (admitted.status !== 0) return admitted;
  const joined = await runOnServer(reach, {
    ...join,
    data: { ...join.data, admission: admitted.stdout.trimEnd() },
  });
  const revoked = await admit("delete");
  return joined.status === 0 && revoked.status !== 0 ? revoked : joined;
}
