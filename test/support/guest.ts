import { connectionTo as connectionIn } from "../../automation/stack/connection";
import { StackState } from "../../automation/stack/stack-state";
import type { State } from "../../automation/stack/state";
import { overSsh, type Connection } from "../../components/remote/ssh-client";
import type { TestStack } from "./stack";

/** Returns the SSH connection to the server of a VNFC of `vnf-a`, from the state. */
export async function connectionTo(stack: TestStack, vnfc: string): Promise<Connection> {
  const state = await stack.must("stack", "export", "--show-secrets", "--stack", stack.name);
  return connectionIn(new StackState(JSON.parse(state) as State), "vnf-a", vnfc);
}

/**
 * Runs a shell script as root on the server of a VNFC, over SSH.
 * @param seconds time limit
 * @returns its standard output
 */
export async function onServer(
  stack: TestStack,
  vnfc: string,
  script: string,
  seconds = 60,
): Promise<string> {
  const { status, stdout, stderr } = await overSsh(await connectionTo(stack, vnfc), {
    command: "sudo -n bash -se",
    input: script,
    seconds,
  });
  if (status !== 0) throw new Error(`${script} on ${vnfc} ended with ${status}: ${stderr}`);
  return stdout;
}
