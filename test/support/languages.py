"""The program of languages.test.ts in Python: the cluster and the CNF that are there, by the generated SDK."""

import os

import pulumi
import pulumi_vnfm as vnfm

config = pulumi.Config()

cluster = vnfm.KubernetesCluster(
    "vnf-a",
    package="packages/kubernetes-cluster",
    flavour="simple",
    scale={"worker_instance": int(os.environ["WORKERS"]) - 1},
    ext_virtual_links={
        "masterNode_CP1": {"network": "public"},
        "workerNode_CP2": {"network": "public"},
    },
    additional_params={
        "k8s_cluster_installation_param": {
            "master_node": {
                "ssh_cp_name": "masterNode_CP1",
                "pod_cidr": "10.244.0.0/16",
                "cluster_cidr": "10.96.0.0/12",
            },
            "worker_node": {"ssh_cp_name": "workerNode_CP2", "aspect_id": "worker_instance"},
            "management_cidrs": ["198.19.0.0/24"],
        }
    },
)

web = vnfm.Cnf(
    "web",
    package="packages/web-cnf",
    vim=cluster,
    ready_timeout=os.environ.get("READY_TIMEOUT"),
    additional_params=vnfm.CnfAdditionalParamsArgs(
        namespace="web",
        lcm_kubernetes_def_files=[
            f"Files/kubernetes/{name}.yaml" for name in ("configmap", "deployment", "service")
        ],
        variables={
            "GREETING": pulumi.Output.secret(os.environ["GREETING"]),
            "HISTORY": config.require_secret_int("history"),
        },
    ),
)

pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("apiUrl", cluster.api_url)
pulumi.export("endpoints", web.vnf.endpoints)
