/** Seed of all random choices of a test. The number VNFM_SEED repeats an earlier run. */
export const SEED = Number(process.env["VNFM_SEED"] ?? Date.now() % 1_000_000);

/** Prints the seed at the start: Jest prints the names of tests, which may contain it, only at the end. */
export function announceSeed(): void {
  process.stderr.write(`VNFM_SEED=${SEED}\n`);
}
