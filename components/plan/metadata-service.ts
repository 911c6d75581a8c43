import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The program on nodes that blocks pods from the cloud's metadata service; prepare-node.sh has the same text and path.
 */
export const METADATA_SERVICE = {
  path: "/etc/kubernetes/metadata-service.sh",
  permissions: "0755",
  content: readFileSync(join(__dirname, "metadata-service.sh"), "utf8"),
} as const;

/** The command that runs the program now, and before each start of the kubelet. */
export const CLOSE_METADATA_SERVICE = `${METADATA_SERVICE.path} install`;
