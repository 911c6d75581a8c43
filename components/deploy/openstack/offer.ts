import type { PlannedFlavor } from "../../plan/model";
import { isUuid } from "../../base/uuid";

/** An image or a flavor of the cloud. */
export interface Found {
  /** Id of the image or flavor; the requested name or id if none was found. */
  readonly id: string;
  /** True if it was requested by its id. */
  readonly byId: boolean;
}

/** The images and flavors of the cloud for the VNF instances. */
export class Offer {
  /** @param found by the request, see offerKey */
  constructor(private readonly found: ReadonlyMap<string, Found> = new Map()) {}

  image(asked: string): Found {
    return this.found.get(offerKey("image", asked)) ?? { id: asked, byId: isUuid(asked) };
  }

  flavor(asked: PlannedFlavor): Found {
    const named = asked.kind === "name" ? asked.name : "";
    return this.found.get(offerKey("flavor", asked)) ?? { id: named, byId: false };
  }
}

/** A text that identifies a request for an image or a flavor. */
export function offerKey(kind: "image" | "flavor", asked: unknown): string {
  return `${kind} ${JSON.stringify(asked)}`;
}
