import { recover } from "../support/cut-off";
import { TestStack } from "../support/stack";
import { log } from "./figures";

/** Works with a stack and takes away what it made, whatever happens, also to an `up` that was cut off. */
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
