/**
 * Examines a counterexample of the proof of previews again:
 *   npm run proof -- FILE             creates its config in a project of the lab, applies the edit, and compares
 *   npm run proof -- FILE --compare   compares the data in the file, without a cloud
 */
import { faultsOf, readCounterexample, writeCounterexample, type Counterexample } from "./counterexample";
import { differences } from "./differences";
import { editText } from "./edits";
import { differencesOfKilled } from "./killed";
import { familyOf } from "./families";
import { begin, prove } from "./run";

async function again({ family: name, seed, edit }: Counterexample): Promise<Counterexample> {
  const family = familyOf(name);
  const stack = await begin(family, edit.before);
  try {
    return await prove(stack, family, seed, edit, await family.observe(stack));
  } finally {
    await stack.remove();
  }
}

function compared(known: Counterexample): Counterexample {
  const { preview, before, after, killed } = known;
  const found = killed
    ? differencesOfKilled(preview, killed, before, after)
    : differences(preview, before, after);
  return { ...known, differences: found };
}

async function main(file: string, compare: boolean): Promise<number> {
  const known = readCounterexample(file);
  const { edit } = known;
  console.log(editText(edit));
  const result = compare ? compared(known) : await again(known);
  const faults = faultsOf(result);
  for (const fault of faults) console.log(fault);
  if (faults.length === 0) {
    console.log("the preview and the cloud agree");
    return 0;
  }
  if (!compare) console.log(`written to ${writeCounterexample(result)}`);
  return 1;
}

const [file, ...options] = process.argv.slice(2);
if (file === undefined || options.some((option) => option !== "--compare")) {
  console.error("usage: npm run proof -- FILE [--compare]");
  process.exitCode = 2;
} else {
  main(file, options.includes("--compare")).then(
    (status) => (process.exitCode = status),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
