/** Chooses what a test draws by chance: VNFM_SEED, a number, has that of an earlier run again. */
export const SEED = Number(process.env["VNFM_SEED"] ?? Date.now() % 1_000_000);

/** Says the seed at once: the names of the tests, which may have it too, come at their end. */
export function announceSeed(): void {
  process.stderr.write(`VNFM_SEED=${SEED}\n`);
}
