import type { local } from "@pulumi/command";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import { Release } from "@pulumi/kubernetes/helm/v3/release";
import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import { digest } from "../../kube/objects/checksum";
import { groupKind, isReachedFromOutside } from "../../kube/objects/kinds";
import { shown } from "../../kube/objects/object";
import { whereabouts } from "../../kube/objects/paths";
import { hasSecret, mapValues } from "../../plan/workload/chart-values";
import { isKept, type PlannedRelease, type ReleaseObject } from "../../plan/workload/planned-release";
import { Secret } from "../../base/secret";
import { onceMade } from "../after";
import { secondsOf } from "../../base/duration";
import { fill, fillObject, type AttributeValues } from "./fill";
import { kubeCommand } from "./kube-command";
import { stepName } from "../steps";

export interface HelmReleaseArgs {
  readonly release: PlannedRelease;
  readonly kubeconfig: pulumi.Output<string>;
  /** Time limit for its hooks and each of its objects to become ready, and to be deleted, such as `10m`. */
  readonly timeout: string;
  /** The resource that is deleted only with the whole cluster. Undefined: vnfm does not delete the cluster. */
  readonly lifetime?: pulumi.Resource | undefined;
  /** Values for the placeholders of the plan. @default the plan has none */
  readonly attributes?: AttributeValues;
}

export interface MadeRelease {
  /** The wait on which later resources depend. */
  readonly ready: local.Command;
  /** The Services of its chart that are reachable from outside, as read from the cluster. */
  readonly services: readonly Service[];
}

/**
 * A Helm release. In addition, the state has a hash of each object and hook of its chart, so that a preview shows
 * changes, and a wait for all of its objects: Helm's own wait treats a DaemonSet as ready whose only pod crashes, and
 * reports no reasons.
 */
export function helmRelease(
  { release, kubeconfig, timeout, lifetime, attributes = new Map() }: HelmReleaseArgs,
  opts: pulumi.CustomResourceOptions,
): MadeRelease {
  const { key, name, namespace, chartPath, values, atomic, objects, hooks } = release;
  const seconds = secondsOf(timeout);
  const limit = `${seconds + 120}s`;
  const withTime = { customTimeouts: { create: limit, update: limit, delete: limit } };
  const common = { script: "await-release", kubeconfig, logging: "stderr" as const };
  const end = kubeCommand(
    `${key}-end`,
    { ...common, atDeletion: true, data: { seconds, objects: leaving(objects) } },
    pulumi.mergeOptions(opts, { ...withTime, ...(lifetime && { deletedWith: lifetime }) }),
  );
  const resource = new Release(
    key,
    {
      // if the cluster is deleted, the engine does not know the name, so that the release is deleted before
      name: lifetime === undefined ? name : pulumi.all([lifetime.urn]).apply(() => name),
      namespace,
      chart: chartPath,
      values: mapValues(values, (leaf) =>
        leaf instanceof Secret ? pulumi.secret(leaf.revealScalar()) : fill(leaf, attributes),
      ) as { [key: string]: unknown },
      allowNullValues: true,
      skipAwait: !atomic,
      ...(atomic && { atomic, waitForJobs: true }),
      timeout: seconds,
    },
    pulumi.mergeOptions(opts, {
      ...withTime,
      dependsOn: [end],
      deleteBeforeReplace: true,
      ...(lifetime && { deletedWith: lifetime }),
    }),
  );
  const made = { ...opts, dependsOn: [resource] };
  const isSecret = hasSecret(values);
  const hashed = [...objects.map(({ object, ...one }) => ({ ...one, objects: [object] })), ...hooks];
  for (const { key, objects: hookObjects } of hashed.filter(({ random }) => !random)) {
    const filled = pulumi.output(hookObjects.map((object) => fillObject(object, attributes)));
    const hash = filled.apply((all) => digest(all.length === 1 ? all[0] : all));
    const secret = isSecret || hookObjects.some((object) => groupKind(object) === "/Secret");
    const input = {
      object: hookObjects[0] === undefined ? "" : shown(hookObjects[0]),
      hash: secret ? pulumi.secret(hash) : hash,
    };
    new pulumi.Stash(key, { input }, made);
  }
  const awaited = objects.flatMap(({ object, awaited: until }) =>
    until === undefined ? [] : [{ shown: shown(object), until, ...whereabouts(object, undefined) }],
  );
  const data = resource.status.apply(({ revision }) => ({ seconds, objects: awaited, revision }));
  const ready = kubeCommand(
    stepName(key, "objectReady"),
    { ...common, data },
    pulumi.mergeOptions(made, withTime),
  );
  const services = objects
    .filter(({ object }) => isReachedFromOutside(object))
    .map(({ key, object: { metadata } }) =>
      Service.get(`${key}-made`, onceMade(ready, `${metadata.namespace}/${metadata.name}`), {
        ...opts,
        version: getVersion(),
      }),
    );
  return { ready, services };
}

/** The objects that Helm deletes with the release, by kind and name. */
function leaving(objects: readonly ReleaseObject[]): object[] {
  return objects
    .map(({ object }) => object)
    .filter((object) => !isKept(object))
    .map((object) => {
      const { apiVersion, kind, metadata } = object;
      return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace, shown: shown(object) };
    });
}
