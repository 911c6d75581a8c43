import { didYouMean, oneOf } from "../../nearest";
import type { DeploymentFlavour } from "../../vnfd/model";
import type { PlannedServer } from "../model";

/**
 * A fault where a server has no port at the connection point that a setting names. Without a server, which has been
 * told then, any connection point of the VNFD will do.
 */
export function checkConnectionPoint(
  name: string,
  path: string,
  server: PlannedServer | undefined,
  flavour: DeploymentFlavour,
  faults: string[],
): void {
  if (server?.ports.some((port) => port.connectionPoint === name)) return;
  const known = Object.values(flavour.connectionPoints)
    .filter((cp) => server === undefined || cp.vdu === server.vdu.id)
    .map((cp) => cp.id);
  if (server === undefined && known.includes(name)) return;
  const owner = server === undefined ? "the VNFD" : `VDU ${server.vdu.id}`;
  faults.push(
    `${path}: "${name}" is no connection point of ${owner}; ${oneOf(known)}${didYouMean(name, known)}`,
  );
}
