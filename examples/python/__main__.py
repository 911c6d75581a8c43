"""A cluster of one master and one worker, and a CNF on it."""

import pulumi
import pulumi_vnfm as vnfm

config = pulumi.Config()
network = config.get("network") or "public"

cluster = vnfm.KubernetesCluster(
    "vnf-a",
    package="vnf-packages/kubernetes-cluster",
    flavour="simple",
    scale={"worker_instance": 0},  # one worker
    ext_virtual_links={
        "masterNode_CP1": {"network": network},
        "workerNode_CP2": {"network": network},
    },
    additional_params={
        "k8s_cluster_installation_param": {
            "master_node": {"ssh_cp_name": "masterNode_CP1"},
            "worker_node": {"aspect_id": "worker_instance", "ssh_cp_name": "workerNode_CP2"},
            "management_cidrs": [config.get("managementCidr") or "198.51.100.0/24"],
        }
    },
)

web = vnfm.Cnf(
    "web",
    package="vnf-packages/web-cnf",
    vim=cluster,
    additional_params={
        "namespace": "web",
        "lcm_kubernetes_def_files": [
            f"Files/kubernetes/{name}.yaml" for name in ("configmap", "deployment", "service")
        ],
    },
)

pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("endpoints", web.vnf.endpoints)
