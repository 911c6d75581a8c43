import { assertFree } from "./lock";
import type { PulumiStack } from "./pulumi";
import type { StackSettings } from "./stack-config";
import { StackState } from "./stack-state";

/**
 * Settings and state of a stack at one time. Both are read once, so that all decisions of an operation use the same
 * data. After an update, or a prompt to the operator, a new Moment is needed.
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

  /** The state, read at the first call. @throws HeldFault if another run has locked the stack */
  state(): Promise<StackState> {
    this.#state ??= this.#read();
    return this.#state;
  }

  async #read(): Promise<StackState> {
    await assertFree(this.stack);
    return new StackState(await this.stack.plainState());
  }
}
