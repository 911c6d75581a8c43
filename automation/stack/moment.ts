import { assertFree } from "./lock";
import type { PulumiStack } from "./pulumi";
import type { StackSettings } from "./stack-config";
import { StackState } from "./stack-state";

/**
 * A stack as an operation finds it: settings and state are read once, so that all of it decides by the same. Neither an
 * apply nor a question to the operator may lie between: what they leave is another moment.
 */
export class Moment {
  #state: Promise<StackState> | undefined;

  private constructor(
    private readonly stack: PulumiStack,
    readonly settings: StackSettings,
  ) {}

  static async of(stack: PulumiStack): Promise<Moment> {
    return new Moment(stack, await stack.settings());
  }

  /** The state, which is read when it is first asked for. @throws HeldFault if a run is at work on the stack */
  state(): Promise<StackState> {
    this.#state ??= this.#read();
    return this.#state;
  }

  async #read(): Promise<StackState> {
    await assertFree(this.stack);
    return new StackState(await this.stack.plainState());
  }
}
