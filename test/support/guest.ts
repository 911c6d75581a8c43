import { checksOf } from "../../automation/checks";
import { runOverSsh, type Connection } from "../../automation/ssh";
import type { State } from "../../automation/state";
import type { TestStack } from "./stack";

/** How SSH reaches the server of a VNFC, as the state has it. */
export async function connectionTo(stack: TestStack, vnfc: string): Promise<Connection> {
  const state = JSON.parse(
    await stack.must("stack", "export", "--show-secrets", "--stack", stack.name),
  ) as State;
  // the other steps go to a master of the cluster
  const own = checksOf(state).find((one) => one.vnfc === vnfc && ["hosts", "storage"].includes(one.step));
  if (own?.connection === undefined) throw new Error(`the state has no way to ${vnfc}`);
  return own.connection;
}

/** Runs a shell script as root on the server of a VNFC, over SSH. @returns its standard output */
export async function onServer(stack: TestStack, vnfc: string, script: string): Promise<string> {
  const { status, stdout, stderr } = await runOverSsh(await connectionTo(stack, vnfc), {
    command: "sudo -n bash -se",
    input: script,
    seconds: 60,
  });
  if (status !== 0) throw new Error(`${script} on ${vnfc} ended with ${status}: ${stderr}`);
  return stdout;
}
