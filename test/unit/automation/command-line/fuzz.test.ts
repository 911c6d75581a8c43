/** Any command line is one that is meant, or a usage fault: fast-check tells the seed of a failure. */
import fc from "fast-check";
import { fuzz } from "../../../support/fuzz";
import { UsageFault } from "../../../../automation/fault";
import { readArguments } from "../../../../automation/command-line/arguments";
import { COMMANDS } from "../../../../automation/commands";

const names = COMMANDS.map(({ name }) => name);
const known = [...new Set(COMMANDS.flatMap(({ options }) => Object.keys(options))), "help"];
const options = known.flatMap((name) => [`--${name}`, `--${name}=x`, `--${name}=`]);
const word = fc.oneof(
  fc.constantFrom(...names, ...options, "-s", "-y", "--", "-", "--no-json", "--__proto__", "-é"),
  fc.constantFrom(
    "vnf-a",
    "a=1",
    "a=+99999",
    "Deployment/web",
    "cluster-api",
    "magnum",
    "constructor",
    "v1.33.0",
  ),
  fc.string({ maxLength: 8 }),
);

it("any command line is read or refused", () => {
  let isRead = 0;
  fuzz(
    fc.property(fc.constantFrom(...names, ""), fc.array(word, { maxLength: 6 }), (command, rest) => {
      try {
        readArguments([command, ...rest], COMMANDS);
        isRead++;
      } catch (error) {
        expect(error).toBeInstanceOf(UsageFault);
      }
    }),
    { numRuns: 2000 },
  );
  expect(isRead).toBeGreaterThan(20);
});
