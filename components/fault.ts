/** What the operator can mend: shown as it is, without a stack trace. */
export class Fault extends Error {}

/** Everything wrong in the stack config, in one error. Each line: setting, value, what is allowed. */
export class SettingsFault extends Fault {
  constructor(readonly faults: readonly string[]) {
    super(`the stack config is not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "SettingsFault";
  }
}
