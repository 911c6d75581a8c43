import type { Link } from "./servers/model";

/** The virtual link of a network that vnfm creates. */
export function virtualLinkOf(link: Link): string | undefined {
  switch (link.kind) {
    case "internal":
      return link.virtualLink;
    case "external":
      return undefined;
  }
}

/** Id or name of an existing network. */
export function existingNetwork(link: Link): string | undefined {
  switch (link.kind) {
    case "internal":
      return undefined;
    case "external":
      return link.network;
  }
}

/** Id of the subnet of an existing network, if the settings name one. */
export function existingSubnet(link: Link): string | undefined {
  switch (link.kind) {
    case "internal":
      return undefined;
    case "external":
      return link.subnet;
  }
}

/** The name of a network in the settings: a virtual link, or the id or name of an existing one. */
export function nameOfNetwork(link: Link): string {
  switch (link.kind) {
    case "internal":
      return link.virtualLink;
    case "external":
      return link.network;
  }
}
