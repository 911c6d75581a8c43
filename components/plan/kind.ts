import type { AdditionalParams, VnfSettings } from "../settings/model";

const OF_OBJECTS = [
  "variables",
  "namespace",
  "namespace_labels",
  "kubernetes_version",
  "override_namespace",
  "vdu_mapping",
  "helm_replica_values",
  "credentials_receiver",
] as const;

/** Whether the parameters are those of a CNF: of manifests, of Helm charts, or of both. */
export function isOfObjects(params: AdditionalParams | undefined): boolean {
  return params?.["lcm-kubernetes-def-files"] !== undefined || params?.using_helm_install_param !== undefined;
}

/** A VNF is of servers, or of Kubernetes objects; its parameters must say one thing. */
export function checkKind(path: string, settings: VnfSettings, hasServers: boolean, faults: string[]): void {
  const params = settings.additionalParams ?? {};
  const isCnf = isOfObjects(params);
  if (isCnf && params.k8s_cluster_installation_param !== undefined) {
    faults.push(
      `${path}.additionalParams: give k8s_cluster_installation_param or what a CNF is of, lcm-kubernetes-def-files or using_helm_install_param, not both`,
    );
  }
  if (isCnf && settings.vim === undefined) {
    faults.push(
      `${path}.vim: is required for a CNF; name a cluster VNF of this stack or a VIM of another, or give a kubeconfig`,
    );
  }
  if (!isCnf && settings.vim !== undefined) {
    faults.push(
      `${path}.vim: is for a CNF; add additionalParams.lcm-kubernetes-def-files or using_helm_install_param, or leave vim out`,
    );
  }
  if (!isCnf && !hasServers) {
    faults.push(
      `${path}: nothing to make; no VDU has an image (set images), and additionalParams names neither manifests (lcm-kubernetes-def-files) nor charts (using_helm_install_param)`,
    );
  }
  if (params.k8s_cluster_installation_param !== undefined && settings.keepBootVolumes) {
    faults.push(
      `${path}.keepBootVolumes: is not for a cluster, as a node begins anew with its server; leave it out`,
    );
  }
  for (const key of params.k8s_cluster_installation_param === undefined ? ofClusters(settings) : []) {
    faults.push(
      `${path}.${key}: is for a cluster; add additionalParams.k8s_cluster_installation_param or leave it out`,
    );
  }
  for (const key of isCnf ? ofServers(settings) : []) {
    faults.push(`${path}.${key}: is for servers, and a CNF has none; leave it out`);
  }
  for (const key of isCnf ? [] : OF_OBJECTS) {
    if (params[key] !== undefined) {
      faults.push(
        `${path}.additionalParams.${key}: is for a CNF; add lcm-kubernetes-def-files or using_helm_install_param, or leave it out`,
      );
    }
  }
}

/** What is given of the settings of clusters; of one with a default, something else. */
function ofClusters({ rotate, evacuate }: VnfSettings): string[] {
  return given({ rotate: rotate !== undefined, evacuate });
}

function ofServers(settings: VnfSettings): string[] {
  const { extVirtualLinks, images, flavors, servers } = settings;
  const { placementPolicy, protectVolumes, keepBootVolumes } = settings;
  return given({
    extVirtualLinks: extVirtualLinks !== undefined,
    images: images !== undefined,
    flavors: flavors !== undefined,
    servers: servers !== undefined,
    placementPolicy: placementPolicy !== "strict",
    protectVolumes: !protectVolumes,
    keepBootVolumes,
  });
}

function given(settings: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(settings).filter((key) => settings[key]);
}
