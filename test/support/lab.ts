import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The lab's folder. */
export const LAB = process.env["VNFM_LAB"] ?? "/var/lib/vnfm-lab";

/** Path on the host at which the lab keeps a path of a server. */
export function guestPath(serverId: string, path = ""): string {
  return join(LAB, "servers", serverId, "upper", path);
}

/** The host's process id of the first process of a server that runs. */
export function leaderOf(serverId: string): string {
  return readFileSync(join(LAB, "servers", serverId, "leader"), "utf8").trim();
}

/** A path of a server that runs, as it sees it itself: wherever its disk is. */
export function seenPath(serverId: string, path: string): string {
  return join("/proc", leaderOf(serverId), "root", path);
}
