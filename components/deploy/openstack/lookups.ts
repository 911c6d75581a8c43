import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { inRelease } from "./provider-release";
import { isUuid } from "../../uuid";

/** Id of a network that is given by its id or by its name. */
export function networkId(asked: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (isUuid(asked)) return pulumi.output(asked);
  return openstack.networking.getNetworkOutput({ name: asked }, inRelease(opts)).id;
}

/** Name of a network that is given by its id or by its name. */
export function networkName(asked: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (!isUuid(asked)) return pulumi.output(asked);
  const found = openstack.networking.getNetworkOutput({ networkId: asked }, inRelease(opts));
  return found.apply(({ name }) => {
    if (name === undefined) throw new Error(`the cloud's network ${asked} has no name`);
    return name;
  });
}

/** Id of a router that is given by its id or by its name. */
export function routerId(asked: string, opts: pulumi.InvokeOptions): pulumi.Output<string> {
  if (isUuid(asked)) return pulumi.output(asked);
  return openstack.networking.getRouterOutput({ name: asked }, inRelease(opts)).id;
}
