/**
 * Attaches and detaches ports of a running server: node exchange-ports.ts. A server that has its ports already, as a new
 * one, stays as it is. Standard input has its data, as JSON.
 */
import { cloudAccess } from "../../../openstack/clouds";
import { exchangePorts, type ServerPorts } from "../../../openstack/port-exchange";
import { OpenStack } from "../../../openstack/session";
import { readInput, startProgram } from "../../../run/program";

/** Input of the program. */
export interface ExchangeInput extends ServerPorts {
  /** Config of the cloud's provider, in the form of the stack config: with the environment, it leads to the cloud. */
  readonly config: Readonly<Record<string, string>>;
}

async function main() {
  const { config, ...ports } = readInput<ExchangeInput>();
  await exchangePorts(await OpenStack.connect(cloudAccess(config)), ports);
}

startProgram(main);
