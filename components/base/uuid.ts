import { Fault } from "./fault";

/** Returns true for an id of OpenStack; any other text is a name. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Placeholder in previews for an id that is known only during the run. */
export const LATE_ID = "00000000-0000-4000-8000-000000000000";

/**
 * Checks an id from a cloud, because scripts and files of nodes use it in patterns and lines.
 *
 * @param subject name for the error, such as `volume data`
 * @throws Fault if it contains other characters than letters, digits, `-` and `_`
 */
export function cloudId(text: string, subject: string): string {
  if (/^[\w-]{1,64}$/.test(text)) return text;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new Fault(
    `${subject}: the cloud returned ${shown} as its id, which is not valid: ids have only letters, digits, - and _`,
  );
}
