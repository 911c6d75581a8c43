import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../../base/fault";
import { withoutStackTrace } from "../run-error";
import { inRelease } from "./provider-release";
import { isUuid } from "../../base/uuid";

/** Id of a network, by its id or by its name. */
export function networkId(nameOrId: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (isUuid(nameOrId)) return pulumi.output(nameOrId);
  return openstack.networking.getNetworkOutput({ name: nameOrId }, inRelease(opts)).id;
}

/** Name of a network, by its id or by its name. */
export function networkName(nameOrId: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (!isUuid(nameOrId)) return pulumi.output(nameOrId);
  const found = openstack.networking.getNetworkOutput({ networkId: nameOrId }, inRelease(opts));
  return found.apply(({ name }) =>
    withoutStackTrace(() => {
      if (name === undefined) throw new Fault(`the cloud's network ${nameOrId} has no name; set one`);
      return name;
    }),
  );
}

/** Id of a router, by its id or by its name. */
export function routerId(nameOrId: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (isUuid(nameOrId)) return pulumi.output(nameOrId);
  return openstack.networking.getRouterOutput({ name: nameOrId }, inRelease(opts)).id;
}

/** Ids of existing resources to which ports refer, by their ids or names. */
export interface CloudNames {
  readonly securityGroupId: (nameOrId: string) => pulumi.Output<string>;
  readonly qosPolicyId: (nameOrId: string) => pulumi.Output<string>;
}

/** Lookups of ids, each name once for all ports. */
export function cloudNames(opts: pulumi.InvokeOptions): CloudNames {
  const { getSecGroupOutput, getQosPolicyOutput } = openstack.networking;
  return {
    securityGroupId: byName((name) => getSecGroupOutput({ name }, inRelease(opts)).id),
    qosPolicyId: byName((name) => getQosPolicyOutput({ name }, inRelease(opts)).id),
  };
}

function byName(look: (name: string) => pulumi.Output<string>): (nameOrId: string) => pulumi.Output<string> {
  const found = new Map<string, pulumi.Output<string>>();
  return (nameOrId) => {
    const id = found.get(nameOrId) ?? (isUuid(nameOrId) ? pulumi.output(nameOrId) : look(nameOrId));
    found.set(nameOrId, id);
    return id;
  };
}
