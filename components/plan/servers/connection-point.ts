import type { Place } from "../../base/findings";
import { didYouMean, oneOf } from "../../base/nearest";
import type { DeploymentFlavour } from "../../vnfd/model";

/**
 * A fault where a VDU has not the connection point that a setting names. Without a VDU, which has been told then, any
 * connection point of the VNFD will do.
 */
export function checkConnectionPoint(
  name: string,
  place: Place,
  vdu: string | undefined,
  flavour: DeploymentFlavour,
): void {
  const known = Object.values(flavour.connectionPoints)
    .filter((cp) => vdu === undefined || cp.vdu === vdu)
    .map((cp) => cp.id);
  if (known.includes(name)) return;
  const owner = vdu === undefined ? "the VNFD" : `VDU ${vdu}`;
  place.fault(`"${name}" is no connection point of ${owner}; ${oneOf(known)}${didYouMean(name, known)}`);
}
