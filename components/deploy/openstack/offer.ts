import type { PlannedFlavor } from "../../plan/model";
import { isUuid } from "../../base/uuid";

/** An image or a flavor of the cloud. */
export interface Found {
  /** What was asked for, where nothing was found. */
  readonly id: string;
  /** True if it was asked for by its id. */
  readonly byId: boolean;
}

/** The images and flavors of the cloud that the VNF instances ask for. */
export class Offer {
  /** @param found by what was asked for, see offerKey */
  constructor(private readonly found: ReadonlyMap<string, Found> = new Map()) {}

  image(asked: string): Found {
    return this.found.get(offerKey("image", asked)) ?? { id: asked, byId: isUuid(asked) };
  }

  flavor(asked: PlannedFlavor): Found {
    const named = asked.kind === "name" ? asked.name : "";
    return this.found.get(offerKey("flavor", asked)) ?? { id: named, byId: false };
  }
}

/** What an image or a flavor was asked for by, as a text. */
export function offerKey(kind: "image" | "flavor", asked: unknown): string {
  return `${kind} ${JSON.stringify(asked)}`;
}
