/** Jest does not compile reporters, so this one compiles the TypeScript reporter when a file of test/engine begins. */
module.exports = class {
  #reporter;
  #config;

  constructor(config) {
    this.#config = config;
  }

  onTestFileStart(test) {
    if (!/[\\/]test[\\/]engine[\\/]/.test(test.path)) return;
    require("ts-node/register");
    const { LedgerReporter } = require("./booking.ts");
    this.#reporter ??= new LedgerReporter(this.#config);
    this.#reporter.onTestFileStart(test);
  }

  onTestCaseResult(...args) {
    this.#reporter?.onTestCaseResult(...args);
  }

  onTestFileResult(...args) {
    this.#reporter?.onTestFileResult(...args);
  }
};
