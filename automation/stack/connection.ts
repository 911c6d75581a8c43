import { jsonData } from "../../components/base/json";
import { didYouMean, oneOf } from "../../components/base/nearest";
import type { Reach } from "../../components/remote/reaching";
import type { ScriptName } from "../../components/remote/scripts";
import type { Connection } from "../../components/remote/ssh-client";
import { Fault, UsageFault } from "../fault";
import type { Script, StackState } from "./stack-state";

/** Scripts that always run on the VNFC's own server; each server has one of them. Other scripts may run on a master. */
const OWN: readonly ScriptName[] = ["prepare-node.sh", "storage-server.sh", "load-balancer.sh"];

/**
 * Returns the SSH connection to the server of a VNFC, with the login and the host key of the last run.
 *
 * @throws UsageFault if there is no such VNF instance or VNFC, Fault if it has no login
 */
export function connectionTo(state: StackState, vnf: string, vnfc: string): Connection {
  state.assertMade(vnf);
  const own = state.scripts(vnf).filter(({ script }) => OWN.includes(script));
  const found = own.find((script) => script.vnfc === vnfc);
  if (found !== undefined) return connectionOf(found);
  const known = [...new Set(own.flatMap((script) => script.vnfc ?? []))].sort();
  if (known.length === 0) throw new Fault(`${vnf} is not a cluster: vnfm has no SSH login for its servers`);
  throw new UsageFault(`${vnf} has no VNFC "${vnfc}"; ${oneOf(known)}${didYouMean(vnfc, known)}`);
}

/** The connection of a script to its only server. */
function connectionOf({ stdin }: Script): Connection {
  const { reach } = jsonData(stdin, "the data of a script in the state") as { readonly reach: Reach };
  const { hosts, login, jumpHost } = reach;
  const [host] = hosts;
  if (host === undefined) throw new Fault("the state does not contain the address of the server");
  return { ...host, login, ...(jumpHost !== undefined && { jumpHost }) };
}
