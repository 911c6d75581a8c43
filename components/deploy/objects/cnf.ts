import * as pulumi from "@pulumi/pulumi";
import { printable } from "../../base/printable";
import { madeBy, type PlannedVnfc } from "../../plan/workload/cnf";
import type { CnfPlan } from "../../plan/workload/model";
import { immutableHashes } from "../../plan/workload/immutable-hashes";
import { awaitReady } from "./await-ready";
import { cleanup } from "./cleanup";
import { createOnly } from "./create-only";
import { definitions } from "./definitions";
import { fillObject, type AttributeValues } from "./fill";
import { foreignObjects, type Protection } from "./foreign-objects";
import { helmRelease, type MadeRelease } from "./helm-release";
import { revisionHistoryLimit } from "../../kube/objects/immutable";
import { KubeResource } from "./kube-resource";
import { isReachedFromOutside } from "../../kube/objects/kinds";
import { fields, items, shown, text } from "../../kube/objects/object";
import { ownerOf } from "./ownership";
import { RevisionHistory } from "./revision-history";
import { holdersOf } from "../../plan/workload/holders";
import { unclaimed } from "./unclaimed";
import { CNF, stepName } from "../steps";

export interface CnfArgs {
  readonly plan: CnfPlan;
  /** Identity of the stack: see stackIdentity. */
  readonly identity: pulumi.Output<string>;
  /** Time limit for each object to become ready, and to be deleted, such as `10m`. */
  readonly readyTimeout: string;
  /**
   * True if its CRDs and Namespaces must not be deleted while they contain objects that the stack did not create.
   * @default true
   */
  readonly protectForeignObjects?: boolean;
  /** Instance with the setting protectForeignObjects. @default this one */
  readonly settingsOf?: string | undefined;
  /** Kubeconfig of the same cluster as the provider's; secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** The resource that is deleted only with the whole cluster. Undefined: vnfm does not delete the cluster. */
  readonly lifetime?: pulumi.Resource | undefined;
  /** Contents of Secrets that are known only during a run, by the plan's keys. @default the plan has all contents */
  readonly secrets?: Readonly<Record<string, pulumi.Output<Readonly<Record<string, string>>>>> | undefined;
  /** Values for the placeholders of the plan. @default the plan has none */
  readonly attributes?: AttributeValues;
}

/** A Service that is reachable from outside of the cluster. */
export interface Endpoint {
  readonly name: string;
  readonly namespace: string;
  readonly type: string;
  readonly ports: readonly EndpointPort[];
  /** Addresses of a load balancer, once there are any. */
  readonly ingress: readonly string[];
}

export interface EndpointPort {
  readonly port: number;
  readonly nodePort: number | undefined;
  readonly protocol: string;
}

/**
 * The Kubernetes objects of one CNF: one child each, created in the plan's order and awaited until ready. The cluster
 * is that of the Kubernetes provider in the options.
 */
export class Cnf extends pulumi.ComponentResource {
  /** The children by the plan's keys, except those in a bundle; `pulumi up --replace` heals one by its URN. */
  readonly resources: Readonly<Record<string, KubeResource>>;
  /** The objects, as `<kind> <namespace>/<name>`. */
  readonly objects: readonly string[];
  /** The controllers of the VDUs. */
  readonly vnfcs: readonly PlannedVnfc[];
  readonly endpoints: pulumi.Output<Endpoint[]>;
  readonly protection: Protection;
  /** Hashes of the immutable fields of the objects of its charts, by object. */
  readonly immutableHashes: Readonly<Record<string, string>>;

