import { join } from "node:path";

/** The lab's folder. */
export const LAB = process.env["VNFM_LAB"] ?? "/var/lib/vnfm-lab";

/**
 * The cloud, as clouds.yaml names it, of the tests of this process: a project of their own for those that run
 * beside others, since they compare what is in it before and after.
 */
export const CLOUD = process.env["JEST_WORKER_ID"] === "2" ? "lab-2" : "lab";

/** Where the lab keeps, on the host, what a server has written to a path of its own. */
export function guestPath(serverId: string, path = ""): string {
  return join(LAB, "servers", serverId, "upper", path);
}
