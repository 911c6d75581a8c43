import { markOf, withMarks, type Attribute } from "../../kube/objects/attributes";
import { merge, type Fields, type KubeObject } from "../../kube/objects/object";
import { CINDER_CSI, CLOUD_CONTROLLER } from "../../settings/cluster-checks";
import type { Addon } from "../../settings/model";
import type { ClusterAddons, WorkloadPlan } from "../model";
import { checkLabels, namespaceOf } from "./cnf-namespaces";
import { keyOf } from "./keys";
import { planObjects } from "./planned-objects";
import { planRelease } from "./planned-release";
import type { ReleaseRequest, RenderedCharts } from "./releases";

/** Addons that use the cloud: they get a Secret with cloud.conf. */
const OF_THE_CLOUD = [CLOUD_CONTROLLER, CINDER_CSI];

export interface AddonRequest {
  readonly instance: string;
  readonly request: ReleaseRequest;
  readonly namespaceLabels: Addon["namespaceLabels"];
}

/** Name of the instance of an addon. */
export function addonInstance(cluster: string, addon: string): string {
  return `${cluster}-${addon}`;
}

/** The Helm releases of a cluster's addons: each addon is an instance with one release. */
export function addonRequests(ofCluster: ClusterAddons): AddonRequest[] {
  return Object.entries(ofCluster.addons).map(([name, addon]) => {
    const attributes: Attribute[] = [];
    const filled = withMarks(addon.values ?? {}, ofCluster.place.get(name, "values"), attributes);
    return {
      instance: addonInstance(ofCluster.cluster, name),
      namespaceLabels: addon.namespaceLabels,
      request: {
        place: ofCluster.place.get(name),
        name,
        namespace: addon.namespace ?? "kube-system",
        chart: {
          kind: "repository",
          url: addon.repository,
          chart: addon.chart ?? name,
          version: addon.version,
          digest: addon.digest.replace("sha256:", ""),
          login: addon.login,
        },
        values: merge(valuesOf(name, ofCluster), filled),
        attributes,
        atomic: false,
      },
    };
  });
}

/**
 * The addons of a cluster as CNFs on it.
 * @param charts rendered charts of the addons. @default not known
 */
export function planAddons(ofCluster: ClusterAddons, charts: RenderedCharts | undefined): WorkloadPlan[] {
  const {
    cluster,
    readyTimeout,
    protectForeignObjects,
    balancerProvider,
    externalNetwork,
    blockStorage,
    nodeCidr,
  } = ofCluster;
  return addonRequests(ofCluster).map(({ instance, request, namespaceLabels: labels }): WorkloadPlan => {
    const { place } = request;
    place.findings.add(...(charts?.faultsOf(instance) ?? []));
    const release = planRelease(instance, { ...request, chart: charts?.get(instance, request.name) });
    const namespace = namespaceOf(request.namespace, [], labels);
    checkLabels(place.get("namespaceLabels"), labels, namespace);
    const secrets = OF_THE_CLOUD.includes(request.name) ? [secretOf(request)] : [];
    const objects = planObjects(instance, [...(namespace ? [namespace] : []), ...secrets], place);
    return {
      kind: "cnf",
      ...{ name: instance, warnings: [], readyTimeout, protectForeignObjects, settingsOf: cluster },
      ...(request.name === CLOUD_CONTROLLER && { uniqueNames: { [nameMark(cluster)]: cluster } }),
      on: { kind: "vnf", vnf: cluster },
      cloudSecrets: secrets.map((secret) => ({
        key: keyOf(instance, secret),
        credentialOf: cluster,
        mark: contentMark(cluster, request.name),
        form: "cloud.conf" as const,
        ...(balancerProvider !== undefined && { balancerProvider }),
        ...(externalNetwork !== undefined && { externalNetwork }),
        ...(request.name === CINDER_CSI && blockStorage && { blockStorage }),
        ...(request.name === CLOUD_CONTROLLER && nodeCidr !== undefined && { nodeCidr }),
      })),
      cnf: {
        ...{ instance, namespace: request.namespace, objects, releases: [release] },
        ...{ vnfcs: [], attributes: request.attributes, warnings: [] },
      },
      cluster: undefined,
      after: [],
    };
  });
}

/** The Secret with the cloud.conf of an addon; its content is filled in from a credential. */
function secretOf({ name, namespace }: ReleaseRequest): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name: addonSecret(name), namespace } };
}

function addonSecret(addon: string): string {
  return `${addon}-cloud-config`;
}

/** Annotation of pods that read the cluster's cloud.conf when they start: a changed one restarts them. */
const CLOUD_CONFIG = "vnfm.io/cloud-config";

/** Placeholder for a digest of an addon's Secret, which is known only during the run. */
function contentMark(cluster: string, addon: string): string {
  return markOf([cluster, addonSecret(addon)]);
}

/**
 * Placeholder for the cluster's name in names of load balancers. The cloud controller manager finds these by name in
 * the whole project, so that clusters of two stacks with one name would share them.
 */
function nameMark(cluster: string): string {
  return markOf([cluster, "name in the cloud"]);
}

/** The chart values of an addon that depend on the cluster, with upstream's keys. */
function valuesOf(addon: string, { cluster, podCidr }: ClusterAddons): Fields {
  const secret = { enabled: true, create: false, name: addonSecret(addon) };
  const podAnnotations = { [CLOUD_CONFIG]: contentMark(cluster, addon) };
  switch (addon) {
    case "flannel":
      return { podCidr };
    case CLOUD_CONTROLLER:
      return { secret, podAnnotations, cluster: { name: nameMark(cluster) } };
    case CINDER_CSI: {
      const plugin = { controllerPlugin: { podAnnotations }, nodePlugin: { podAnnotations } };
      return { secret: { ...secret, hostMount: false }, csi: { plugin }, clusterID: cluster };
    }
    default:
      return {};
  }
}
