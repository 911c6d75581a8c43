const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** Parses a duration in Go's form, such as `10m` or `1h30m`. @returns its seconds; 0 for other texts */
export function secondsOf(duration: string): number {
  return [...duration.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)].reduce(
    (sum, [, number, unit = ""]) => sum + Number(number) * (SECONDS[unit] ?? 0),
    0,
  );
}
