import { fields, text } from "../kube/objects/object";
import { own } from "../base/own";
import type { FormerOutputs } from "./former-outputs";
import { withServers, type InstancePlan } from "./model";

/** A server of the last run that the plan keeps. */
export interface FormerServer {
  readonly instance: string;
  /** Key of the server's VNFC, such as `workerNode-1`. */
  readonly key: string;
  readonly id: string;
}

export function formerServers(plans: readonly InstancePlan[], former: FormerOutputs): FormerServer[] {
  return withServers(plans).flatMap(({ name: instance, servers }) => {
    const vnfcs = fields(own(former, instance)?.vnfcs);
    return servers.flatMap(({ key }) => {
      const id = text(fields(own(vnfcs, key))["serverId"]);
      return id === undefined ? [] : [{ instance, key, id }];
    });
  });
}
