/** Number of days before an expiry from which it is reported: the operator needs time to plan a rotation. */
const DAYS_BEFORE = 30;
const DAY = 86_400_000;

/** A past or near expiry of a credential, a certificate or a key. */
export interface Expiry {
  readonly hasEnded: boolean;
  /** Description such as `2027-01-31T00:00:00Z ends in 12 days`. */
  readonly text: string;
}

/**
 * Describes the expiry of a credential, a certificate or a key.
 *
 * @param expiresAt ISO 8601
 * @param now in milliseconds since the epoch
 * @returns undefined if it is more than 30 days away, or if there is none
 */
export function expiryOf(expiresAt: string | undefined, now: number): Expiry | undefined {
  if (expiresAt === undefined) return undefined;
  const left = (Date.parse(expiresAt) - now) / DAY;
  if (!(left <= DAYS_BEFORE)) return undefined;
  const days = Math.floor(left);
  const within = days === 0 ? "within a day" : days === 1 ? "in 1 day" : `in ${days} days`;
  return { hasEnded: left < 0, text: `${expiresAt} ${left < 0 ? "has ended" : `ends ${within}`}` };
}

/** Returns a time in the form of the settings, with seconds. @returns undefined for an invalid time */
export function timestamp(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, "Z");
}
