import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { kubeCommand } from "./kube-command";
import type { KubeResource } from "./kube-resource";
import { secondsOf } from "../../base/duration";
import { at, shown, text, type KubeObject } from "../../kube/objects/object";
import { whereabouts } from "../../kube/objects/paths";
import type { Awaited } from "../../kube/order/readiness";

export interface AwaitReadyArgs {
  readonly object: KubeObject;
  readonly resource: KubeResource;
  readonly until: Awaited;
  readonly kubeconfig: pulumi.Output<string>;
  /** Time limit such as `10m`. */
  readonly timeout: string;
}

/**
 * Waits until an object is ready. If it is not in time, the error contains the reason, such as a quota, a full node or
 * a PVC without a volume, which the wait of the Kubernetes provider does not report. It waits again for a replaced
 * object, for another generation of it, and after a wait that failed. If only the credentials change, the command runs
 * again and has nothing to do.
 */
export function awaitReady(
  name: string,
  args: AwaitReadyArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const { object, resource, until, kubeconfig } = args;
  const seconds = secondsOf(args.timeout);
  const data = resource.metadata.apply((metadata) => ({
    ...whereabouts(object, text(at(metadata, "namespace"))),
    name: shown(object),
    until,
    seconds,
    uid: at(metadata, "uid"),
    generation: at(metadata, "generation"),
  }));
  // the script enforces its time limit itself, so that it can report the reason
  const limit = `${seconds + 120}s`;
  return kubeCommand(
    name,
    { script: "await-ready", kubeconfig, data, remembers: true, logging: "stderr" },
    pulumi.mergeOptions(opts, { dependsOn: [resource], customTimeouts: { create: limit, update: limit } }),
  );
}
