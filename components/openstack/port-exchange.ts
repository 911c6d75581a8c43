import { Fault } from "../base/fault";
import { Missing, untilDone } from "../base/until";
import { listed } from "./listing";
import type { OpenStack } from "./session";

/** The ports that a server is to have. */
export interface ServerPorts {
  readonly serverId: string;
  /** Part of the names of all ports of its VNFC. The server keeps ports of others. */
  readonly owner: string;
  /** Ids of Neutron, in the order of the guest's interfaces. */
  readonly ports: readonly string[];
}

interface Port {
  readonly id: string;
  readonly name: string;
}

/** Seconds for Nova to take an interface from a guest, which has to let it go. */
const SECONDS = 300;

/**
 * Attaches the ports that a running server does not have yet, one after the other, and then detaches those that its VNFC
 * no longer has. So the server keeps its former ports if Nova rejects one.
 * @throws Fault
 */
export async function exchangePorts(
  cloud: Pick<OpenStack, "get" | "post" | "delete">,
  { serverId, owner, ports }: ServerPorts,
): Promise<void> {
  const interfaces = `/servers/${serverId}/os-interface`;
  const attached = await listed<Port>(cloud, "network", `/v2.0/ports?device_id=${serverId}`, "ports");
  for (const id of ports.filter((port) => !attached.some((one) => one.id === port))) {
    const isDone = await cloud.post("compute", interfaces, { interfaceAttachment: { port_id: id } });
    if (!isDone) throw new Fault(`Nova has no server ${serverId}, or Neutron no port ${id}`);
  }
  const former = attached.filter(({ id, name }) => !ports.includes(id) && name.includes(`${owner}-`));
  for (const { id, name } of former) {
    await cloud.delete("compute", `${interfaces}/${id}`);
    const left = await untilDone(
      async () =>
        (await cloud.get("compute", `${interfaces}/${id}`)) === undefined
          ? undefined
          : new Missing(`server ${serverId} still has the port ${name} (${id})`),
      { seconds: SECONDS, pauseMs: 2000, firstPauseMs: 500 },
    );
    if (left instanceof Missing)
      throw new Fault(`${left.text} after ${SECONDS} s: does its guest let the interface go?`);
  }
}
