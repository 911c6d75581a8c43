import type { PlannedFlavor } from "../../plan/servers/model";
import { isUuid } from "../../base/uuid";

/** An image or a flavor of the cloud. */
export interface OfferedItem {
  /** Id of the image or flavor; the requested name or id if none was found. */
  readonly id: string;
  /** True if it was requested by its id. */
  readonly byId: boolean;
}

/** The images and flavors of the cloud for the VNF instances. */
export class Offer {
  /** @param found images and flavors by the key of their request, see offerKey */
  constructor(private readonly found: ReadonlyMap<string, OfferedItem> = new Map()) {}

  image(nameOrId: string): OfferedItem {
    return this.found.get(offerKey("image", nameOrId)) ?? { id: nameOrId, byId: isUuid(nameOrId) };
  }

  flavor(planned: PlannedFlavor): OfferedItem {
    const named = planned.kind === "name" ? planned.name : "";
    return this.found.get(offerKey("flavor", planned)) ?? { id: named, byId: false };
  }
}

/** A text that identifies a request for an image or a flavor. */
export function offerKey(kind: "image" | "flavor", request: unknown): string {
  return `${kind} ${JSON.stringify(request)}`;
}
