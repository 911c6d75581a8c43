import * as pulumi from "@pulumi/pulumi";
import * as vnfm from "vnfm";

const config = new pulumi.Config();
const network = config.get("network") ?? "public";

const cluster = new vnfm.KubernetesCluster("vnf-a", {
  package: "vnf-packages/kubernetes-cluster",
  flavour: "simple",
  scale: { worker_instance: 0 }, // one worker
  extVirtualLinks: { masterNode_CP1: { network }, workerNode_CP2: { network } },
  additionalParams: {
    k8s_cluster_installation_param: {
      master_node: { ssh_cp_name: "masterNode_CP1" },
      worker_node: { aspect_id: "worker_instance", ssh_cp_name: "workerNode_CP2" },
      management_cidrs: [config.get("managementCidr") ?? "198.51.100.0/24"],
    },
  },
});

const web = new vnfm.Cnf("web", {
  package: "vnf-packages/web-cnf",
  vim: cluster,
  additionalParams: {
    namespace: "web",
    "lcm-kubernetes-def-files": ["configmap", "deployment", "service"].map(
      (name) => `Files/kubernetes/${name}.yaml`,
    ),
  },
});

export const kubeconfig = cluster.kubeconfig;
export const endpoints = web.vnf.endpoints;
