import type { KubeObject } from "../../kube/object";
import type { ClusterSettings } from "../../settings/clusters";
import type { WorkloadPlan } from "../model";
import { addonRequests } from "./addons";
import { CLOUD, cloudSecret, clusterObjects } from "./cluster-objects";
import type { CnfPlan } from "./cnf";
import { namespaceOf } from "./cnf-namespaces";
import { planObjects } from "./planned-objects";
import { planRelease } from "./planned-release";
import type { RenderedCharts } from "./releases";
import { planWorkloadCluster } from "./workload-cluster";

/** What controllers of a cluster use the cloud with. It is made before the cluster, and goes after it. */
export interface PlannedCredential {
  /** Names of its roles. Undefined: all roles of the user. */
  readonly roles: readonly string[] | undefined;
  /** Name of the cloud in its clouds.yaml. */
  readonly cloud: string;
  /** Key of the Secret that gets the clouds.yaml. */
  readonly secret: string;
}

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
  const secret: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: cloudSecret(name),
      namespace: name,
      // so that "clusterctl move" takes it along
      labels: { "clusterctl.cluster.x-k8s.io/move": "true" },
    },
  };
  const objects = planObjects(name, [secret, ...clusterObjects(name, settings)], faults);
  const cnf = { ...withoutObjects(name, name), objects };
  const { readyTimeout } = settings;
  const warnings: string[] = [];
  const credential = {
    roles: settings.credentialRoles,
    cloud: CLOUD,
    secret: objects.find((planned) => planned.secret)?.key ?? "",
  };
  return [
    {
      kind: "workload",
      ...{ name, warnings, cnf, readyTimeout, credential },
      on: { vnf: settings.vim },
      cluster: planWorkloadCluster(`vnfm:vnfs.${name}`, cnf, warnings),
      after: [],
    },
    ...addonRequests(name, settings).map(({ instance, request }): WorkloadPlan => {
      faults.push(...(charts?.faultsOf(instance) ?? []));
      const release = planRelease(instance, { ...request, chart: charts?.get(instance, request.name) });
      const namespace = namespaceOf(request.namespace, []);
      const objects = planObjects(instance, namespace === undefined ? [] : [namespace], faults);
      return {
        kind: "workload",
        ...{ name: instance, warnings: [], readyTimeout },
        on: { vnf: name },
        cnf: { ...withoutObjects(instance, request.namespace), objects, releases: [release] },
        cluster: undefined,
        after: [],
      };
    }),
  ];
}

function withoutObjects(instance: string, namespace: string): CnfPlan {
  return { instance, namespace, objects: [], releases: [], vnfcs: [], warnings: [] };
}