  constructor(name: string, args: CnfArgs, opts?: pulumi.ComponentResourceOptions) {
    super(CNF, name, {}, opts);
    const { plan } = args;
    this.immutableHashes = immutableHashes(plan.releases);
    for (const warning of plan.warnings) void pulumi.log.warn(printable(warning), this);
    const made = new Map<string, KubeResource>();
    // dependencies of the objects that come after an object is ready
    const all = new Map<string, pulumi.Resource>();
    const { kubeconfig, readyTimeout: timeout, lifetime, attributes = new Map() } = args;
    const owner = args.identity.apply((identity) => ownerOf(identity, plan.instance));
    this.protection = {
      holders: holdersOf(plan),
      isProtected: args.protectForeignObjects ?? true,
      ...{ settingsOf: args.settingsOf ?? plan.instance, owner },
    };
    const { protection } = this;
    const begin = unclaimed(stepName(name, "claimCheck"), { plan, protection, kubeconfig }, { parent: this });
    const bundle = plan.objects.filter((planned) => planned.bundled);
    if (bundle.length > 0) {
      const made = definitions(
        name,
        {
          objects: bundle.map(({ object }) => object),
          ...{ owner, kubeconfig, lifetime, timeout, provider: opts?.provider },
        },
        { parent: this, dependsOn: [begin] },
      );
      // nothing precedes a CRD
      for (const { key } of bundle) all.set(key, made);
    }
    for (const planned of plan.objects.filter((planned) => !planned.bundled)) {
      const { key, awaited: until } = planned;
      const stringData = args.secrets?.[key];
      const object = { ...fillObject(planned.object, attributes), ...(stringData && { stringData }) };
      const before = [
        ...planned.dependsOn.map((key) => all.get(key)),
        ...planned.madeAfter.map((key) => made.get(key) ?? all.get(key)),
      ];
      const dependsOn = before.filter((resource) => resource !== undefined);
      const opts = { parent: this, dependsOn: dependsOn.length > 0 ? dependsOn : [begin] };
      if (planned.createOnly) {
        all.set(key, createOnly(key, { object: planned.object, kubeconfig, timeout }, opts));
        continue;
      }
      const resource = new KubeResource(key, { ...planned, object, owner, timeout, lifetime }, opts);
      made.set(key, resource);
      if (revisionHistoryLimit(object) !== undefined)
        new RevisionHistory(`${key}-revision-history`, { ...planned, object, resource }, { parent: this });
      const ready =
        until &&
        awaitReady(
          stepName(key, "objectReady"),
          { object, resource, until, kubeconfig, timeout },
          { parent: this },
        );
      all.set(key, ready ?? resource);
    }
    let before = all.size > 0 ? [...all.values()] : [begin];
    const ofCharts: MadeRelease["services"][number][] = [];
    for (const release of plan.releases) {
      const { ready, services } = helmRelease(
        { release, kubeconfig, timeout, lifetime, attributes },
        { parent: this, dependsOn: before },
      );
      ofCharts.push(...services);
      before = [ready];
    }
    const end = cleanup(
      `${name}-cleanup`,
      { plan, kubeconfig, timeout, lifetime },
      { parent: this, dependsOn: before },
    );
    foreignObjects(
      stepName(name, "foreignObjects"),
      { protection, kubeconfig, provider: opts?.provider, lifetime },
      { parent: this, dependsOn: end === undefined ? before : [end] },
    );
    this.resources = Object.fromEntries(made);
    this.objects = madeBy(plan).map(({ object }) => shown(object));
    this.vnfcs = plan.vnfcs;
    const services = plan.objects
      // encrypted requirements of a Service would be in the outputs
      .filter(({ object, secret }) => isReachedFromOutside(object) && !secret)
      .map(({ key }) => made.get(key))
      .filter((service) => service !== undefined);
    this.endpoints = pulumi
      .all(
        [...services, ...ofCharts].map(({ metadata, spec, status }) => pulumi.all([metadata, spec, status])),
      )
      .apply((all) => all.map(([metadata, spec, status]) => endpointOf(metadata, spec, status)));
    this.registerOutputs({ objects: this.objects, vnfcs: this.vnfcs, endpoints: this.endpoints });
  }
}

/** The endpoint of a Service; node ports that the cluster chooses are known once the Service exists. */
function endpointOf(metadata: unknown, spec: unknown, status: unknown): Endpoint {
  const { name, namespace } = fields(metadata);
  const ingress = items(fields(fields(status)["loadBalancer"])["ingress"]);
  return {
    name: text(name) ?? "",
    namespace: text(namespace) ?? "",
    type: text(fields(spec)["type"]) ?? "ClusterIP",
    ports: items(fields(spec)["ports"])
      .map(fields)
      .map((port) => ({
        port: Number(port["port"]),
        nodePort: typeof port["nodePort"] === "number" ? port["nodePort"] : undefined,
        protocol: text(port["protocol"]) ?? "TCP",
      })),
    ingress: ingress.map(fields).flatMap(({ ip, hostname }) => text(ip) ?? text(hostname) ?? []),
  };
}
