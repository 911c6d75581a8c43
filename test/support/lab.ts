import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The lab's folder. */
export const LAB = process.env["VNFM_LAB"] ?? "/var/lib/vnfm-lab";

/** Path on the host of a file in a server's local root disk. */
export function guestPath(serverId: string, path = ""): string {
  return join(LAB, "servers", serverId, "upper", path);
}

/** Process id, on the host, of a running server's first process. */
export function leaderOf(serverId: string): string {
  return readFileSync(join(LAB, "servers", serverId, "leader"), "utf8").trim();
}

/** Path on the host of a file of a running server, wherever its disks are. */
export function runningPath(serverId: string, path: string): string {
  return join("/proc", leaderOf(serverId), "root", path);
}
