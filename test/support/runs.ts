/** Set by CI (`.ci/run`): property tests then have all of their runs, and a part of them otherwise. */
const WHOLE = process.env["VNFM_WHOLE_TESTS"] === "1";

/** The number of runs of a property test, of those that it has in CI: a fifth from day to day. */
export const runs = (inCi: number): number => (WHOLE ? inCi : Math.ceil(inCi / 5));

/** Items for a test to try, of all that it tries in CI: from day to day every `step`-th, from `first` on. */
export const some = <T>(all: readonly T[], step: number, first = 0): readonly T[] =>
  WHOLE ? all : all.filter((_, index) => (index + first) % step === 0);
