import type { Fields } from "../../kube/object";
import type { ClusterSettings } from "../../settings/clusters";
import { mergeValues } from "./chart-values";
import type { ReleaseRequest } from "./releases";

/** The addons of a cluster: each is an instance `<cluster>-<addon>` of one Helm release. */
export function addonRequests(
  cluster: string,
  settings: ClusterSettings,
): { readonly instance: string; readonly request: ReleaseRequest }[] {
  return Object.entries(settings.addons).map(([name, addon]) => ({
    instance: `${cluster}-${name}`,
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
      values: mergeValues(valuesOf(name, settings), addon.values ?? {}),
      atomic: false,
    },
  }));
}

/** What an addon's chart has to know of the cluster, by the values that upstream's charts have for it. */
function valuesOf(addon: string, { network }: ClusterSettings): Fields {
  switch (addon) {
    case "flannel":
      return { podCidr: network.podCidr };
    default:
      return {};
  }
}
