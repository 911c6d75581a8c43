import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../../base/fault";
import { withoutStackTrace } from "../run-error";
import { inRelease } from "./provider-release";
import { isUuid } from "../../base/uuid";

/** Id of a network, by its id or by its name. */
export function networkId(asked: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (isUuid(asked)) return pulumi.output(asked);
  return openstack.networking.getNetworkOutput({ name: asked }, inRelease(opts)).id;
}

/** Name of a network, by its id or by its name. */
export function networkName(asked: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (!isUuid(asked)) return pulumi.output(asked);
  const found = openstack.networking.getNetworkOutput({ networkId: asked }, inRelease(opts));
  return found.apply(({ name }) =>
    withoutStackTrace(() => {
      if (name === undefined) throw new Fault(`the cloud's network ${asked} has no name; give it one`);
      return name;
    }),
  );
}

/** Id of a router, by its id or by its name. */
export function routerId(asked: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (isUuid(asked)) return pulumi.output(asked);
  return openstack.networking.getRouterOutput({ name: asked }, inRelease(opts)).id;
}

/** Ids of existing resources of the cloud that ports name, each by its id or its name. */
export interface CloudNames {
  readonly securityGroupId: (asked: string) => pulumi.Output<string>;
  readonly qosPolicyId: (asked: string) => pulumi.Output<string>;
}

/** Looks up each name once, for any number of ports. */
export function cloudNames(opts: pulumi.InvokeOptions): CloudNames {
  const { getSecGroupOutput, getQosPolicyOutput } = openstack.networking;
  return {
    securityGroupId: byName((name) => getSecGroupOutput({ name }, inRelease(opts)).id),
    qosPolicyId: byName((name) => getQosPolicyOutput({ name }, inRelease(opts)).id),
  };
}

function byName(look: (name: string) => pulumi.Output<string>): (asked: string) => pulumi.Output<string> {
  const found = new Map<string, pulumi.Output<string>>();
  return (asked) => {
    const id = found.get(asked) ?? (isUuid(asked) ? pulumi.output(asked) : look(asked));
    found.set(asked, id);
    return id;
  };
}
