import { recover } from "../support/cut-off";
import { TestStack } from "../support/stack";
import { log } from "./figures";

/** Calls `work` with a new stack, and deletes the stack's resources, also after an error or an interrupted `up`. */
export async function withStack<T>(
  name: string,
  vnfs: object,
  work: (stack: TestStack) => Promise<T>,
): Promise<T> {
  const stack = await TestStack.create(name, vnfs);
  try {
    return await work(stack);
  } catch (error) {
    await recover(stack).catch((why: unknown) => log(String(why)));
    throw error;
  } finally {
    await stack.remove();
  }
}
