import type { Place } from "../../base/findings";
import { didYouMean, oneOf } from "../../base/nearest";
import type { DeploymentFlavour } from "../../vnfd/model";

/**
 * Records a connection point that the VDU does not have. Without a VDU, which has an error already, any connection
 * point of the VNFD is accepted.
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
  place.fault(`"${name}" is not a connection point of ${owner}; ${oneOf(known)}${didYouMean(name, known)}`);
}
