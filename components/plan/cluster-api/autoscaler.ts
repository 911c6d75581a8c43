import type { Place } from "../../base/findings";
import { parseVersion } from "../../kube/cluster/version";
import type { Fields, KubeObject } from "../../kube/objects/object";
import type { ClusterSettings } from "../../settings/model";

const PROGRAM = "cluster-autoscaler";
const KUBECONFIG = "/run/kubeconfig";
/** User of the image, which has no other one. */
const USER = 65532;

/**
 * cluster-autoscaler for a workload cluster, on its management cluster: it changes the node groups there with a
 * ServiceAccount, and reads the workload cluster's pods with the kubeconfig that Cluster API stores in a Secret.
 * https://github.com/kubernetes/autoscaler/tree/master/cluster-autoscaler/cloudprovider/clusterapi
 * @returns nothing for a cluster without it
 */
export function autoscalerObjects(
  cluster: string,
  { autoscaler, kubernetesVersion }: ClusterSettings,
): readonly KubeObject[] {
  if (autoscaler === undefined) return [];
  const { minor } = parseVersion(kubernetesVersion) ?? {};
  // each minor version of Kubernetes has one of its own
  const { image = `registry.k8s.io/autoscaling/cluster-autoscaler:v1.${minor}.0` } = autoscaler;
  const metadata = { name: `${cluster}-autoscaler`, namespace: cluster };
  const { name } = metadata;
  const rbac = "rbac.authorization.k8s.io";
  const subject = { kind: "ServiceAccount", ...metadata };
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules: RULES },
    {
      ...{ apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata },
      roleRef: { apiGroup: rbac, kind: "Role", name },
      subjects: [subject],
    },
    { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: deploymentSpec(cluster, name, image) },
  ];
}

/**
 * Rules of its Role: it may scale node groups, mark the machine that is to be deleted, and read from the templates of
 * machines which resources a machine of an empty group would have.
 */
const RULES = [
  {
    apiGroups: ["cluster.x-k8s.io"],
    resources: ["machinedeployments", "machinedeployments/scale", "machinesets", "machines"],
    verbs: ["get", "list", "watch", "update"],
  },
  {
    apiGroups: ["infrastructure.cluster.x-k8s.io"],
    resources: ["openstackmachinetemplates"],
    verbs: ["get", "list", "watch"],
  },
];

function deploymentSpec(cluster: string, name: string, image: string): Fields {
  const labels = { app: name };
  const volume = { name: "kubeconfig", secret: { secretName: `${cluster}-kubeconfig`, defaultMode: 0o440 } };
  const container = {
    ...{ name: PROGRAM, image, command: [`/${PROGRAM}`] },
    args: [
      "--cloud-provider=clusterapi",
      `--kubeconfig=${KUBECONFIG}/value`,
      "--clusterapi-cloud-config-authoritative",
      `--node-group-auto-discovery=clusterapi:namespace=${cluster},clusterName=${cluster}`,
      "--enforce-node-group-min-size=true",
    ],
    securityContext: {
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [{ name: volume.name, mountPath: KUBECONFIG, readOnly: true }],
  };
  return {
    // two would scale at once
    ...{ replicas: 1, strategy: { type: "Recreate" } },
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: name,
        securityContext: {
          ...{ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER },
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [container],
        volumes: [volume],
      },
    },
  };
}

/** Warnings about node groups that nothing scales. @param place of the cluster */
export function autoscalerWarnings(place: Place, { autoscaler, nodeGroups }: ClusterSettings): string[] {
  if (autoscaler !== undefined) return [];
  return Object.entries(nodeGroups).flatMap(([group, { autoscaling }]) =>
    autoscaling === undefined
      ? []
      : [
          `${place.get("nodeGroups", group, "autoscaling").text}: nothing of the stack scales it: set autoscaler, ` +
            "or run cluster-autoscaler yourself",
        ],
  );
}
