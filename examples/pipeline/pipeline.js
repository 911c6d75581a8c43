// usage: node pipeline.js preview|up|check STACK
const { Fault, HeldFault, VnfmStack } = require("vnfm/automation");

const STEPS = {
  /** Prints what `up` would change. */
  async preview(stack) {
    const { changes } = await stack.preview();
    for (const { subject, text } of changes) console.log(`${subject.vnf}: ${text}`);
    console.log(`${changes.length} changes`);
  },

  /** Applies the stack config. Refuses to delete or replace what the stack config keeps. */
  async up(stack, options) {
    await stack.up(options);
  },

  /** Fails if the cloud, the servers or the clusters differ from the stack config. */
  async check(stack) {
    const { findings } = await stack.check();
    if (findings.length > 0) throw new Fault(findings.map(({ text }) => text).join("\n"));
  },
};

async function main([name, stackName]) {
  const step = STEPS[name];
  if (step === undefined) throw new Fault(`usage: node pipeline.js ${Object.keys(STEPS).join("|")} STACK`);
  const stack = await VnfmStack.open({ folder: __dirname, stack: stackName });
  const stop = new AbortController();
  // a cancelled job ends after the steps that are in progress, and frees the lock
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
  const options = { onEvent: ({ text }) => console.log(text), signal: stop.signal, wait: 600 };
  await step(stack, options);
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Fault)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exitCode = error instanceof HeldFault ? 4 : 1; // 4: another run has locked the stack
});
