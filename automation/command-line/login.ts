import { terminalOverSsh } from "../../components/remote/ssh-client";
import { connectionTo } from "../stack/connection";
import type { PulumiStack } from "../stack/pulumi";
import { StackState } from "../stack/stack-state";

/**
 * Opens a shell on the server of a VNFC, or runs a command there, with the terminal of the caller. Login and host key
 * are those of the last run.
 * @param command none for a shell
 * @returns the exit status of the command; 255 without a connection
 * @throws UsageFault if there is no such VNF instance or VNFC, Fault if it has no login
 */
export async function login(
  stack: PulumiStack,
  vnf: string,
  vnfc: string,
  command: readonly string[],
): Promise<number> {
  return terminalOverSsh(connectionTo(new StackState(await stack.plainState()), vnf, vnfc), command);
}
