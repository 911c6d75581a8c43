/**
 * The admission of a server to a cluster: a master creates a token right before the server joins, and revokes it
 * afterwards.
 */
import { runOnServer, type Reach } from "./reaching";
import type { CommandResult } from "./ssh-client";

type Data = Readonly<Record<string, string>>;

/** The script on the master; its variables are a subset of those of the joining script. */
export const ADMISSION = "admit-node.sh";
const VARIABLES = ["node_name", "certificate_key", "cluster_config"];

/** @param data data of the joining script */
export function admissionData(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => VARIABLES.includes(name)));
}

/**
 * Admits a server on a master, runs the joining script with the master's output as `admission`, and revokes the
 * admission, whether the script succeeds or not.
 * @param master any master of the cluster
 */
export async function runAdmitted(
  reach: Reach,
  master: Reach,
  join: { readonly script: string; readonly verb: string; readonly data: Data },
): Promise<CommandResult> {
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
