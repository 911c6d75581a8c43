import { Fault } from "./fault";

/** Returns true if a text is an id of OpenStack: things of a cloud are given by their id or their name. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The id that stands in a preview for one that only the run knows. */
export const LATE_ID = "00000000-0000-4000-8000-000000000000";

/**
 * An id that a cloud has given, which goes on to scripts and files of nodes: there it is a part of patterns and of lines.
 *
 * @param subject such as `volume data`, for the fault
 * @throws Fault if it has other characters than a UUID, letters and `_` aside
 */
export function cloudId(text: string, subject: string): string {
  if (/^[\w-]{1,64}$/.test(text)) return text;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new Fault(
    `${subject}: the cloud returned ${shown} as its id, which is not valid: ids have only letters, digits, - and _`,
  );
}
