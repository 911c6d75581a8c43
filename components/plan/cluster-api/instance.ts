import type { KubeObject } from "../../kube/object";
import type { ClusterSettings } from "../../settings/cluster-model";
import type { WorkloadPlan } from "../model";
import { addonRequests, addonSecret } from "./addons";
import { cloudSecret } from "./capo";
import { clusterDemand } from "./demand";
import { cloudNeeds } from "./needs";
import { clusterObjects, CONTROL_PLANE_VDU, serverGroups } from "./objects";
import type { CnfPlan, PlannedVnfc } from "../workload/cnf";
import { namespaceOf } from "../workload/cnf-namespaces";
import { keyOf } from "../workload/keys";
import { planObjects } from "../workload/planned-objects";
import { planRelease } from "../workload/planned-release";
import type { RenderedCharts } from "../workload/releases";
import { planWorkloadCluster } from "./workload-cluster";

/**
 * What shall exist for a workload cluster by a template: the cluster, and its addons, each as a CNF on it.
 * @param charts what the charts of the addons have. @default not known
 */
export function planClusterInstance(
  name: string,
  settings: ClusterSettings,
  charts: RenderedCharts | undefined,
  faults: string[],
): WorkloadPlan[] {
  // the label is for "clusterctl move", which takes it along
  const secret = secretOf(cloudSecret(name), name, { "clusterctl.cluster.x-k8s.io/move": "true" });
  const objects = planObjects(name, [secret, ...clusterObjects(name, settings)], faults);
  const cnf = { ...withoutObjects(name, name), objects, vnfcs: machineSets(name, settings) };
  const { readyTimeout } = settings;
  const { loadBalancerProvider: ofBalancers } = settings.apiServer;
  const { externalNetwork } = settings.network;
  const warnings: string[] = [];
  const cloudSecrets = [{ key: keyOf(name, secret), credentialOf: name, form: "clouds.yaml" as const }];
  return [
    {
      kind: "workload",
      ...{ name, warnings, cnf, readyTimeout, cloudSecrets },
      credential: settings.credential,
      cloudNeeds: cloudNeeds(name, settings),
      demand: clusterDemand(name, settings),
      serverGroups: serverGroups(name, settings),
      ...(settings.credentialsReceiver && { credentialsReceiver: settings.credentialsReceiver }),
      on: { vnf: settings.vim },
      cluster: planWorkloadCluster(`vnfm:vnfs.${name}`, cnf, warnings),
      after: [],
    },
    ...addonRequests(name, settings).map(({ instance, request, usesCloud }): WorkloadPlan => {
      faults.push(...(charts?.faultsOf(instance) ?? []));
      const release = planRelease(instance, { ...request, chart: charts?.get(instance, request.name) });
      const namespace = namespaceOf(request.namespace, []);
      const secrets = usesCloud ? [secretOf(addonSecret(request.name), request.namespace)] : [];
      const objects = planObjects(instance, [...(namespace ? [namespace] : []), ...secrets], faults);
      return {
        kind: "workload",
        ...{ name: instance, warnings: [], readyTimeout },
        on: { vnf: name },
        cloudSecrets: secrets.map((secret) => ({
          key: keyOf(instance, secret),
          credentialOf: name,
          form: "cloud.conf" as const,
          ...(ofBalancers !== undefined && { balancerProvider: ofBalancers }),
          ...(externalNetwork !== undefined && { externalNetwork }),
        })),
        cnf: { ...withoutObjects(instance, request.namespace), objects, releases: [release] },
        cluster: undefined,
        after: [],
      };
    }),
  ];
}

/** The control plane and the node groups, as VNFCs are told. */
function machineSets(name: string, { controlPlane, nodeGroups }: ClusterSettings): PlannedVnfc[] {
  return [
    {
      ...{ vdu: CONTROL_PLANE_VDU, kind: "KubeadmControlPlane", namespace: name, name },
      replicas: controlPlane.replicas,
    },
    ...Object.entries(nodeGroups).map(([group, { replicas }]) => ({
      ...{ vdu: group, kind: "MachineDeployment", namespace: name, name: `${name}-${group}`, replicas },
    })),
  ];
}

/** A Secret whose content comes from a credential. */
function secretOf(name: string, namespace: string, labels?: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, ...(labels && { labels }) } };
}

function withoutObjects(instance: string, namespace: string): CnfPlan {
  return { instance, namespace, objects: [], releases: [], vnfcs: [], warnings: [] };
}
