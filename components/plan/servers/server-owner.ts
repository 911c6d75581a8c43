/**
 * Metadata key with a server's owner, `<stack identity>/<instance>`, like the annotation of objects on clusters. The
 * name of a server does not show its owner: another stack in the project may have a server of the same name.
 */
export const SERVER_OWNER = "vnfm-owner";

/** A server of the project, as Nova lists it. */
export interface ListedServer {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Returns true for a server of an instance of this name. */
export function isOwnedBy(instance: string, { metadata }: ListedServer): boolean {
  return metadata?.[SERVER_OWNER]?.endsWith(`/${instance}`) === true;
}
