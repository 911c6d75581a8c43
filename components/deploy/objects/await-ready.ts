import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { kubeCommand } from "./kube-command";
import type { KubeResource } from "./kube-resource";
import { at, shown, text, type KubeObject } from "../../kube/objects/object";
import { whereabouts } from "../../kube/objects/paths";
import type { Awaited } from "../../kube/order/readiness";

export interface AwaitReadyArgs {
  readonly object: KubeObject;
  readonly resource: KubeResource;
  readonly until: Awaited;
  readonly kubeconfig: pulumi.Output<string>;
  /** Such as `10m`. */
  readonly timeout: string;
}

/**
 * Waits until an object is ready, and fails with the reason that a person needs: the Kubernetes plugin's own
 * wait knows of no quota, no node without room, no claim without a volume. It waits again when the object is
 * another, or has another generation, and when an earlier wait has failed; it runs again, and has nothing to do,
 * when only the credentials are others.
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
  // the script keeps its time by itself, or it could not say why
  const limit = `${seconds + 120}s`;
  return kubeCommand(
    name,
    { script: "await-ready", kubeconfig, data, remembers: true, logging: "stderr" },
    pulumi.mergeOptions(opts, { dependsOn: [resource], customTimeouts: { create: limit, update: limit } }),
  );
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Seconds of a duration of the stack config. */
export function secondsOf(duration: string): number {
  return Number.parseInt(duration, 10) * (UNITS[duration.slice(-1)] ?? 1);
}
