import { join } from "node:path";

/** The lab's folder. */
export const LAB = process.env["VNFM_LAB"] ?? "/var/lib/vnfm-lab";

/** Where the lab keeps, on the host, what a server has written to a path of its own. */
export function guestPath(serverId: string, path = ""): string {
  return join(LAB, "servers", serverId, "upper", path);
}
