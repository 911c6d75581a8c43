/** Set by CI (`.ci/run`) to run property tests in full; otherwise only a part of the runs is done. */
const WHOLE = process.env["VNFM_WHOLE_TESTS"] === "1";

/** Returns the number of runs of a property test: all in CI, else a fifth. */
export const runs = (inCi: number): number => (WHOLE ? inCi : Math.ceil(inCi / 5));

/** Returns the items for a test to try: all in CI, else every `step`-th from `first` on. */
export const some = <T>(all: readonly T[], step: number, first = 0): readonly T[] =>
  WHOLE ? all : all.filter((_, index) => (index + first) % step === 0);
