/**
 * scalar-unit.size of TOSCA Simple Profile 1.2, 3.3.6.4. There MB and GB are decimal; here they are MiB and GiB, as in
 * Nova's flavors and Cinder's volumes, which VNFDs mean by them: no flavor has the 3815 MiB of 4 decimal GB.
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

/** Bytes of a size such as `4 GB` or `512MiB`, units in any case; undefined where it is none. */
export function bytesOf(text: string, defaultUnit: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim());
  const name = (match?.[2] || defaultUnit).toLowerCase();
  const unit = scalarUnits.find((u) => u.toLowerCase() === name);
  if (!match || unit === undefined) return undefined;
  const bytes = Number(match[1]) * (units[unit] ?? 1);
  return Number.isSafeInteger(Math.round(bytes)) ? bytes : undefined;
}

/** Whole MiB that hold so many bytes: what is requested is never cut. */
export function toMiB(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 1024 ** 2);
}

/** Whole GiB that hold so many bytes. */
export function toGiB(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 1024 ** 3);
}
