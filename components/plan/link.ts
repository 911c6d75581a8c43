import type { Link } from "./model";

/** The virtual link of a network that is made. */
export function virtualLinkOf(link: Link): string | undefined {
  switch (link.kind) {
    case "internal":
      return link.virtualLink;
    case "external":
      return undefined;
  }
}

/** Id or name of a network that is there already. */
export function existingNetwork(link: Link): string | undefined {
  switch (link.kind) {
    case "internal":
      return undefined;
    case "external":
      return link.network;
  }
}

/** Id of the subnet that is named of a network that is there already. */
export function existingSubnet(link: Link): string | undefined {
  switch (link.kind) {
    case "internal":
      return undefined;
    case "external":
      return link.subnet;
  }
}
