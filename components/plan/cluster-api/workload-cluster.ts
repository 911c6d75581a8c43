import type { Place } from "../../base/findings";
import { isCluster } from "../../kube/objects/cluster-api";
import { at, fields, items, shown, text, type KubeObject } from "../../kube/objects/object";
import type { CnfPlan } from "../workload/model";
import { ipFamily, type IpFamily } from "../workload/cnf-services";

/** A cluster that Cluster API creates from a CNF's objects. */
export interface WorkloadCluster {
  /** Name of the Cluster object. */
  readonly name: string;
  readonly namespace: string;
  /** Key of the Cluster among the CNF's objects. */
  readonly key: string;
  /** The cluster's name as a VIM. */
  readonly vimName: string;
  /** Version of Kubernetes of its control plane, such as `v1.33.0`. Undefined if its object does not have one. */
  readonly kubernetesVersion: string | undefined;
  /** CIDRs of its pods. Empty if its object does not have them. */
  readonly podCidrs: readonly string[];
  /** CIDRs of its Services. Empty if its object does not have them. */
  readonly serviceCidrs: readonly string[];
  /** IP families of its Services. Undefined if its object does not have CIDRs of Services. */
  readonly ipFamilies: readonly IpFamily[] | undefined;
}

/** The workload cluster of a CNF. A CNF with several Clusters is no VIM, which is a warning. @param place of the CNF */
export function planWorkloadCluster(
  place: Place,
  { instance, objects, namespace }: CnfPlan,
  warnings: string[],
): WorkloadCluster | undefined {
  const clusters = objects.filter(({ object }) => isCluster(object));
  const [cluster, ...others] = clusters;
  if (cluster === undefined) return undefined;
  if (others.length > 0) {
    const names = clusters.map(({ object }) => shown(object)).join(" and ");
    warnings.push(
      `${place.text}: ${names} are created, and none can be a target cluster: use one instance for each`,
    );
    return undefined;
  }
  const { metadata } = cluster.object;
  const serviceCidrs = blocksOf(cluster.object, "services");
  return {
    name: metadata.name ?? "",
    namespace: metadata.namespace ?? namespace,
    key: cluster.key,
    vimName: `kubernetes_vim_${instance}`,
    kubernetesVersion: versionOf(cluster.object, objects),
    podCidrs: blocksOf(cluster.object, "pods"),
    serviceCidrs,
    ipFamilies: serviceCidrs.length === 0 ? undefined : [...new Set(serviceCidrs.map(ipFamily))],
  };
}

function blocksOf(cluster: KubeObject, of: "pods" | "services"): string[] {
  return items(at(cluster, "spec", "clusterNetwork", of, "cidrBlocks")).flatMap((block) => text(block) ?? []);
}

function versionOf(cluster: KubeObject, objects: CnfPlan["objects"]): string | undefined {
  const { kind, name } = fields(at(cluster, "spec", "controlPlaneRef"));
  const controlPlane = objects.find(({ object }) => object.kind === kind && object.metadata.name === name);
  return text(at(controlPlane?.object, "spec", "version"));
}
