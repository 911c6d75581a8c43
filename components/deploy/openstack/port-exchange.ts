import { local } from "@pulumi/command";
import type * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { nameOfNetwork } from "../../plan/link";
import type { PlannedPort } from "../../plan/servers/model";
import { programCommand } from "../../remote/program-command";
import { stepName } from "../steps";
import type { ExchangeInput } from "./scripts/exchange-ports";

export interface PortExchangeArgs {
  readonly server: openstack.compute.Instance;
  /** Ports in the order of the guest's interfaces. */
  readonly ports: readonly { readonly planned: PlannedPort; readonly port: openstack.networking.Port }[];
  /** Config of the OpenStack provider, in the form of the stack config. */
  readonly config: Readonly<Record<string, string>>;
}

const COMMAND = programCommand("deploy/openstack/scripts/exchange-ports");

/**
 * The step that gives a running server its ports when they change. The engine deletes the former ports afterwards: Neutron
 * refuses to delete a port that a server has.
 * @param owner name of the server's component, which is part of the names of its ports
 */
export function portExchange(
  owner: string,
  { server, ports, config }: PortExchangeArgs,
  child: pulumi.CustomResourceOptions,
): local.Command {
  const input = pulumi
    .all([server.id, pulumi.all(ports.map(({ port }) => port.id))])
    .apply(([serverId, ids]) =>
      JSON.stringify({ serverId, owner, ports: ids, config } satisfies ExchangeInput),
    );
  const networks = ports.map(({ planned: { connectionPoint, link } }) => [
    connectionPoint,
    nameOfNetwork(link),
  ]);
  return new local.Command(
    stepName(owner, "portExchange"),
    {
      ...{ create: COMMAND, update: COMMAND, stdin: pulumi.secret(input), logging: "none" },
      environment: { VNFM_SHOWN: JSON.stringify(Object.fromEntries(networks)) },
    },
    child,
  );
}
