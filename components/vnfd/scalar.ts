/**
 * Units of scalar-unit.size (TOSCA Simple Profile 1.2, 3.3.6.4), in bytes. In TOSCA MB and GB are decimal; here they
 * are MiB and GiB, as in Nova's flavors and Cinder's volumes. VNFDs mean these: no flavor has the 3815 MiB of 4 decimal
 * GB.
 */
const units: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1024,
  KiB: 1024,
  MB: 1024 ** 2,
  MiB: 1024 ** 2,
  GB: 1024 ** 3,
  GiB: 1024 ** 3,
  TB: 1024 ** 4,
  TiB: 1024 ** 4,
};

export const scalarUnits: readonly string[] = Object.keys(units);

/** Parses a size such as `4 GB` or `512MiB`, with units in any case. @returns bytes; undefined if it is not a size */
export function bytesOf(text: string, defaultUnit: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim());
  const name = (match?.[2] || defaultUnit).toLowerCase();
  const unit = scalarUnits.find((u) => u.toLowerCase() === name);
  if (!match || unit === undefined) return undefined;
  const bytes = Number(match[1]) * (units[unit] ?? 1);
  return Number.isSafeInteger(Math.round(bytes)) ? bytes : undefined;
}

/** Converts bytes to MiB, rounded up, so that a requested size is never reduced. */
export function toMiB(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 1024 ** 2);
}

/** Converts bytes to whole GiB, rounded up. */
export function toGiB(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 1024 ** 3);
}
