/**
 * The fuzzers of the unit tests, for five minutes in total instead of some seconds, with other values in each run.
 * FUZZ_SECONDS sets the time of each fuzzer.
 */
import "../../unit/automation/command-line/fuzz.test";
import "../../unit/automation/magnum/fuzz.test";
import "../../unit/cnf/fuzz.test";
import "../../unit/kubernetes/odd-answers.test";
import "../../unit/openstack/odd-answers.test";
import "../../unit/settings/fuzz.test";
import "../../unit/transport/fuzz.test";
import "../../unit/vnfd/random.test";

/** Number of calls of `fuzz` and `fuzzAsync` in these files. */
const FUZZERS = 10;

jest.setTimeout(30 * 60_000);

beforeAll(() => (process.env["FUZZ_SECONDS"] ??= String(300 / FUZZERS)));
