import { digest } from "../../kube/checksum";
import type { Fields } from "../../kube/object";
import type { ClusterSettings } from "../../settings/cluster-model";
import { mergeValues } from "../workload/chart-values";
import type { ReleaseRequest } from "../workload/releases";

/** Addons that use the cloud: they get a Secret with cloud.conf. */
const OF_THE_CLOUD = ["openstack-cloud-controller-manager", "openstack-cinder-csi"];

/** Name of the Secret with the cloud.conf of an addon. */
export function addonSecret(addon: string): string {
  return `${addon}-cloud-config`;
}

export interface AddonRequest {
  readonly instance: string;
  readonly request: ReleaseRequest;
  /** Whether it gets a Secret with cloud.conf, of the name of addonSecret. */
  readonly usesCloud: boolean;
}

/** The addons of a cluster: each is an instance `<cluster>-<addon>` of one Helm release. */
export function addonRequests(cluster: string, settings: ClusterSettings): AddonRequest[] {
  return Object.entries(settings.addons).map(([name, addon]) => ({
    instance: `${cluster}-${name}`,
    usesCloud: OF_THE_CLOUD.includes(name),
    request: {
      path: `vnfm:vnfs.${cluster}.addons.${name}`,
      name,
      namespace: addon.namespace ?? "kube-system",
      chart: {
        kind: "repository",
        url: addon.repository,
        chart: addon.chart ?? name,
        version: addon.version,
        digest: addon.digest.replace("sha256:", ""),
      },
      values: mergeValues(valuesOf(name, cluster, settings), addon.values ?? {}),
      atomic: false,
    },
  }));
}

/** Annotation of pods that use the cluster's credential: they read it when they start, so another one restarts them. */
const CREDENTIAL = "vnfm.io/credential";

/** What an addon's chart has to know of the cluster, by the values that upstream's charts have for it. */
function valuesOf(addon: string, cluster: string, { network, credential }: ClusterSettings): Fields {
  const secret = { enabled: true, create: false, name: addonSecret(addon) };
  const podAnnotations = { [CREDENTIAL]: digest(credential).slice(0, 8) };
  switch (addon) {
    case "flannel":
      return { podCidr: network.podCidr };
    case "openstack-cloud-controller-manager":
      return { secret, podAnnotations, cluster: { name: cluster } };
    case "openstack-cinder-csi": {
      const plugin = { controllerPlugin: { podAnnotations }, nodePlugin: { podAnnotations } };
      return { secret: { ...secret, hostMount: false }, csi: { plugin }, clusterID: cluster };
    }
    default:
      return {};
  }
}
