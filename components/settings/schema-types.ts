/**
 * The stack config as it is written, generated from schema.json and cluster-schema.json:
 *   npx ts-node docs/generate-types.ts
 * The types in model.ts are those of the checked settings.
 */
import type { Fields } from "../kube/objects/object";
import type { LateText, PerhapsSecret, SecretText, WITH_DEFAULT } from "./parsed";

/**
 * A VNF instance that is a cluster of kubeadm on servers.
 */
export interface ClusterVnf {
  /**
   * The VNF package (SOL004): a folder or a CSAR zip, relative to the folder of Pulumi.yaml.
   */
  readonly package: string;
  /**
   * Deployment flavour (SOL001).
   * @default the package's only flavour
   */
  readonly flavour?: string;
  /**
   * Instantiation level of the flavour.
   * @default the VNFD's default_level
   */
  readonly instantiationLevel?: string;
  /**
   * Scale level of each scaling aspect; overrides the instantiation level. Changing it scales out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Temporary scale levels by aspect, added to the present ones: `vnfm upgrade --surge` adds workers that
   * stand in for those being replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` replaces the whole instance: all of its servers and the cluster on them, or
   * the pods of a CNF's workloads.
   * @example {"workerNode-2":"2026-11-21"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * Secrets of a cluster to replace in place, each with a trigger value: a new value, for example today's
   * date, replaces the secret once, see Rotate.
   * @example {"certificates":"2026-11-21"}
   */
  readonly rotate?: Rotate;
  /**
   * Allows `heal.all` to delete the applications on the cluster. false: the run fails if the cluster has
   * CNFs of this stack, pods or persistent volumes in use. true: pods are deleted first; CNFs of this stack
   * are deleted, and created again on the new cluster.
   * @default false
   */
  readonly evacuate?: boolean;
  /**
   * Name of the cloud in clouds.yaml in which vnfm creates the instance, see Several clouds. Default: the
   * cloud of the stack, by openstack:cloud or OS_CLOUD.
   * @example "edge"
   */
  readonly cloud?: string;
  /**
   * strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows
   * the rule as far as it has enough hosts.
   * @default "strict"
   */
  readonly placementPolicy?: "strict" | "soft";
  /**
   * The network of each external connection point, by the name of the connection point or of its requirement
   * in substitution_mappings (for example virtual_link_external1_1).
   * @example {"masterNode_CP1":{"network":"public"}}
   */
  readonly extVirtualLinks?: {
    readonly [k: string]: ExtVirtualLink;
  };
  /**
   * Networks that vnfm creates for the instance, by name, see Tenant networks. A name is either that of a
   * `virtualLink` under extVirtualLinks, or that of a virtual link in the VNFD, whose properties these
   * settings then replace.
   * @example {"nodes":{"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}}
   */
  readonly virtualLinks?: {
    readonly [k: string]: VirtualLink;
  };
  /**
   * Glance image, by its name or id, of a VDU or of a VirtualBlockStorage with an image. Needed if
   * sw_image_data.name in the VNFD is not the image's name in the cloud.
   * @example {"masterNode":"debian-12"}
   */
  readonly images?: {
    readonly [k: string]: string;
  };
  /**
   * Nova flavor, by its name or id, of a VDU. Needed if requested_additional_capability_name in the VNFD is
   * not the flavor's name in the cloud.
   * @example {"masterNode":"m1.medium"}
   */
  readonly flavors?: {
    readonly [k: string]: string;
  };
  /**
   * Settings for Nova and Cinder of a VDU's servers, in addition to image and flavor, see Servers and ports.
   * @example {"masterNode":{"availabilityZones":["az1","az2"]}}
   */
  readonly servers?: {
    readonly [k: string]: Servers;
  };
  /**
   * Protects the servers' volumes: a run that would delete or replace one fails in its preview.
   * @default true
   */
  readonly protectVolumes?: boolean;
  /**
   * Time limit for each object of a CNF, or of the addons of a cluster, to become ready.
   * @default "10m"
   * @example "90s"
   * @example "10m"
   */
  readonly readyTimeout?: string;
  /**
   * Keeps the CustomResourceDefinitions and Namespaces of a CNF, or of a cluster's addons, while objects
   * that the stack did not create depend on them, see Objects of others. To delete them all the same, set it
   * to `false` and run `pulumi up` first.
   * @default true
   */
  readonly protectForeignObjects?: boolean;
  /**
   * The operator's parameters of the instance; key names as in the specifications.
   * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
   */
  readonly additionalParams: ClusterVnfParams;
  readonly [WITH_DEFAULT]?:
    "evacuate" | "placementPolicy" | "protectVolumes" | "readyTimeout" | "protectForeignObjects";
}

/**
 * The operator's parameters of the instance; key names as in the specifications.
 * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
 */
export interface ClusterVnfParams {
  /**
   * The kubeadm cluster on the VNF's servers (specification: Support deploying Kubernetes cluster with
   * MgmtDriver).
   * @example {"master_node":{"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"},"worker_node":{"aspect_id":"worker_instance","ssh_cp_name":"workerNode_CP2"},"management_cidrs":["198.51.100.0/24"]}
   */
  readonly k8s_cluster_installation_param: ClusterInstallation;
  /**
   * Tacker's switch. Not needed here: charts are used if using_helm_install_param lists any.
   */
  readonly use_helm?: true | "true";
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config are sufficient.
   */
  readonly "lcm-operation-user-data"?: string;
  /**
   * Class in Tacker's user data script. Not needed here.
   */
  readonly "lcm-operation-user-data-class"?: string;
}

/**
 * A VNF instance of servers alone.
 */
export interface ServersVnf {
  /**
   * The VNF package (SOL004): a folder or a CSAR zip, relative to the folder of Pulumi.yaml.
   */
  readonly package: string;
  /**
   * Deployment flavour (SOL001).
   * @default the package's only flavour
   */
  readonly flavour?: string;
  /**
   * Instantiation level of the flavour.
   * @default the VNFD's default_level
   */
  readonly instantiationLevel?: string;
  /**
   * Scale level of each scaling aspect; overrides the instantiation level. Changing it scales out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Temporary scale levels by aspect, added to the present ones: `vnfm upgrade --surge` adds workers that
   * stand in for those being replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` replaces the whole instance: all of its servers and the cluster on them, or
   * the pods of a CNF's workloads.
   * @example {"workerNode-2":"2026-11-21"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * Name of the cloud in clouds.yaml in which vnfm creates the instance, see Several clouds. Default: the
   * cloud of the stack, by openstack:cloud or OS_CLOUD.
   * @example "edge"
   */
  readonly cloud?: string;
  /**
   * strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows
   * the rule as far as it has enough hosts.
   * @default "strict"
   */
  readonly placementPolicy?: "strict" | "soft";
  /**
   * The network of each external connection point, by the name of the connection point or of its requirement
   * in substitution_mappings (for example virtual_link_external1_1).
   * @example {"masterNode_CP1":{"network":"public"}}
   */
  readonly extVirtualLinks?: {
    readonly [k: string]: ExtVirtualLink;
  };
  /**
   * Networks that vnfm creates for the instance, by name, see Tenant networks. A name is either that of a
   * `virtualLink` under extVirtualLinks, or that of a virtual link in the VNFD, whose properties these
   * settings then replace.
   * @example {"nodes":{"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}}
   */
  readonly virtualLinks?: {
    readonly [k: string]: VirtualLink;
  };
  /**
   * Glance image, by its name or id, of a VDU or of a VirtualBlockStorage with an image. Needed if
   * sw_image_data.name in the VNFD is not the image's name in the cloud.
   * @example {"masterNode":"debian-12"}
   */
  readonly images?: {
    readonly [k: string]: string;
  };
  /**
   * Nova flavor, by its name or id, of a VDU. Needed if requested_additional_capability_name in the VNFD is
   * not the flavor's name in the cloud.
   * @example {"masterNode":"m1.medium"}
   */
  readonly flavors?: {
    readonly [k: string]: string;
  };
  /**
   * Settings for Nova and Cinder of a VDU's servers, in addition to image and flavor, see Servers and ports.
   * @example {"masterNode":{"availabilityZones":["az1","az2"]}}
   */
  readonly servers?: {
    readonly [k: string]: Servers;
  };
  /**
   * Protects the servers' volumes: a run that would delete or replace one fails in its preview.
   * @default true
   */
  readonly protectVolumes?: boolean;
  /**
   * true: a VNFC that boots from a volume keeps this volume, with all data on it, when its server is
   * replaced, for example by a heal. false: each server has a volume of its own, which is deleted with it.
   * @default false
   */
  readonly keepBootVolumes?: boolean;
  /**
   * The operator's parameters of the instance; key names as in the specifications.
   * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
   */
  readonly additionalParams?: ServersVnfParams;
  readonly [WITH_DEFAULT]?: "placementPolicy" | "protectVolumes" | "keepBootVolumes";
}

/**
 * The operator's parameters of the instance; key names as in the specifications.
 * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
 */
export interface ServersVnfParams {
  /**
   * Tacker's switch. Not needed here: charts are used if using_helm_install_param lists any.
   */
  readonly use_helm?: true | "true";
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config are sufficient.
   */
  readonly "lcm-operation-user-data"?: string;
  /**
   * Class in Tacker's user data script. Not needed here.
   */
  readonly "lcm-operation-user-data-class"?: string;
}

/**
 * A CNF: a VNF instance of Kubernetes objects, of manifests, of Helm charts or of both.
 */
export interface Cnf {
  /**
   * The VNF package (SOL004): a folder or a CSAR zip, relative to the folder of Pulumi.yaml.
   */
  readonly package: string;
  /**
   * Deployment flavour (SOL001).
   * @default the package's only flavour
   */
  readonly flavour?: string;
  /**
   * Instantiation level of the flavour.
   * @default the VNFD's default_level
   */
  readonly instantiationLevel?: string;
  /**
   * Scale level of each scaling aspect; overrides the instantiation level. Changing it scales out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Temporary scale levels by aspect, added to the present ones: `vnfm upgrade --surge` adds workers that
   * stand in for those being replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` replaces the whole instance: all of its servers and the cluster on them, or
   * the pods of a CNF's workloads.
   * @example {"workerNode-2":"2026-11-21"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * The target cluster of a CNF: the instance name of a cluster in this stack, or an object with the VIM
   * name of a cluster in another stack, or with a kubeconfig.
   * @example "vnf-a"
   * @example {"stack":"clusters","vim_name":"kubernetes_vim_vnf-a"}
   */
  readonly vim:
    | string
    | {
        /**
         * The Pulumi stack that contains the VIM, a kubeadm cluster; with vim_name. A name without organization
         * and project is a stack of this project.
         * @example "clusters"
         * @example "organization/vnfm/clusters"
         */
        readonly stack: string;
        /**
         * Name of the VIM: the value of vim_name in that stack's config, by default kubernetes_vim_<instance
         * name>.
         */
        readonly vim_name: string;
      }
    | {
        /**
         * The kubeconfig as text, a Pulumi secret; without stack and vim_name.
         * @example "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\nclusters: [{ name: a, cluster: { server: \"https://192.0.2.10:6443\", certificate-authority-data: \"...\" } }]\nusers: [{ name: a, user: { token: \"...\" } }]\n"
         */
        readonly kubeconfig: SecretText;
      };
  /**
   * Time limit for each object of a CNF, or of the addons of a cluster, to become ready.
   * @default "10m"
   * @example "90s"
   * @example "10m"
   */
  readonly readyTimeout?: string;
  /**
   * Keeps the CustomResourceDefinitions and Namespaces of a CNF, or of a cluster's addons, while objects
   * that the stack did not create depend on them, see Objects of others. To delete them all the same, set it
   * to `false` and run `pulumi up` first.
   * @default true
   */
  readonly protectForeignObjects?: boolean;
  /**
   * The operator's parameters of the instance; key names as in the specifications.
   * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
   */
  readonly additionalParams: CnfParams;
  readonly [WITH_DEFAULT]?: "readyTimeout" | "protectForeignObjects";
}

/**
 * The operator's parameters of the instance; key names as in the specifications.
 * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
 */
export interface CnfParams {
  /**
   * The manifests of a CNF: paths in its package, applied together.
   * @example ["Files/kubernetes/deployment.yaml"]
   */
  readonly "lcm-kubernetes-def-files"?: readonly string[];
  /**
   * Values by name for `${NAME}`, `${NAME:=default}` and the like in the manifests of a CNF, see Variables.
   * @default nothing is replaced; with `{}` each variable has the default that its manifest gives
   * @example {"REPLICAS":2,"GREETING":"hello"}
   */
  readonly variables?: {
    readonly [k: string]:
      (PerhapsSecret<string> | PerhapsSecret<number> | PerhapsSecret<boolean>) | Attribute;
  };
  /**
   * Namespace of the CNF's objects whose manifests name none; vnfm creates it if it does not exist.
   * @default the manifest's, else `default`
   * @example "web-1"
   */
  readonly namespace?: string;
  /**
   * Labels of the namespace, if vnfm creates it: for example
   * `pod-security.kubernetes.io/enforce: restricted`.
   * @default none
   * @example {"pod-security.kubernetes.io/enforce":"restricted"}
   */
  readonly namespace_labels?: {
    readonly [k: string]: string;
  };
  /**
   * Kubernetes version of the target cluster. Charts are rendered for it, and manifests checked against it.
   * @default the version of that cluster in the stack config; else for charts the version that the cluster
   * itself reports, if known, see Preview
   * @example "v1.33.0"
   */
  readonly kubernetes_version?: string;
  /**
   * Puts all objects of the CNF into `namespace`, also those whose manifests name another one.
   * @default false, the namespace of the manifest stays
   */
  readonly override_namespace?: boolean;
  /**
   * Controller object of each VDU of a CNF, or `none` for a VDU without an object in the manifests.
   * @default the object that is named like the VDU's property `name`
   * @example {"web":{"kind":"Deployment","name":"web-frontend"},"db":"none"}
   */
  readonly vdu_mapping?: {
    readonly [k: string]: "none" | VduMapping;
  };
  /**
   * Tacker's switch. Not needed here: charts are used if using_helm_install_param lists any.
   */
  readonly use_helm?: true | "true";
  /**
   * Helm releases of a CNF, in the order of their installation, see Helm charts.
   * @default if there are no manifests, the charts of the VNFD's Mciops
   * @example [{"helmreleasename":"web","helmchartfile_path":"Files/kubernetes/web-1.0.0.tgz"}]
   */
  readonly using_helm_install_param?: readonly HelmInstallParam[];
  /**
   * By scaling aspect: the chart value that sets the number of instances, such as `replicaCount` or
   * `web.replicas`.
   * @example {"web_aspect":"web.replicas"}
   */
  readonly helm_replica_values?: {
    readonly [k: string]: string;
  };
  /**
   * A web server to which vnfm sends the credentials of a workload cluster, see Credentials for others.
   * @default none
   * @example {"url":"https://receiver.example/clusters"}
   */
  readonly credentials_receiver?: CredentialsReceiver;
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config are sufficient.
   */
  readonly "lcm-operation-user-data"?: string;
  /**
   * Class in Tacker's user data script. Not needed here.
   */
  readonly "lcm-operation-user-data-class"?: string;
}

/**
 * One VNF instance.
 */
export interface Vnf {
  /**
   * The VNF package (SOL004): a folder or a CSAR zip, relative to the folder of Pulumi.yaml.
   */
  readonly package: string;
  /**
   * Deployment flavour (SOL001).
   * @default the package's only flavour
   */
  readonly flavour?: string;
  /**
   * Instantiation level of the flavour.
   * @default the VNFD's default_level
   */
  readonly instantiationLevel?: string;
  /**
   * Scale level of each scaling aspect; overrides the instantiation level. Changing it scales out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Temporary scale levels by aspect, added to the present ones: `vnfm upgrade --surge` adds workers that
   * stand in for those being replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` replaces the whole instance: all of its servers and the cluster on them, or
   * the pods of a CNF's workloads.
   * @example {"workerNode-2":"2026-11-21"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * Secrets of a cluster to replace in place, each with a trigger value: a new value, for example today's
   * date, replaces the secret once, see Rotate.
   * @example {"certificates":"2026-11-21"}
   */
  readonly rotate?: Rotate;
  /**
   * Allows `heal.all` to delete the applications on the cluster. false: the run fails if the cluster has
   * CNFs of this stack, pods or persistent volumes in use. true: pods are deleted first; CNFs of this stack
   * are deleted, and created again on the new cluster.
   * @default false
   */
  readonly evacuate?: boolean;
  /**
   * Name of the cloud in clouds.yaml in which vnfm creates the instance, see Several clouds. Default: the
   * cloud of the stack, by openstack:cloud or OS_CLOUD.
   * @example "edge"
   */
  readonly cloud?: string;
  /**
   * strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows
   * the rule as far as it has enough hosts.
   * @default "strict"
   */
  readonly placementPolicy?: "strict" | "soft";
  /**
   * The network of each external connection point, by the name of the connection point or of its requirement
   * in substitution_mappings (for example virtual_link_external1_1).
   * @example {"masterNode_CP1":{"network":"public"}}
   */
  readonly extVirtualLinks?: {
    readonly [k: string]: ExtVirtualLink;
  };
  /**
   * Networks that vnfm creates for the instance, by name, see Tenant networks. A name is either that of a
   * `virtualLink` under extVirtualLinks, or that of a virtual link in the VNFD, whose properties these
   * settings then replace.
   * @example {"nodes":{"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}}
   */
  readonly virtualLinks?: {
    readonly [k: string]: VirtualLink;
  };
  /**
   * Glance image, by its name or id, of a VDU or of a VirtualBlockStorage with an image. Needed if
   * sw_image_data.name in the VNFD is not the image's name in the cloud.
   * @example {"masterNode":"debian-12"}
   */
  readonly images?: {
    readonly [k: string]: string;
  };
  /**
   * Nova flavor, by its name or id, of a VDU. Needed if requested_additional_capability_name in the VNFD is
   * not the flavor's name in the cloud.
   * @example {"masterNode":"m1.medium"}
   */
  readonly flavors?: {
    readonly [k: string]: string;
  };
  /**
   * Settings for Nova and Cinder of a VDU's servers, in addition to image and flavor, see Servers and ports.
   * @example {"masterNode":{"availabilityZones":["az1","az2"]}}
   */
  readonly servers?: {
    readonly [k: string]: Servers;
  };
  /**
   * Protects the servers' volumes: a run that would delete or replace one fails in its preview.
   * @default true
   */
  readonly protectVolumes?: boolean;
  /**
   * true: a VNFC that boots from a volume keeps this volume, with all data on it, when its server is
   * replaced, for example by a heal. false: each server has a volume of its own, which is deleted with it.
   * @default false
   */
  readonly keepBootVolumes?: boolean;
  /**
   * The target cluster of a CNF: the instance name of a cluster in this stack, or an object with the VIM
   * name of a cluster in another stack, or with a kubeconfig.
   * @example "vnf-a"
   * @example {"stack":"clusters","vim_name":"kubernetes_vim_vnf-a"}
   */
  readonly vim?:
    | string
    | {
        /**
         * The Pulumi stack that contains the VIM, a kubeadm cluster; with vim_name. A name without organization
         * and project is a stack of this project.
         * @example "clusters"
         * @example "organization/vnfm/clusters"
         */
        readonly stack: string;
        /**
         * Name of the VIM: the value of vim_name in that stack's config, by default kubernetes_vim_<instance
         * name>.
         */
        readonly vim_name: string;
      }
    | {
        /**
         * The kubeconfig as text, a Pulumi secret; without stack and vim_name.
         * @example "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\nclusters: [{ name: a, cluster: { server: \"https://192.0.2.10:6443\", certificate-authority-data: \"...\" } }]\nusers: [{ name: a, user: { token: \"...\" } }]\n"
         */
        readonly kubeconfig: SecretText;
      };
  /**
   * Time limit for each object of a CNF, or of the addons of a cluster, to become ready.
   * @default "10m"
   * @example "90s"
   * @example "10m"
   */
  readonly readyTimeout?: string;
  /**
   * Keeps the CustomResourceDefinitions and Namespaces of a CNF, or of a cluster's addons, while objects
   * that the stack did not create depend on them, see Objects of others. To delete them all the same, set it
   * to `false` and run `pulumi up` first.
   * @default true
   */
  readonly protectForeignObjects?: boolean;
  /**
   * The operator's parameters of the instance; key names as in the specifications.
   * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
   */
  readonly additionalParams?: AdditionalParams;
  readonly [WITH_DEFAULT]?:
    | "evacuate"
    | "placementPolicy"
    | "protectVolumes"
    | "keepBootVolumes"
    | "readyTimeout"
    | "protectForeignObjects";
}

/**
 * Secrets of a cluster to replace in place, each with a trigger value: a new value, for example today's
 * date, replaces the secret once, see Rotate.
 * @example {"certificates":"2026-11-21"}
 */
export interface Rotate {
  /**
   * The SSH key that vnfm created for the instance. Servers keep running.
   */
  readonly ssh_key?: string;
  /**
   * The token of the service account `kube-system/vnfm`, which is in the kubeconfig and the
   * vimConnectionInfo of the outputs.
   */
  readonly service_account?: string;
  /**
   * The certificates that kubeadm created on the control-plane nodes. The CAs stay.
   */
  readonly certificates?: string;
  /**
   * The key that encrypts Secrets in etcd, if vnfm created it. All Secrets are encrypted again.
   */
  readonly encryption_key?: string;
  /**
   * The application credential of a cluster with cloud_provider. Its addons restart.
   */
  readonly credential?: string;
}

/**
 * @example {"availabilityZones":["az1","az2"],"tags":["tenant-a"]}
 */
export interface Servers {
  /**
   * Nova's availability zones, assigned in turn: the first one to the VDU's first server. `<zone>:<host>` is
   * possible if the cloud allows it for the project.
   * @default Nova's choice
   * @example ["az1","az2"]
   */
  readonly availabilityZones?: readonly string[];
  /**
   * Cinder's availability zones of the volumes that the stack creates, assigned in turn as those of the
   * servers.
   * @default the cloud's own
   * @example ["az1","az2"]
   */
  readonly volumeAvailabilityZones?: readonly string[];
  /**
   * Gives the server its user data on a config drive too.
   * @default the cloud's choice
   */
  readonly configDrive?: boolean;
  /**
   * Nova's metadata of the servers. No secrets: everyone who can see the servers in the cloud can read it.
   * @example {"tenant":"a"}
   */
  readonly metadata?: {
    readonly [k: string]: string;
  };
  /**
   * Nova's tags of the servers.
   * @example ["tenant-a"]
   */
  readonly tags?: readonly string[];
  /**
   * Hints for Nova's scheduler by their names in Nova's API. A hint that is not listed below is a single
   * string, for example `reservation` of Blazar.
   * @example {"reservation":"6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"}
   */
  readonly schedulerHints?: ServersSchedulerHints;
}

/**
 * Either `network`, an existing network of the cloud, or `virtualLink`, a network that vnfm creates.
 * @example {"virtualLink":"nodes","floatingNetwork":"public"}
 */
export interface ExtVirtualLink {
  /**
   * Id or name of an existing Neutron network.
   */
  readonly network?: LateText;
  /**
   * Id of a Neutron subnet of network.
   * @default Neutron's choice
   */
  readonly subnet?: LateText;
  /**
   * Name of a network under virtualLinks, or of a virtual link of the VNFD.
   */
  readonly virtualLink?: string;
  /**
   * Id or name of the external network from which each port of the connection point gets a floating IP. A
   * router must connect it to the port's network. The floating IP stays when its server is healed.
   * @default none, no floating IPs
   */
  readonly floatingNetwork?: string;
  /**
   * Addresses of the ports: one of each IP version for each server, in the order of the servers' numbers. A
   * VipCp, such as that of a cluster's API, has one address of each IP version, which it keeps as long as
   * the instance exists.
   * @default Neutron's choice
   * @example ["10.20.0.11","10.20.0.12"]
   */
  readonly fixedAddresses?: readonly string[];
  /**
   * Addresses that the ports may send from, in addition to their own and to that of a VipCp.
   * @example [{"ipAddress":"10.244.0.0/16"}]
   */
  readonly allowedAddressPairs?: readonly ExtVirtualLinkAllowedAddressPair[];
  /**
   * Ids or names of existing security groups, in addition to those that vnfm creates for a cluster.
   * @default none; ports of servers that are not part of a cluster then have the project's group `default`
   * @example ["web"]
   */
  readonly securityGroups?: readonly string[];
  /**
   * Port security: Neutron filters the traffic of the ports. false: they have no security group, and may
   * send from any address.
   * @default the network's setting
   */
  readonly portSecurity?: boolean;
  /**
   * Type of the ports, such as `direct` for SR-IOV.
   * @default vnic_type of the connection point in the VNFD
   */
  readonly vnicType?: "normal" | "baremetal" | "direct" | "direct-physical" | "macvtap" | "virtio-forwarder";
  /**
   * Data about the ports for Neutron's drivers (`binding:profile`); most clouds allow it to administrators
   * only.
   * @example {"capabilities":["switchdev"]}
   */
  readonly bindingProfile?: Fields;
  /**
   * Id or name of the ports' QoS policy in Neutron.
   * @default that of the network
   */
  readonly qosPolicy?: string;
  /**
   * Neutron tags of the ports.
   * @example ["tenant-a"]
   */
  readonly tags?: readonly string[];
}

/**
 * A Neutron network that vnfm creates for the instance, and deletes with it.
 * @example {"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}
 */
export interface VirtualLink {
  /**
   * Subnets of the network.
   * @default those of the VNFD's virtual link; required for any other network
   * @example [{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}]
   */
  readonly subnets?: readonly VirtualLinkSubnet[];
  /**
   * MTU in bytes.
   * @default the VNFD's, else the cloud's own
   */
  readonly mtu?: number;
  /**
   * Addresses of the servers' DNS servers, each for the subnets of its IP version.
   * @default the cloud's own
   * @example ["198.51.100.53"]
   */
  readonly dnsNameservers?: readonly string[];
  /**
   * Router of the subnets: id or name of an existing one, or an object for one that vnfm creates.
   * @default none, the network is isolated
   * @example "site-router"
   * @example {"externalNetwork":"public"}
   */
  readonly router?:
    | string
    | {
        /**
         * Id or name of the router's external network. Servers send there from the router's address (SNAT), if
         * that is the cloud's default.
         */
        readonly externalNetwork: string;
      };
}

/**
 * The operator's parameters of the instance; key names as in the specifications.
 * @example {"lcm-kubernetes-def-files":["Files/kubernetes/deployment.yaml"],"namespace":"web-1"}
 */
export interface AdditionalParams {
  /**
   * The kubeadm cluster on the VNF's servers (specification: Support deploying Kubernetes cluster with
   * MgmtDriver).
   * @example {"master_node":{"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"},"worker_node":{"aspect_id":"worker_instance","ssh_cp_name":"workerNode_CP2"},"management_cidrs":["198.51.100.0/24"]}
   */
  readonly k8s_cluster_installation_param?: ClusterInstallation;
  /**
   * The manifests of a CNF: paths in its package, applied together.
   * @example ["Files/kubernetes/deployment.yaml"]
   */
  readonly "lcm-kubernetes-def-files"?: readonly string[];
  /**
   * Values by name for `${NAME}`, `${NAME:=default}` and the like in the manifests of a CNF, see Variables.
   * @default nothing is replaced; with `{}` each variable has the default that its manifest gives
   * @example {"REPLICAS":2,"GREETING":"hello"}
   */
  readonly variables?: {
    readonly [k: string]:
      (PerhapsSecret<string> | PerhapsSecret<number> | PerhapsSecret<boolean>) | Attribute;
  };
  /**
   * Namespace of the CNF's objects whose manifests name none; vnfm creates it if it does not exist.
   * @default the manifest's, else `default`
   * @example "web-1"
   */
  readonly namespace?: string;
  /**
   * Labels of the namespace, if vnfm creates it: for example
   * `pod-security.kubernetes.io/enforce: restricted`.
   * @default none
   * @example {"pod-security.kubernetes.io/enforce":"restricted"}
   */
  readonly namespace_labels?: {
    readonly [k: string]: string;
  };
  /**
   * Kubernetes version of the target cluster. Charts are rendered for it, and manifests checked against it.
   * @default the version of that cluster in the stack config; else for charts the version that the cluster
   * itself reports, if known, see Preview
   * @example "v1.33.0"
   */
  readonly kubernetes_version?: string;
  /**
   * Puts all objects of the CNF into `namespace`, also those whose manifests name another one.
   * @default false, the namespace of the manifest stays
   */
  readonly override_namespace?: boolean;
  /**
   * Controller object of each VDU of a CNF, or `none` for a VDU without an object in the manifests.
   * @default the object that is named like the VDU's property `name`
   * @example {"web":{"kind":"Deployment","name":"web-frontend"},"db":"none"}
   */
  readonly vdu_mapping?: {
    readonly [k: string]: "none" | VduMapping;
  };
  /**
   * Tacker's switch. Not needed here: charts are used if using_helm_install_param lists any.
   */
  readonly use_helm?: true | "true";
  /**
   * Helm releases of a CNF, in the order of their installation, see Helm charts.
   * @default if there are no manifests, the charts of the VNFD's Mciops
   * @example [{"helmreleasename":"web","helmchartfile_path":"Files/kubernetes/web-1.0.0.tgz"}]
   */
  readonly using_helm_install_param?: readonly HelmInstallParam[];
  /**
   * By scaling aspect: the chart value that sets the number of instances, such as `replicaCount` or
   * `web.replicas`.
   * @example {"web_aspect":"web.replicas"}
   */
  readonly helm_replica_values?: {
    readonly [k: string]: string;
  };
  /**
   * A web server to which vnfm sends the credentials of a workload cluster, see Credentials for others.
   * @default none
   * @example {"url":"https://receiver.example/clusters"}
   */
  readonly credentials_receiver?: CredentialsReceiver;
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config are sufficient.
   */
  readonly "lcm-operation-user-data"?: string;
  /**
   * Class in Tacker's user data script. Not needed here.
   */
  readonly "lcm-operation-user-data-class"?: string;
}

/**
 * @example {"kind":"Deployment","name":"web-frontend"}
 */
export interface VduMapping {
  readonly kind:
    | "Deployment"
    | "StatefulSet"
    | "ReplicaSet"
    | "DaemonSet"
    | "Pod"
    | "MachineDeployment"
    | "MachinePool"
    | "MachineSet"
    | "KubeadmControlPlane";
  readonly name: string;
  /**
   * Helm release that contains the object.
   * @default the only one
   */
  readonly helmreleasename?: string;
}

/**
 * @example {"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
 */
export interface Addon {
  /**
   * URL of the chart's repository: `https://...` for one with an index, `oci://...` for a registry.
   * @example "https://charts.example.org"
   * @example "oci://registry.example.org/charts"
   */
  readonly repository: string;
  /**
   * Credentials for the repository of the chart. They are sent to no other host except `token_host`.
   * @default none
   * @example {"username":"reader","password":"..."}
   */
  readonly login?: ChartLogin;
  /**
   * Name of the chart.
   * @default that of the addon
   * @example "flannel"
   */
  readonly chart?: string;
  /**
   * Version of the chart.
   * @example "2.34.0"
   */
  readonly version: string;
  /**
   * SHA-256 of the chart, as `digest` of a release.
   * @example "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  readonly digest: string;
  /**
   * Namespace of the release.
   * @default `kube-system`
   * @example "kube-system"
   */
  readonly namespace?: string;
  /**
   * Labels of the namespace, if vnfm creates it: for example
   * `pod-security.kubernetes.io/enforce: restricted`.
   * @default none
   * @example {"pod-security.kubernetes.io/enforce":"restricted"}
   */
  readonly namespaceLabels?: {
    readonly [k: string]: string;
  };
  /**
   * Values of the chart; they override those that vnfm sets for the cluster. Also values of other instances.
   * @example {"logVerbosityLevel":4}
   */
  readonly values?: Fields;
}

/**
 * A value of another instance, see Values of other instances.
 */
export interface Attribute {
  /**
   * The name of the instance, then the keys in its outputs. For an entry of a list, its index from 0, or its
   * name.
   * @example ["gateway","vnfcs","VDU1-1","addresses","VDU1_CP1"]
   */
  readonly get_attribute: readonly (string | number)[];
}

/**
 * Credentials for the repository of the chart. They are sent to no other host except `token_host`.
 * @default none
 * @example {"username":"reader","password":"..."}
 */
export interface ChartLogin {
  /**
   * @example "reader"
   */
  readonly username: string;
  /**
   * A Pulumi secret.
   */
  readonly password: SecretText;
  /**
   * Host that issues the tokens of a registry (`oci://`), `<host>` or `<host>:<port>`; it gets the password
   * too.
   * @default the registry itself; for registry-1.docker.io it is auth.docker.io, for registry.gitlab.com
   * gitlab.com
   * @example "gitlab.example.org"
   */
  readonly token_host?: string;
}

/**
 * Section `[BlockStorage]` of cloud.conf for Cinder's CSI driver, with the driver's own option names.
 * @default empty
 * @example {"node-volume-attach-limit":20}
 */
export interface BlockStorage {
  /**
   * Allows a volume on any node, for clouds whose Cinder zones have other names than their Nova zones. The
   * storage class then has `availability` among its `parameters`, and Nova must allow it
   * (`cross_az_attach`).
   */
  readonly "ignore-volume-az"?: boolean;
  /**
   * Queries Cinder without a microversion.
   */
  readonly "ignore-volume-microversion"?: boolean;
  /**
   * Largest number of volumes of a node.
   */
  readonly "node-volume-attach-limit"?: number;
  /**
   * After a volume has grown, its node reads the new size from the device.
   */
  readonly "rescan-on-resize"?: boolean;
}

/**
 * A web server to which vnfm sends the credentials of a workload cluster, see Credentials for others.
 * @default none
 * @example {"url":"https://receiver.example/clusters"}
 */
export interface CredentialsReceiver {
  /**
   * URL for the POST request.
   * @example "https://receiver.example/clusters"
   */
  readonly url: string;
  /**
   * Certificates of the server's CA, PEM.
   * @default those that Node.js trusts
   * @example "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
   */
  readonly ca?: string;
  /**
   * HTTP headers of each request by name, such as `Authorization`.
   * @example {"Authorization":"Bearer ..."}
   */
  readonly headers?: {
    readonly [k: string]: SecretText;
  };
}

/**
 * A Helm release: a chart of the package, or of a chart repository.
 * @example {"helmreleasename":"web","helmchartfile_path":"Files/kubernetes/web-1.0.0.tgz"}
 */
export interface HelmInstallParam {
  /**
   * Name of the release.
   * @example "web"
   */
  readonly helmreleasename: string;
  /**
   * true: the chart comes from a repository, with helmchartname, exthelmrepo_url, version and digest. false:
   * from helmchartfile_path.
   * @default false
   */
  readonly exthelmchart?: true | false | "true" | "false";
  /**
   * The chart's folder or archive: a path in the package, or else next to Pulumi.yaml.
   * @example "Files/kubernetes/web-1.0.0.tgz"
   */
  readonly helmchartfile_path?: string;
  /**
   * Name of the chart in its repository.
   * @example "cert-manager"
   */
  readonly helmchartname?: string;
  /**
   * Tacker's name for the repository. Not needed here.
   */
  readonly helmrepositoryname?: string;
  /**
   * URL of the chart's repository: `https://...` for one with an index, `oci://...` for a registry.
   * @example "https://charts.example.org"
   * @example "oci://registry.example.org/charts"
   */
  readonly exthelmrepo_url?: string;
  /**
   * Credentials for the repository of the chart. They are sent to no other host except `token_host`.
   * @default none
   * @example {"username":"reader","password":"..."}
   */
  readonly login?: ChartLogin;
  /**
   * Version of a repository's chart: exactly one, not a range.
   * @example "1.11.5"
   */
  readonly version?: string;
  /**
   * SHA-256 of the chart. In a repository with an index: that of the archive, as the index lists it. In a
   * registry: that of the manifest, as `helm pull` prints it.
   * @example "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  readonly digest?: string;
  /**
   * Values of the chart as `<key>=<value>`, as in `helm install --set`.
   * @default []
   * @example ["service.type=NodePort"]
   */
  readonly helmparameter?: readonly string[];
  /**
   * Values of the chart, as in a values file; `helmparameter` overrides them. `null` removes a default of
   * the chart. Also values of other instances.
   * @example {"service":{"type":"NodePort"}}
   */
  readonly values?: Fields;
  /**
   * Secret values of the chart by the keys of `helm install --set`, each a Pulumi secret; they override the
   * others.
   * @example {"auth.password":"..."}
   */
  readonly secret_values?: {
    readonly [k: string]: SecretText;
  };
  /**
   * true: Helm itself waits until the release's objects are ready, and rolls back an upgrade that fails.
   * @default false; `pulumi up` waits, reports why an object is not ready, and does not roll back
   */
  readonly atomic?: boolean;
  readonly [WITH_DEFAULT]?: "exthelmchart" | "helmparameter";
}

/**
 * An audit Policy, without apiVersion and kind; events go to files in `/var/log/kubernetes/audit`.
 * @default no audit, or that of `hardening`
 * @example {"rules":[{"level":"Metadata"}]}
 */
export interface AuditPolicy {
  /**
   * Rules of the policy.
   * @example [{"level":"Metadata"}]
   */
  readonly rules: readonly Fields[];
  readonly [k: string]: unknown;
}

/**
 * An AdmissionConfiguration, without apiVersion and kind.
 * @default Kubernetes' own, or that of `hardening`
 * @example {"plugins":[{"name":"PodSecurity","configuration":{"apiVersion":"pod-security.admission.config.k8s.io/v1","kind":"PodSecurityConfiguration","defaults":{"enforce":"baseline"}}}]}
 */
export interface AdmissionConfiguration {
  /**
   * The configurations of admission plugins.
   * @example [{"name":"PodSecurity","configuration":{"apiVersion":"pod-security.admission.config.k8s.io/v1","kind":"PodSecurityConfiguration","defaults":{"enforce":"baseline"}}}]
   */
  readonly plugins: readonly AdmissionConfigurationPlugin[];
  readonly [k: string]: unknown;
}

/**
 * Issuer of the OpenID Connect tokens that the API server accepts.
 * @default none
 * @example {"issuerUrl":"https://login.example.org","clientId":"kubernetes"}
 */
export interface Oidc {
  /**
   * URL of the issuer.
   * @example "https://login.example.org"
   */
  readonly issuerUrl: string;
  /**
   * Client id that a token must be issued for.
   */
  readonly clientId: string;
  /**
   * Claim with the user's name.
   * @default `sub`
   */
  readonly usernameClaim?: string;
  /**
   * Prefix of user names.
   * @default the issuer's URL; none if the claim is `email`
   */
  readonly usernamePrefix?: string;
  /**
   * Claim with the user's groups.
   * @default none
   */
  readonly groupsClaim?: string;
  /**
   * Prefix of group names.
   * @default none
   */
  readonly groupsPrefix?: string;
  /**
   * Certificates of the issuer's CA, PEM.
   * @default those of the machine
   * @example "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
   */
  readonly ca?: string;
}

/**
 * Keystone, whose tokens the API server accepts through k8s-keystone-auth on each control-plane machine.
 * Groups of a user: those that `roles` assigns, the id of the token's project, and the user's groups in
 * Keystone.
 * @default none
 * @example {"authUrl":"https://keystone.example.org/v3","roles":{"tenant-operator":["operators"]}}
 */
export interface Keystone {
  /**
   * URL of Keystone's API. The control-plane machines must reach it without a proxy.
   * @example "https://keystone.example.org/v3"
   */
  readonly authUrl: string;
  /**
   * Certificates of Keystone's CA, PEM.
   * @default the public CAs of the image
   * @example "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
   */
  readonly ca?: string;
  /**
   * Kubernetes groups by the Keystone role that assigns them, in whatever project the user has the role.
   * @default {}
   * @example {"tenant-operator":["operators"],"tenant-reader":["viewers"]}
   */
  readonly roles?: {
    readonly [k: string]: readonly string[];
  };
  /**
   * The image of k8s-keystone-auth.
   * @default "registry.k8s.io/provider-os/k8s-keystone-auth:v1.34.1"
   * @example "registry.example/provider-os/k8s-keystone-auth:v1.34.1"
   */
  readonly image?: string;
  readonly [WITH_DEFAULT]?: "roles" | "image";
}

/**
 * @example {"path":"/etc/sysctl.d/90-site.conf","content":"vm.max_map_count=262144\n"}
 */
export interface NodeFile {
  /**
   * Path of the file.
   * @example "/etc/sysctl.d/90-site.conf"
   */
  readonly path: string;
  /**
   * Content of the file.
   * @example "vm.max_map_count=262144\n"
   */
  readonly content: PerhapsSecret<string>;
  /**
   * Mode of the file, in octal.
   * @default "0644"
   * @example "0600"
   */
  readonly permissions?: string;
  readonly [WITH_DEFAULT]?: "permissions";
}

/**
 * @example {"key":"gpu","value":"true","effect":"NoSchedule"}
 */
export interface Taint {
  /**
   * Its key.
   */
  readonly key: string;
  /**
   * Its value.
   * @default none
   */
  readonly value?: string;
  /**
   * Its effect.
   */
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

export interface WorkerNode {
  /**
   * Scaling aspect of the node's VDU.
   * @default the aspect with deltas for this VDU
   */
  readonly aspect_id?: string;
  /**
   * The node's VDU.
   * @default the VDU of ssh_cp_name
   */
  readonly vdu_id?: string;
  /**
   * Connection point whose address SSH uses.
   */
  readonly ssh_cp_name: string;
  /**
   * Connection point whose address the node has in the cluster.
   * @default ssh_cp_name
   */
  readonly nic_cp_name?: string;
  /**
   * User of the login, with passwordless sudo.
   * @default "debian"
   * @example "debian"
   */
  readonly username?: string;
  /**
   * Password of the user, a Pulumi secret.
   * @default none, a key is used
   */
  readonly password?: SecretText;
  /**
   * Private SSH key of the user (OpenSSH or PEM, without a passphrase), a Pulumi secret; its public key must
   * be in the image.
   * @default a key pair that vnfm creates for the instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * Labels of the nodes. A change applies to existing nodes too.
   * @default none
   * @example {"gpu":"true"}
   */
  readonly labels?: {
    readonly [k: string]: string;
  };
  /**
   * Taints of the nodes: a new node joins with them, and a change applies to existing nodes too.
   * @default none
   * @example [{"key":"gpu","value":"true","effect":"NoSchedule"}]
   */
  readonly taints?: readonly Taint[];
  readonly [WITH_DEFAULT]?: "username";
}

/**
 * The kubeadm cluster on the VNF's servers (specification: Support deploying Kubernetes cluster with
 * MgmtDriver).
 * @example {"master_node":{"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"},"worker_node":{"aspect_id":"worker_instance","ssh_cp_name":"workerNode_CP2"},"management_cidrs":["198.51.100.0/24"]}
 */
export interface ClusterInstallation {
  /**
   * A script of the package that prepares a node as root, after apt_repository and before kubeadm. It must
   * be safe to run again, and must not run `kubeadm init` or `kubeadm join`. Its environment has NODE_NAME,
   * NODE_ROLE (master or worker) and the proxy in http_proxy, https_proxy and no_proxy.
   * @default none, the image contains Kubernetes
   */
  readonly script_path?: string;
  /**
   * Name of the cluster as a VIM: in the outputs, for CNFs of other stacks, in its kubeconfig and in
   * kubeadm's clusterName.
   * @default kubernetes_vim_<instance name>
   */
  readonly vim_name?: string;
  /**
   * The control plane.
   * @example {"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"}
   */
  readonly master_node: ClusterInstallationMasterNode;
  /**
   * The workers.
   * @example {"aspect_id":"worker_instance","ssh_cp_name":"workerNode_CP2"}
   */
  readonly worker_node: WorkerNode;
  /**
   * Workers of other VDUs than that of worker_node, such as nodes with GPUs, each VDU a pool, see Pools of
   * workers.
   * @default none
   * @example [{"vdu_id":"gpuNode","aspect_id":"gpu_instance","ssh_cp_name":"gpuNode_CP3","labels":{"gpu":"true"}}]
   */
  readonly worker_pools?: readonly WorkerNode[];
  /**
   * Load balancer of the API of several control-plane nodes (specification: Support HA Kubernetes Master
   * deployment). HAProxy and keepalived run on the VDU whose connection point is the target of the VNFD's
   * VipCp: the control-plane nodes, or separate servers. If the VipCp has the vip_function load_balance, it
   * is Octavia.
   * @default {}
   * @example {"ssh_cp_name":"loadBalancer_CP3","virtual_router_id":7}
   */
  readonly load_balancer?: ClusterInstallationLoadBalancer;
  /**
   * The host through which SSH reaches servers that have no floating IP at ssh_cp_name, see Tenant networks.
   * @default none, SSH connects directly
   * @example {"vnfc":"masterNode-1"}
   * @example {"host":"jump.example.org","host_key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"}
   */
  readonly jump_host?:
    | {
        /**
         * A control-plane node, worker or load balancer of the cluster, as `<VDU>-<ordinal>`. It is reached with
         * its own login.
         * @example "masterNode-1"
         */
        readonly vnfc: string;
      }
    | {
        /**
         * Address or name of an existing host; without vnfc.
         * @example "jump.example.org"
         */
        readonly host: string;
        /**
         * SSH port of the host.
         * @default 22
         */
        readonly port?: number;
        /**
         * User on the host.
         * @default debian
         * @example "debian"
         */
        readonly username?: string;
        /**
         * Password of the user, a Pulumi secret.
         * @default none, a key is used
         */
        readonly password?: SecretText;
        /**
         * Private SSH key of the user (OpenSSH or PEM, without a passphrase), a Pulumi secret.
         * @default the key pair that vnfm created for the instance; the host must then accept its public key
         * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
         */
        readonly private_key?: SecretText;
        /**
         * Public SSH host key, as `ssh-keyscan` prints it without the host; any other key is refused.
         * @example "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"
         */
        readonly host_key: string;
      };
  /**
   * Drain of a node before it leaves. PodDisruptionBudgets are honoured.
   * @default {}
   * @example {"timeout_seconds":600}
   */
  readonly drain?: ClusterInstallationDrain;
  /**
   * The site's proxy: the nodes' container runtime, apt_repository and script_path use it.
   * @example {"https_proxy":"http://proxy.example.org:3128","no_proxy":".example.org,10.30.0.0/16"}
   */
  readonly proxy?: ClusterInstallationProxy;
  /**
   * Files of all nodes, written before apt_repository and script_path. A changed file is written to the
   * nodes, and script_path runs again.
   * @default none
   * @example [{"path":"/etc/sysctl.d/90-site.conf","content":"vm.max_map_count=262144\n"}]
   */
  readonly files?: readonly NodeFile[];
  /**
   * Bucket of an S3 service, into which the snapshots of etcd are copied.
   * @default none
   * @example {"endpoint":"https://s3.example.org","name":"site-1-etcd","access_key":"vnfm","secret_key":"..."}
   */
  readonly etcd_snapshot_bucket?: ClusterInstallationEtcdSnapshotBucket;
  /**
   * Certificates of CAs that every program on the nodes trusts, PEM: paths in the package, or else next to
   * Pulumi.yaml.
   * @default none
   * @example ["Files/site-ca.pem"]
   */
  readonly trusted_certificate_paths?: readonly string[];
  /**
   * The private registries that pods may pull images from, on every node.
   * @default none
   * @example [{"connection_type":"1","server":"registry.example:5000"}]
   */
  readonly private_registry_connection_info?: readonly ClusterInstallationPrivateRegistryConnectionInfo[];
  /**
   * The NFS server of the cluster's persistent volumes (specification: Support persistent volumes on
   * Kubernetes cluster with MgmtDriver).
   * @default none
   * @example {"ssh_cp_name":"storage_server_CP","cinder_volume_setup_params":[{"volume_resource_id":"storage_server_volume","mount_to":"/volume"}],"nfs_server_setup_params":[{"export_dir":"/volume/nfs","export_to":"10.20.0.0/24"}]}
   */
  readonly storage_server?: ClusterInstallationStorageServer;
  /**
   * The PersistentVolumes of the storage server.
   * @default none
   * @example [{"pv_manifest_file_path":"Files/kubernetes/nfs-pv.yaml"}]
   */
  readonly pv_registration_params?: readonly ClusterInstallationPvRegistrationParam[];
  /**
   * The cluster's version, v1.31.0 or newer, for example v1.33.0. To change it, run `vnfm upgrade`, which
   * also replaces the control-plane nodes, then the workers, see Upgrade.
   * @default the version of the first control-plane node's kubeadm; with apt_repository it is required
   * @example "v1.33.0"
   */
  readonly kubernetes_version?: string;
  /**
   * Package repository with kubelet, kubeadm and kubectl of kubernetes_version, for nodes whose image lacks
   * them.
   * @default none, the image or script_path provides them
   * @example {"url":"https://pkgs.k8s.io/core:/stable:/v1.33/deb/","signed_by":"mQENBGMw"}
   */
  readonly apt_repository?: AptRepository;
  /**
   * Manifest of the CNI, a path in the package or else next to Pulumi.yaml. ${POD_CIDR}, ${POD_CIDR_IPV6},
   * ${SERVICE_CIDR}, ${API_HOST} and ${API_PORT} in it are replaced. Default: the package's
   * Files/kubernetes/flannel.yaml, else that of vnf-packages/kubernetes-cluster: flannel.
   */
  readonly cni_manifest_path?: string;
  /**
   * Ports and protocols that the CNI needs open between nodes.
   * @default ["udp/8472"]
   * @example ["udp/8472","tcp/4240-4245","icmp"]
   */
  readonly cni_ports?: readonly string[];
  /**
   * Networks that may reach SSH, the Kubernetes API and node ports (TCP, UDP and SCTP): those of the
   * operators, of the machine that runs Pulumi, and of the CNFs' users. There is no default: without it all
   * of IPv4 may reach them, and each preview warns.
   * @example ["198.51.100.0/24"]
   */
  readonly management_cidrs?: readonly string[];
  /**
   * Further ports that the security group of the nodes opens, for example for pods with hostNetwork or
   * hostPort, or for node ports of another range.
   * @default []
   * @example [{"ports":["sctp/38412"],"cidrs":["10.30.0.0/16"]}]
   */
  readonly ingress_rules?: readonly ClusterInstallationIngressRule[];
  /**
   * `openstack`: the cluster uses Octavia load balancers and Cinder volumes through its addons, see Cloud
   * provider. It is fixed when the cluster is created.
   * @default none
   */
  readonly cloud_provider?: "openstack";
  /**
   * Application credential for the addons of a cluster with cloud_provider, see The credential.
   * @default one with the roles `member` and, if the user has it, `load-balancer_member`, without expiry
   * @example {"expiresAt":"2027-01-31T00:00:00Z"}
   */
  readonly credential?: ClusterInstallationCredential;
  /**
   * `neutron`: packets between pods of two nodes take routes in the router of the nodes' network, without an
   * overlay, see Pods on Neutron's routes. It is fixed when the cluster is created.
   * @default the path that the CNI's manifest configures
   */
  readonly pod_network?: "neutron";
  /**
   * Helm charts through which a cluster with cloud_provider uses the cloud. Required with cloud_provider,
   * not allowed without.
   * @example {"openstack-cloud-controller-manager":{"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
   */
  readonly addons?: ClusterInstallationAddons;
  /**
   * Section `[BlockStorage]` of cloud.conf for Cinder's CSI driver, with the driver's own option names.
   * @default empty
   * @example {"node-volume-attach-limit":20}
   */
  readonly block_storage?: BlockStorage;
  /**
   * Audit, admission, users and encryption of the API server. Policies, keys, `oidc.ca` and `keystone` may
   * change later, but nothing can be added or removed.
   * @example {"auditPolicy":{"rules":[{"level":"Metadata"}]}}
   */
  readonly apiServer?: ClusterInstallationApiServer;
  /**
   * `cis`: settings that the CIS Benchmark for Kubernetes requires of the control plane and of kubelets, see
   * Hardening.
   * @default kubeadm's own
   */
  readonly hardening?: "cis";
  /**
   * Additions to the kubeadm configuration.
   * @example {"ignore_preflight_errors":["Swap"]}
   */
  readonly kubeadm?: ClusterInstallationKubeadm;
  readonly [WITH_DEFAULT]?: "load_balancer" | "drain" | "cni_ports" | "ingress_rules";
}

/**
 * Package repository with kubelet, kubeadm and kubectl of kubernetes_version, for nodes whose image lacks
 * them.
 * @default none, the image or script_path provides them
 * @example {"url":"https://pkgs.k8s.io/core:/stable:/v1.33/deb/","signed_by":"mQENBGMw"}
 */
export interface AptRepository {
  /**
   * Address of the repository. Default: `https://pkgs.k8s.io/core:/stable:/v1.33/deb/`, with the minor
   * version of kubernetes_version.
   * @example "https://pkgs.k8s.io/core:/stable:/v1.33/deb/"
   */
  readonly url?: string;
  /**
   * Suite, for example `bookworm`. With `/` at its end it is the path of a flat repository.
   * @default "/"
   * @example "bookworm"
   * @example "/"
   */
  readonly suite?: string;
  /**
   * Components of the suite, for example `main`; a flat repository has none.
   * @default []
   * @example ["main"]
   */
  readonly components?: readonly string[];
  /**
   * The repository's public OpenPGP key.
   * @example "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBGMw\n-----END PGP PUBLIC KEY BLOCK-----\n"
   */
  readonly signed_by: string;
  /**
   * Further packages for a node, for example `cri-tools`; the newest version is installed.
   * @default []
   * @example ["cri-tools"]
   */
  readonly packages?: readonly string[];
  readonly [WITH_DEFAULT]?: "suite" | "components" | "packages";
}

/**
 * A workload cluster that Cluster API creates on OpenStack.
 */
export interface Cluster {
  /**
   * Name of the cluster's template.
   */
  readonly clusterTemplate: string;
  /**
   * The management cluster, which runs Cluster API: the instance name of a cluster in this stack, or an
   * object with the VIM name of a cluster in another stack, or with a kubeconfig.
   * @example "vnf-a"
   * @example {"stack":"clusters","vim_name":"kubernetes_vim_vnf-a"}
   */
  readonly vim:
    | string
    | {
        /**
         * The Pulumi stack that contains the VIM, a kubeadm cluster; with vim_name. A name without organization
         * and project is a stack of this project.
         * @example "clusters"
         * @example "organization/vnfm/clusters"
         */
        readonly stack: string;
        /**
         * Name of the VIM: the value of vim_name in that stack's config, by default kubernetes_vim_<instance
         * name>.
         */
        readonly vim_name: string;
      }
    | {
        /**
         * The kubeconfig as text, a Pulumi secret; without stack and vim_name.
         * @example "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\nclusters: [{ name: a, cluster: { server: \"https://192.0.2.10:6443\", certificate-authority-data: \"...\" } }]\nusers: [{ name: a, user: { token: \"...\" } }]\n"
         */
        readonly kubeconfig: SecretText;
      };
  /**
   * Name of the cloud in clouds.yaml in which Cluster API creates the cluster, see Several clouds. Default:
   * the cloud of the stack, by openstack:cloud or OS_CLOUD.
   * @example "edge"
   */
  readonly cloud?: string;
  /**
   * Version of Kubernetes, v1.22.0 or newer. The image must contain it.
   * @example "v1.33.0"
   */
  readonly kubernetesVersion: string;
  /**
   * Name of the image of all machines, built with image-builder.
   */
  readonly image: string;
  /**
   * Name of the Nova key pair that may log in to the machines.
   * @default none
   */
  readonly sshKeyName?: string;
  /**
   * The machines of the control plane.
   * @example {"flavor":"m1.medium","replicas":3}
   */
  readonly controlPlane: ClusterControlPlane;
  /**
   * Common settings of `nodeGroups`; a group's own settings override them.
   * @example {"flavor":"m1.large"}
   */
  readonly nodeGroup?: Fields;
  /**
   * The groups of workers, by name. Each is a MachineDeployment `<instance>-<name>`.
   * @example {"default":{"replicas":2,"flavor":"m1.large"}}
   */
  readonly nodeGroups: {
    readonly [k: string]: NodeGroup;
  };
  /**
   * Times by `controlPlane`, by the name of a group, or by `all`: machines created before that time are
   * replaced, and the new machine comes first. `vnfm heal` writes the times.
   * @default none
   * @example {"controlPlane":"2026-01-31T09:00:00Z"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * The cluster's network: an existing one, or one that is created with a router.
   * @example {"externalNetwork":"public","dnsNameservers":["198.51.100.53"]}
   */
  readonly network: ClusterNetwork;
  /**
   * Address and options of the API server.
   * @default {}
   * @example {"allowedCidrs":["198.51.100.0/24"],"oidc":{"issuerUrl":"https://login.example.org","clientId":"kubernetes"}}
   */
  readonly apiServer?: ClusterApiServer;
  /**
   * `cis`: settings that the CIS Benchmark for Kubernetes requires of the control plane and of kubelets, see
   * Hardening.
   * @default kubeadm's own
   */
  readonly hardening?: "cis";
  /**
   * Additions to the kubeadm configuration.
   * @default {}
   * @example {"preKubeadmCommands":["modprobe sctp"]}
   */
  readonly kubeadm?: ClusterKubeadm;
  /**
   * Mirrors that containerd queries before the registry, by the name of the registry.
   * @default {}
   * @example {"docker.io":["https://mirror.example.org"]}
   */
  readonly registryMirrors?: {
    readonly [k: string]: readonly string[];
  };
  /**
   * CA certificates, PEM, by the name of a registry or the host of a mirror. Only image pulls trust them.
   * @default {}
   * @example {"registry.example:5000":"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"}
   */
  readonly registryCertificates?: {
    readonly [k: string]: string;
  };
  /**
   * Credentials of the kubelets for private registries, by the name of the registry. A changed password
   * replaces no machine: it applies to new ones.
   * @default {}
   * @example {"registry.example:5000":{"username":"reader","password":"..."}}
   */
  readonly registryLogins?: {
    readonly [k: string]: ClusterRegistryLogin;
  };
  /**
   * Certificates of CAs that the machines trust, PEM.
   * @default []
   * @example ["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"]
   */
  readonly trustedCertificates?: readonly string[];
  /**
   * The site's proxy, through which containerd pulls images.
   * @default none
   * @example {"httpsProxy":"http://proxy.example.org:3128","noProxy":".example.org,10.30.0.0/16"}
   */
  readonly proxy?: ClusterProxy;
  /**
   * The application credential that the cluster's controllers use.
   * @default {}
   * @example {"roles":["member","load-balancer_member"]}
   */
  readonly credential?: ClusterCredential;
  /**
   * cluster-autoscaler for the node groups with `autoscaling`, on the management cluster.
   * @default none
   * @example {}
   */
  readonly autoscaler?: ClusterAutoscaler;
  /**
   * A web server to which vnfm sends the credentials of a workload cluster, see Credentials for others.
   * @default none
   * @example {"url":"https://receiver.example/clusters"}
   */
  readonly credentialsReceiver?: CredentialsReceiver;
  /**
   * Section `[BlockStorage]` of cloud.conf for Cinder's CSI driver, with the driver's own option names.
   * @default empty
   * @example {"node-volume-attach-limit":20}
   */
  readonly blockStorage?: BlockStorage;
  /**
   * Helm charts on the cluster, by release name: see Addons.
   * @default {}
   * @example {"flannel":{"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","namespace":"kube-flannel"}}
   */
  readonly addons?: {
    readonly [k: string]: false | Addon;
  };
  /**
   * Changes of the objects that vnfm generates for the cluster, applied in their order: see Patches.
   * @default []
   * @example [{"target":{"kind":"OpenStackCluster"},"mergePatch":{"spec":{"tags":["tenant-a"]}}}]
   */
  readonly patches?: readonly ClusterPatch[];
  /**
   * Time limit for each object of the cluster to become ready.
   * @default "30m"
   * @example "20m"
   */
  readonly readyTimeout?: string;
  /**
   * Keeps the Namespace of the cluster, and the CustomResourceDefinitions and Namespaces of its addons,
   * while objects that the stack did not create depend on them, see Objects of others. To delete them all
   * the same, set it to `false` and run `pulumi up` first.
   * @default true
   */
  readonly protectForeignObjects?: boolean;
  readonly [WITH_DEFAULT]?:
    | "apiServer"
    | "kubeadm"
    | "registryMirrors"
    | "registryCertificates"
    | "registryLogins"
    | "trustedCertificates"
    | "credential"
    | "addons"
    | "patches"
    | "readyTimeout"
    | "protectForeignObjects";
}

/**
 * @example {"replicas":2,"flavor":"m1.large"}
 */
export interface NodeGroup {
  /**
   * Number of machines, 0 or more. Either this or `autoscaling` is required.
   */
  readonly replicas?: number;
  /**
   * Smallest and largest number of machines for cluster-autoscaler, which then sets the number in place of
   * vnfm.
   * @default `replicas` sets the number
   * @example {"min":1,"max":5}
   */
  readonly autoscaling?: NodeGroupAutoscaling;
  /**
   * Name of the machines' flavor.
   */
  readonly flavor?: string;
  /**
   * Name of the machines' image.
   * @default that of the cluster
   */
  readonly image?: string;
  /**
   * Version of Kubernetes, not newer than the cluster's. A group of an older minor version keeps its
   * machines while the control plane is upgraded, but Cluster API creates no new machines in it, neither to
   * scale nor to heal, until it has the cluster's version.
   * @default the cluster's
   * @example "v1.33.0"
   */
  readonly kubernetesVersion?: string;
  /**
   * Labels of the nodes. Kubelets may set only few labels of kubernetes.io and k8s.io; Cluster API sets
   * roles, such as `node-role.kubernetes.io/batch`.
   * @example {"node-role.kubernetes.io/batch":""}
   */
  readonly labels?: {
    readonly [k: string]: string;
  };
  /**
   * Taints that the nodes join with.
   * @example [{"key":"gpu","value":"true","effect":"NoSchedule"}]
   */
  readonly taints?: readonly Taint[];
  /**
   * Nova's availability zone of the machines.
   * @default Nova's choice
   */
  readonly availabilityZone?: string;
  /**
   * Largest number of additional machines during a replacement.
   * @default 1
   */
  readonly maxSurge?: number;
  /**
   * Largest number of missing machines during a replacement.
   * @default 0
   */
  readonly maxUnavailable?: number;
  /**
   * The volume from which machines boot.
   * @default none, they boot from the flavor's disk
   * @example {"sizeGiB":40,"type":"ssd"}
   */
  readonly rootVolume?: RootVolume;
  /**
   * Further volumes of each machine, which are deleted with it.
   * @example [{"name":"data","sizeGiB":100}]
   */
  readonly volumes?: readonly MachineVolume[];
  /**
   * Ports of each machine in addition to that on the cluster's network.
   * @example [{"network":"radio","vnicType":"direct"}]
   */
  readonly additionalPorts?: readonly MachinePort[];
  /**
   * Nova's metadata of the servers.
   * @example {"tenant":"a"}
   */
  readonly metadata?: {
    readonly [k: string]: string;
  };
  /**
   * Nova's tags of the servers.
   * @example ["tenant-a"]
   */
  readonly tags?: readonly string[];
  /**
   * Gives servers their user data on a config drive.
   * @default the cloud's choice
   */
  readonly configDrive?: boolean;
  /**
   * Policy of a Nova server group for these machines, which is created: each machine on a host of its own,
   * always or if possible.
   * @default no server group
   */
  readonly serverGroup?: "anti-affinity" | "soft-anti-affinity";
  /**
   * A MachineHealthCheck, which replaces machines whose node is lost.
   * @default {}
   * @example {"unhealthyTimeout":"10m","maxUnhealthy":"40%"}
   */
  readonly healthCheck?: HealthCheck;
  /**
   * Time limit for the drain of a node that leaves. After it the machine is deleted with the pods that
   * remain on it.
   * @default "10m"
   * @example "10m"
   */
  readonly nodeDrainTimeout?: string;
  /**
   * Time limit until the volumes of a node that leaves are detached.
   * @default no limit
   * @example "5m"
   */
  readonly nodeVolumeDetachTimeout?: string;
  /**
   * Time limit for deleting the Node after its machine was deleted; a Node that is not deleted by then
   * stays. Cluster API's own 10 s are too short when a control-plane machine leaves: the load balancer must
   * notice it first.
   * @default "5m"
   * @example "1m"
   */
  readonly nodeDeletionTimeout?: string;
  readonly [WITH_DEFAULT]?:
    "maxSurge" | "maxUnavailable" | "healthCheck" | "nodeDrainTimeout" | "nodeDeletionTimeout";
}

/**
 * @example {"target":{"kind":"MachineDeployment","machines":"batch"},"mergePatch":{"metadata":{"annotations":{"example.org/owner":"team-a"}}}}
 */
export interface ClusterPatch {
  /**
   * The objects to change.
   * @example {"kind":"OpenStackMachineTemplate","machines":"controlPlane"}
   */
  readonly target: ClusterPatchTarget;
  /**
   * A JSON merge patch (RFC 7386): maps are merged, any other value replaces the former one, and `null`
   * removes it. Either this or `jsonPatch` is required.
   * @example {"spec":{"tags":["tenant-a"]}}
   */
  readonly mergePatch?: Fields;
  /**
   * A JSON patch (RFC 6902): operations, applied in their order.
   * @example [{"op":"add","path":"/spec/template/spec/trunk","value":true}]
   */
  readonly jsonPatch?: readonly JsonPatchOperation[];
}

/**
 * @example {"op":"replace","path":"/spec/template/spec/configDrive","value":true}
 */
export interface JsonPatchOperation {
  /**
   * Kind of the operation.
   */
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  /**
   * Path in the object, as a JSON pointer (RFC 6901): `~1` stands for a `/` in a key, `~0` for a `~`.
   * @example "/spec/template/spec/ports/0"
   */
  readonly path: string;
  /**
   * Source path, of `move` and `copy`.
   * @example "/spec/template/spec/tags"
   */
  readonly from?: string;
  /**
   * Value to write, of `add` and `replace`, or to expect, of `test`.
   * @example true
   */
  readonly value?: unknown;
}

/**
 * The volume from which machines boot.
 * @default none, they boot from the flavor's disk
 * @example {"sizeGiB":40,"type":"ssd"}
 */
export interface RootVolume {
  /**
   * Size in GiB.
   */
  readonly sizeGiB: number;
  /**
   * Cinder volume type.
   * @default the cloud's own
   */
  readonly type?: string;
  /**
   * Cinder's availability zone of the volume.
   * @default the cloud's own
   */
  readonly availabilityZone?: string;
}

/**
 * A MachineHealthCheck, which replaces machines whose node is lost.
 * @default {}
 * @example {"unhealthyTimeout":"10m","maxUnhealthy":"40%"}
 */
export interface HealthCheck {
  /**
   * Switches the health check on.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Time that a node may be not ready before its machine is replaced.
   * @default "5m"
   * @example "5m"
   */
  readonly unhealthyTimeout?: string;
  /**
   * Time limit for a new machine until its node exists; 30 s at least.
   * @default "30m"
   * @example "30m"
   */
  readonly nodeStartupTimeout?: string;
  /**
   * Number or share (`40%`) of unhealthy machines above which none is replaced.
   * @default "100%"
   * @example "40%"
   */
  readonly maxUnhealthy?: string;
  readonly [WITH_DEFAULT]?: "enabled" | "unhealthyTimeout" | "nodeStartupTimeout" | "maxUnhealthy";
}

/**
 * @example {"name":"data","sizeGiB":100}
 */
export interface MachineVolume {
  /**
   * Name of the volume, which is also its device tag in Nova's metadata. `root` and `etcd` are reserved.
   * @example "data"
   */
  readonly name: string;
  /**
   * Size in GiB.
   */
  readonly sizeGiB: number;
  /**
   * Cinder volume type.
   * @default the cloud's own
   */
  readonly type?: string;
}

/**
 * @example {"network":"radio","vnicType":"direct"}
 */
export interface MachinePort {
  /**
   * Name or id of the network.
   */
  readonly network: string;
  /**
   * Name or id of the subnet for the port's address.
   * @default Neutron's choice
   */
  readonly subnet?: string;
  /**
   * Type of the port, such as `direct` for SR-IOV.
   * @default `normal`
   */
  readonly vnicType?: "normal" | "direct" | "direct-physical" | "macvtap" | "virtio-forwarder" | "vdpa";
  /**
   * Makes the port the parent of a trunk.
   * @default false
   */
  readonly trunk?: boolean;
  /**
   * Port security: Neutron filters the traffic of the port.
   * @default true
   */
  readonly portSecurity?: boolean;
  /**
   * Addresses that the port may send from, in addition to its own.
   * @example ["10.30.0.0/16"]
   */
  readonly allowedAddresses?: readonly string[];
  readonly [WITH_DEFAULT]?: "trunk" | "portSecurity";
}

/**
 * @example {"start":"10.6.0.100","end":"10.6.0.200"}
 */
export interface AddressRange {
  /**
   * The first address.
   * @example "10.6.0.100"
   */
  readonly start: string;
  /**
   * The last address.
   * @example "10.6.0.200"
   */
  readonly end: string;
}

/**
 * @example {"ports":["sctp/38412"],"cidrs":["10.30.0.0/16"]}
 */
export interface ClusterIngressRule {
  /**
   * Ports and protocols, for example `tcp/443`.
   * @example ["sctp/38412","esp"]
   */
  readonly ports: readonly string[];
  /**
   * Networks that may reach the ports.
   * @example ["10.30.0.0/16"]
   */
  readonly cidrs: readonly string[];
}

/**
 * Hints for Nova's scheduler by their names in Nova's API. A hint that is not listed below is a single
 * string, for example `reservation` of Blazar.
 * @example {"reservation":"6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"}
 */
export interface ServersSchedulerHints {
  /**
   * Id of an existing server group; not for a VDU that is in a placement group of the VNFD.
   * @example "6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"
   */
  readonly group?: string;
  /**
   * Ids of servers that must be on other hosts.
   * @example ["6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"]
   */
  readonly different_host?: readonly string[];
  /**
   * Ids of servers that must be on the same host.
   * @example ["6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"]
   */
  readonly same_host?: readonly string[];
  readonly [k: string]: string | readonly string[] | undefined;
}

export interface ExtVirtualLinkAllowedAddressPair {
  /**
   * An address or a CIDR.
   * @example "10.244.0.0/16"
   */
  readonly ipAddress: string;
  /**
   * The MAC address of the pair.
   * @default that of the port
   * @example "00:00:5e:00:01:33"
   */
  readonly macAddress?: string;
}

export interface VirtualLinkSubnet {
  /**
   * Addresses of the subnet, IPv4 or IPv6.
   * @example "10.20.0.0/24"
   */
  readonly cidr: string;
  /**
   * Address of the router in the subnet.
   * @default the first address of the CIDR if `router` is set, else none
   * @example "10.20.0.1"
   */
  readonly gatewayIp?: string;
  /**
   * Neutron's DHCP server assigns the addresses of the subnet.
   * @default true
   */
  readonly dhcpEnabled?: boolean;
  /**
   * Method by which servers get their IPv6 addresses.
   * @default none, they are configured by hand
   */
  readonly ipv6AddressMode?: "slaac" | "dhcpv6-stateful" | "dhcpv6-stateless";
  /**
   * Addresses for ports.
   * @default all of the CIDR except the gateway's; without a gateway, all except the first one, which is
   * left for a router
   * @example [{"start":"10.20.0.100","end":"10.20.0.200"}]
   */
  readonly ipAllocationPools?: readonly VirtualLinkSubnetIpAllocationPool[];
  readonly [WITH_DEFAULT]?: "dhcpEnabled";
}

export interface AdmissionConfigurationPlugin {
  /**
   * Name of the plugin, such as `PodSecurity`.
   */
  readonly name: string;
  /**
   * Its configuration, with apiVersion and kind.
   * @example {"apiVersion":"pod-security.admission.config.k8s.io/v1","kind":"PodSecurityConfiguration","defaults":{"enforce":"baseline"}}
   */
  readonly configuration?: Fields;
}

/**
 * The control plane.
 * @example {"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"}
 */
export interface ClusterInstallationMasterNode {
  /**
   * Scaling aspect of the node's VDU.
   * @default the aspect with deltas for this VDU
   */
  readonly aspect_id?: string;
  /**
   * The node's VDU.
   * @default the VDU of ssh_cp_name
   */
  readonly vdu_id?: string;
  /**
   * Connection point whose address SSH uses.
   */
  readonly ssh_cp_name: string;
  /**
   * Connection point whose address the node has in the cluster.
   * @default ssh_cp_name
   */
  readonly nic_cp_name?: string;
  /**
   * User of the login, with passwordless sudo.
   * @default "debian"
   * @example "debian"
   */
  readonly username?: string;
  /**
   * Password of the user, a Pulumi secret.
   * @default none, a key is used
   */
  readonly password?: SecretText;
  /**
   * Private SSH key of the user (OpenSSH or PEM, without a passphrase), a Pulumi secret; its public key must
   * be in the image.
   * @default a key pair that vnfm creates for the instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * IPv4 addresses of the pods.
   * @default "192.168.0.0/16"
   * @example "10.244.0.0/16"
   */
  readonly pod_cidr?: string;
  /**
   * IPv4 addresses of the Services (the Service CIDR, despite its name).
   * @default "10.96.0.0/12"
   * @example "10.96.0.0/12"
   */
  readonly cluster_cidr?: string;
  /**
   * IPv6 addresses of the pods of a cluster with dual stack; with `cluster_cidr_ipv6`.
   * @default the cluster has IPv4 only
   * @example "fd00:10:244::/56"
   */
  readonly pod_cidr_ipv6?: string;
  /**
   * IPv6 addresses of the Services.
   * @example "fd00:10:96::/112"
   */
  readonly cluster_cidr_ipv6?: string;
  /**
   * Connection point of the Kubernetes API: that of the control-plane node, or the VipCp of a highly
   * available control plane.
   * @default the VNFD's VipCp, else nic_cp_name
   */
  readonly cluster_cp_name?: string;
  readonly [WITH_DEFAULT]?: "username" | "pod_cidr" | "cluster_cidr";
}

/**
 * Load balancer of the API of several control-plane nodes (specification: Support HA Kubernetes Master
 * deployment). HAProxy and keepalived run on the VDU whose connection point is the target of the VNFD's
 * VipCp: the control-plane nodes, or separate servers. If the VipCp has the vip_function load_balance, it
 * is Octavia.
 * @default {}
 * @example {"ssh_cp_name":"loadBalancer_CP3","virtual_router_id":7}
 */
export interface ClusterInstallationLoadBalancer {
  /**
   * Connection point for SSH, if the load balancers are separate servers.
   * @default the target of the VipCp
   */
  readonly ssh_cp_name?: string;
  /**
   * User of the login, with passwordless sudo.
   * @default "debian"
   * @example "debian"
   */
  readonly username?: string;
  /**
   * Password of the user, a Pulumi secret.
   * @default none, a key is used
   */
  readonly password?: SecretText;
  /**
   * Private SSH key of the user (OpenSSH or PEM, without a passphrase), a Pulumi secret; its public key must
   * be in the image.
   * @default a key pair that vnfm creates for the instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * Octavia's provider: amphora, ovn, or another one of the cloud. It applies to the API's load balancer if
   * the VNFD's VipCp has the vip_function load_balance, and to Services if there is a cloud_provider.
   * @default the cloud's; for Services amphora
   */
  readonly provider?: string;
  /**
   * VRRP id of the cluster, unique on its network.
   * @default derived from the instance name
   */
  readonly virtual_router_id?: number;
  readonly [WITH_DEFAULT]?: "username";
}

/**
 * Drain of a node before it leaves. PodDisruptionBudgets are honoured.
 * @default {}
 * @example {"timeout_seconds":600}
 */
export interface ClusterInstallationDrain {
  /**
   * Time limit in seconds; after it the run fails and the node stays.
   * @default 300
   */
  readonly timeout_seconds?: number;
  /**
   * Moves pods with emptyDir volumes too; their data in these volumes is lost.
   * @default true
   */
  readonly delete_emptydir_data?: boolean;
  readonly [WITH_DEFAULT]?: "timeout_seconds" | "delete_emptydir_data";
}

/**
 * The site's proxy: the nodes' container runtime, apt_repository and script_path use it.
 * @example {"https_proxy":"http://proxy.example.org:3128","no_proxy":".example.org,10.30.0.0/16"}
 */
export interface ClusterInstallationProxy {
  /**
   * @example "http://proxy.example.org:3128"
   */
  readonly http_proxy?: SecretText;
  /**
   * @example "http://proxy.example.org:3128"
   */
  readonly https_proxy?: SecretText;
  /**
   * Hosts, domains, addresses and CIDRs, comma separated; the cluster's own addresses are added.
   * @example ".example.org,10.30.0.0/16"
   */
  readonly no_proxy?: string;
  /**
   * Addresses of the nodes, reached without the proxy.
   * @default each node excludes its own address only
   * @example "10.20.0.0/24"
   */
  readonly k8s_node_cidr?: string;
}

/**
 * Bucket of an S3 service, into which the snapshots of etcd are copied.
 * @default none
 * @example {"endpoint":"https://s3.example.org","name":"site-1-etcd","access_key":"vnfm","secret_key":"..."}
 */
export interface ClusterInstallationEtcdSnapshotBucket {
  /**
   * URL of the S3 service, without the bucket. The storage server or the first worker connects to it.
   * @example "https://s3.example.org"
   */
  readonly endpoint: string;
  /**
   * Region in the signatures of requests.
   * @default "us-east-1"
   * @example "RegionOne"
   */
  readonly region?: string;
  /**
   * Name of the bucket, which must exist.
   * @example "site-1-etcd"
   */
  readonly name: string;
  /**
   * Access key, which may list, read, write and delete objects of the bucket.
   * @example "vnfm"
   */
  readonly access_key: string;
  /**
   * Secret key of the access key, a Pulumi secret.
   */
  readonly secret_key: SecretText;
  readonly [WITH_DEFAULT]?: "region";
}

export interface ClusterInstallationPrivateRegistryConnectionInfo {
  /**
   * `0`: HTTP. `1`: HTTPS.
   * @example "1"
   */
  readonly connection_type: string;
  /**
   * The registry as it stands in image names, `<host>` or `<host>:<port>`, for example
   * `registry.example:5000`.
   * @example "registry.example:5000"
   */
  readonly server: string;
  /**
   * User for the registry.
   * @default none, anonymous access
   * @example "puller"
   */
  readonly username?: string;
  /**
   * Password of the user, a Pulumi secret; required with username.
   */
  readonly password?: SecretText;
  /**
   * Certificates of the registry's CA, PEM, a path in the package or else next to Pulumi.yaml.
   * @default the CAs that the node image trusts
   */
  readonly certificate_path?: string;
  /**
   * Mirrors that containerd queries before the registry. A mirror whose CA is not public needs an entry too,
   * with `certificate_path`.
   * @default none
   * @example ["https://mirror.example.org"]
   */
  readonly mirrors?: readonly string[];
  /**
   * A line of `/etc/hosts` for a registry without a DNS record, for example `192.168.0.9 registry.example`.
   * @default none
   * @example "192.168.0.9 registry.example"
   */
  readonly hosts_string?: string;
}

/**
 * The NFS server of the cluster's persistent volumes (specification: Support persistent volumes on
 * Kubernetes cluster with MgmtDriver).
 * @default none
 * @example {"ssh_cp_name":"storage_server_CP","cinder_volume_setup_params":[{"volume_resource_id":"storage_server_volume","mount_to":"/volume"}],"nfs_server_setup_params":[{"export_dir":"/volume/nfs","export_to":"10.20.0.0/24"}]}
 */
export interface ClusterInstallationStorageServer {
  /**
   * Connection point whose address SSH uses.
   */
  readonly ssh_cp_name: string;
  /**
   * Connection point whose address the nodes mount, for registrations without an nfs_server_cp.
   * @default ssh_cp_name
   */
  readonly nic_cp_name?: string;
  /**
   * User of the login, with passwordless sudo.
   * @default "debian"
   * @example "debian"
   */
  readonly username?: string;
  /**
   * Password of the user, a Pulumi secret.
   * @default none, a key is used
   */
  readonly password?: SecretText;
  /**
   * Private SSH key of the user (OpenSSH or PEM, without a passphrase), a Pulumi secret; its public key must
   * be in the image.
   * @default a key pair that vnfm creates for the instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * `kernel`: the kernel's NFS server. `ganesha`: nfs-ganesha in user space, for kernels without one.
   * @default "kernel"
   */
  readonly nfs_server?: "kernel" | "ganesha";
  /**
   * Mount points of the server's volumes. A volume without a file system gets one, ext4.
   * @example [{"volume_resource_id":"storage_server_volume","mount_to":"/volume"}]
   */
  readonly cinder_volume_setup_params: readonly ClusterInstallationStorageServerCinderVolumeSetupParam[];
  /**
   * Exported directories; vnfm creates those that do not exist.
   * @example [{"export_dir":"/volume/nfs","export_to":"10.20.0.0/24"}]
   */
  readonly nfs_server_setup_params: readonly ClusterInstallationStorageServerNfsServerSetupParam[];
  readonly [WITH_DEFAULT]?: "username" | "nfs_server";
}

export interface ClusterInstallationPvRegistrationParam {
  /**
   * A manifest of one or more PersistentVolumes: a path in the package, or else next to Pulumi.yaml.
   */
  readonly pv_manifest_file_path: string;
  /**
   * The connection point of the storage server whose address becomes spec.nfs.server.
   * @default nic_cp_name of the storage server
   */
  readonly nfs_server_cp?: string;
}

export interface ClusterInstallationIngressRule {
  /**
   * Ports and protocols, for example `sctp/38412`.
   * @example ["sctp/38412","esp"]
   */
  readonly ports: readonly string[];
  /**
   * Networks that may reach the ports.
   * @example ["10.30.0.0/16"]
   */
  readonly cidrs: readonly string[];
}

/**
 * Application credential for the addons of a cluster with cloud_provider, see The credential.
 * @default one with the roles `member` and, if the user has it, `load-balancer_member`, without expiry
 * @example {"expiresAt":"2027-01-31T00:00:00Z"}
 */
export interface ClusterInstallationCredential {
  /**
   * Keystone roles of the credential.
   * @default `member` and, if the user of `pulumi up` has it in the project, `load-balancer_member`
   * @example ["member","load-balancer_member"]
   */
  readonly roles?: readonly string[];
  /**
   * Expiry time of the credential: `status`, `check` and each preview warn 30 days before.
   * @default it does not expire
   * @example "2027-01-31T00:00:00Z"
   */
  readonly expiresAt?: string;
  /**
   * Keystone's access rules: the only API requests for which the credential is valid.
   * @default all
   * @example [{"service":"compute","method":"GET","path":"/v2.1/servers/**"}]
   */
  readonly accessRules?: readonly AccessRule[];
}

/**
 * Helm charts through which a cluster with cloud_provider uses the cloud. Required with cloud_provider,
 * not allowed without.
 * @example {"openstack-cloud-controller-manager":{"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
 */
export interface ClusterInstallationAddons {
  /**
   * Chart of the cloud controller manager. Nodes take no pods until it runs.
   * @example {"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
   */
  readonly "openstack-cloud-controller-manager": Addon;
  /**
   * Chart of Cinder's CSI driver, which creates volumes for PersistentVolumeClaims.
   * @default none
   * @example {"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
   */
  readonly "openstack-cinder-csi"?: Addon;
}

/**
 * Audit, admission, users and encryption of the API server. Policies, keys, `oidc.ca` and `keystone` may
 * change later, but nothing can be added or removed.
 * @example {"auditPolicy":{"rules":[{"level":"Metadata"}]}}
 */
export interface ClusterInstallationApiServer {
  /**
   * An audit Policy, without apiVersion and kind; events go to files in `/var/log/kubernetes/audit`.
   * @default no audit, or that of `hardening`
   * @example {"rules":[{"level":"Metadata"}]}
   */
  readonly auditPolicy?: AuditPolicy;
  /**
   * An AdmissionConfiguration, without apiVersion and kind.
   * @default Kubernetes' own, or that of `hardening`
   * @example {"plugins":[{"name":"PodSecurity","configuration":{"apiVersion":"pod-security.admission.config.k8s.io/v1","kind":"PodSecurityConfiguration","defaults":{"enforce":"baseline"}}}]}
   */
  readonly admissionConfiguration?: AdmissionConfiguration;
  /**
   * Issuer of the OpenID Connect tokens that the API server accepts.
   * @default none
   * @example {"issuerUrl":"https://login.example.org","clientId":"kubernetes"}
   */
  readonly oidc?: Oidc;
  /**
   * Keystone, whose tokens the API server accepts through k8s-keystone-auth on each control-plane machine.
   * Groups of a user: those that `roles` assigns, the id of the token's project, and the user's groups in
   * Keystone.
   * @default none
   * @example {"authUrl":"https://keystone.example.org/v3","roles":{"tenant-operator":["operators"]}}
   */
  readonly keystone?: Keystone;
  /**
   * Keys that encrypt Secrets in etcd, 32 bytes in base64 each: the first one encrypts. A changed list is a
   * rotation.
   * @default no encryption; with `hardening`, a key that vnfm creates
   */
  readonly encryptionKeys?: readonly SecretText[];
}

/**
 * Additions to the kubeadm configuration.
 * @example {"ignore_preflight_errors":["Swap"]}
 */
export interface ClusterInstallationKubeadm {
  /**
   * @example ["Swap"]
   */
  readonly ignore_preflight_errors?: readonly string[];
  /**
   * Merged into kubeadm's ClusterConfiguration.
   * @example {"dns":{"imageTag":"v1.12.1"}}
   */
  readonly cluster_configuration?: Fields;
  /**
   * Merged into KubeletConfiguration.
   * @example {"maxPods":200}
   */
  readonly kubelet_configuration?: Fields;
  /**
   * Merged into KubeProxyConfiguration.
   * @example {"mode":"nftables"}
   */
  readonly kube_proxy_configuration?: Fields;
}

/**
 * The machines of the control plane.
 * @example {"flavor":"m1.medium","replicas":3}
 */
export interface ClusterControlPlane {
  /**
   * Name of the machines' flavor.
   */
  readonly flavor: string;
  /**
   * Number of machines: odd, for the quorum of etcd.
   * @default 1
   */
  readonly replicas?: 1 | 3 | 5 | 7;
  /**
   * Nova's availability zones, over which the machines are spread.
   * @default Nova chooses for each machine
   * @example ["az1","az2","az3"]
   */
  readonly availabilityZones?: readonly string[];
  /**
   * Taints of the nodes, in place of `node-role.kubernetes.io/control-plane:NoSchedule`. An empty list means
   * no taints.
   * @example [{"key":"dedicated","value":"control","effect":"NoSchedule"}]
   */
  readonly taints?: readonly Taint[];
  /**
   * A volume of each machine for etcd's data.
   * @default etcd uses the disk that the machine boots from
   * @example {"sizeGiB":10,"type":"ssd"}
   */
  readonly etcdVolume?: ClusterControlPlaneEtcdVolume;
  /**
   * Machines are replaced, a new one first, when their certificates expire in fewer days than this.
   * @default 30
   */
  readonly certificatesExpiryDays?: number;
  /**
   * The volume from which machines boot.
   * @default none, they boot from the flavor's disk
   * @example {"sizeGiB":40,"type":"ssd"}
   */
  readonly rootVolume?: RootVolume;
  /**
   * Further volumes of each machine, which are deleted with it.
   * @example [{"name":"data","sizeGiB":100}]
   */
  readonly volumes?: readonly MachineVolume[];
  /**
   * Ports of each machine in addition to that on the cluster's network.
   * @example [{"network":"radio","vnicType":"direct"}]
   */
  readonly additionalPorts?: readonly MachinePort[];
  /**
   * Nova's metadata of the servers.
   * @example {"tenant":"a"}
   */
  readonly metadata?: {
    readonly [k: string]: string;
  };
  /**
   * Nova's tags of the servers.
   * @example ["tenant-a"]
   */
  readonly tags?: readonly string[];
  /**
   * Gives servers their user data on a config drive.
   * @default the cloud's choice
   */
  readonly configDrive?: boolean;
  /**
   * Policy of a Nova server group for these machines, which is created: each machine on a host of its own,
   * always or if possible.
   * @default no server group
   */
  readonly serverGroup?: "anti-affinity" | "soft-anti-affinity";
  /**
   * A MachineHealthCheck, which replaces machines whose node is lost.
   * @default {}
   * @example {"unhealthyTimeout":"10m","maxUnhealthy":"40%"}
   */
  readonly healthCheck?: HealthCheck;
  /**
   * Time limit for the drain of a node that leaves. After it the machine is deleted with the pods that
   * remain on it.
   * @default "10m"
   * @example "10m"
   */
  readonly nodeDrainTimeout?: string;
  /**
   * Time limit until the volumes of a node that leaves are detached.
   * @default no limit
   * @example "5m"
   */
  readonly nodeVolumeDetachTimeout?: string;
  /**
   * Time limit for deleting the Node after its machine was deleted; a Node that is not deleted by then
   * stays. Cluster API's own 10 s are too short when a control-plane machine leaves: the load balancer must
   * notice it first.
   * @default "5m"
   * @example "1m"
   */
  readonly nodeDeletionTimeout?: string;
  readonly [WITH_DEFAULT]?:
    "replicas" | "certificatesExpiryDays" | "healthCheck" | "nodeDrainTimeout" | "nodeDeletionTimeout";
}

/**
 * The cluster's network: an existing one, or one that is created with a router.
 * @example {"externalNetwork":"public","dnsNameservers":["198.51.100.53"]}
 */
export interface ClusterNetwork {
  /**
   * Name or id of the cloud's external network, for the router and the floating IPs.
   * @default none; the cluster's network is an existing one, or isolated
   */
  readonly externalNetwork?: string;
  /**
   * Name or id of an existing network for the machines.
   * @default a new one is created
   */
  readonly network?: string;
  /**
   * Name or id of a subnet of `network`, for the machines.
   * @default Neutron's choice
   */
  readonly subnet?: string;
  /**
   * Name or id of an existing router. Without `network` it is the router of the new network; by default one
   * is created. With `network` it is that network's own router: `apiServer.allowedCidrs` then let its
   * address in.
   */
  readonly router?: string;
  /**
   * CIDR of the new network.
   * @default `10.6.0.0/24`
   * @example "10.6.0.0/24"
   */
  readonly nodeCidr?: string;
  /**
   * Ranges of `nodeCidr` from which machines get their addresses.
   * @default all of it
   * @example [{"start":"10.6.0.100","end":"10.6.0.200"}]
   */
  readonly allocationPools?: readonly AddressRange[];
  /**
   * MTU of the new network, in bytes.
   * @default the cloud's own
   */
  readonly mtu?: number;
  /**
   * Addresses of the DNS servers of the new network.
   * @default those of the cloud
   * @example ["198.51.100.53"]
   */
  readonly dnsNameservers?: readonly string[];
  /**
   * CIDR of the pods. It is fixed when the cluster is created.
   * @default "10.244.0.0/16"
   * @example "10.244.0.0/16"
   */
  readonly podCidr?: string;
  /**
   * CIDR of the Services. It is fixed when the cluster is created.
   * @default "10.96.0.0/12"
   * @example "10.96.0.0/12"
   */
  readonly serviceCidr?: string;
  /**
   * Further ports that the security groups of all machines open, in addition to what the cluster needs.
   * @default []
   * @example [{"ports":["sctp/38412"],"cidrs":["10.30.0.0/16"]}]
   */
  readonly ingressRules?: readonly ClusterIngressRule[];
  /**
   * A server with a floating IP on the cluster's network, for SSH to the machines.
   * @default none
   * @example {"flavor":"m1.small","image":"debian-12"}
   */
  readonly bastion?: ClusterNetworkBastion;
  readonly [WITH_DEFAULT]?: "podCidr" | "serviceCidr" | "ingressRules";
}

/**
 * Address and options of the API server.
 * @default {}
 * @example {"allowedCidrs":["198.51.100.0/24"],"oidc":{"issuerUrl":"https://login.example.org","clientId":"kubernetes"}}
 */
export interface ClusterApiServer {
  /**
   * Puts an Octavia load balancer in front of the API. Several control-plane machines need this or
   * `kubeVip`.
   * @default true
   */
  readonly loadBalancer?: boolean;
  /**
   * Octavia's provider of the API's load balancer, and of those of Services if
   * openstack-cloud-controller-manager is an addon.
   * @default the cloud's own default; for Services amphora
   */
  readonly loadBalancerProvider?: "amphora" | "ovn";
  /**
   * The API's floating IP: an address, or `false` for none; without one the management cluster must reach
   * the cluster's network.
   * @default a new one is created
   * @example "198.51.100.10"
   * @example false
   */
  readonly floatingIp?: false | string;
  /**
   * The API's address in the cluster's network.
   * @default Neutron's choice
   * @example "10.6.0.10"
   */
  readonly fixedIp?: string;
  /**
   * kube-vip in place of a load balancer: it holds `fixedIp` on one control-plane machine, and moves it to
   * another one when that machine fails. Requires `loadBalancer: false` and `floatingIp: false`.
   * @default none
   * @example {}
   */
  readonly kubeVip?: ClusterApiServerKubeVip;
  /**
   * Port of the API, on the load balancer and on each control-plane machine.
   * @default 6443
   */
  readonly port?: number;
  /**
   * IPv4 networks that may reach the API; not with the provider `ovn`, which cannot restrict them.
   * @default all
   * @example ["198.51.100.0/24"]
   */
  readonly allowedCidrs?: readonly string[];
  /**
   * Further names and addresses in the API's certificate.
   * @example ["api.example.org"]
   */
  readonly certSans?: readonly string[];
  /**
   * Arguments of kube-apiserver by name.
   * @default {}
   * @example {"event-ttl":"2h"}
   */
  readonly extraArgs?: {
    readonly [k: string]: string;
  };
  /**
   * Issuer of the OpenID Connect tokens that the API server accepts.
   * @default none
   * @example {"issuerUrl":"https://login.example.org","clientId":"kubernetes"}
   */
  readonly oidc?: Oidc;
  /**
   * Keystone, whose tokens the API server accepts through k8s-keystone-auth on each control-plane machine.
   * Groups of a user: those that `roles` assigns, the id of the token's project, and the user's groups in
   * Keystone.
   * @default none
   * @example {"authUrl":"https://keystone.example.org/v3","roles":{"tenant-operator":["operators"]}}
   */
  readonly keystone?: Keystone;
  /**
   * An audit Policy, without apiVersion and kind; events go to files in `/var/log/kubernetes/audit`.
   * @default no audit, or that of `hardening`
   * @example {"rules":[{"level":"Metadata"}]}
   */
  readonly auditPolicy?: AuditPolicy;
  /**
   * An AdmissionConfiguration, without apiVersion and kind.
   * @default Kubernetes' own, or that of `hardening`
   * @example {"plugins":[{"name":"PodSecurity","configuration":{"apiVersion":"pod-security.admission.config.k8s.io/v1","kind":"PodSecurityConfiguration","defaults":{"enforce":"baseline"}}}]}
   */
  readonly admissionConfiguration?: AdmissionConfiguration;
  /**
   * Keys that encrypt Secrets in etcd, 32 bytes in base64 each: the first one encrypts, the others only
   * decrypt. `hardening` requires them.
   * @default no encryption
   */
  readonly encryptionKeys?: readonly SecretText[];
  readonly [WITH_DEFAULT]?: "loadBalancer" | "port" | "extraArgs";
}

/**
 * Additions to the kubeadm configuration.
 * @default {}
 * @example {"preKubeadmCommands":["modprobe sctp"]}
 */
export interface ClusterKubeadm {
  /**
   * Names of kubeadm checks whose errors are only warnings.
   * @default []
   * @example ["Swap"]
   */
  readonly ignorePreflightErrors?: readonly string[];
  /**
   * Arguments of the kubelets by name. `node-labels` apply to all machines; `labels` of a group override
   * them.
   * @default {}
   * @example {"max-pods":"200"}
   */
  readonly kubeletExtraArgs?: {
    readonly [k: string]: string;
  };
  /**
   * Fields of KubeProxyConfiguration. They take effect only when the cluster is created, as kubeadm writes
   * them once: a later change replaces the control-plane machines without any other effect.
   * @example {"mode":"nftables"}
   */
  readonly kubeProxyConfiguration?: Fields;
  /**
   * Files of all machines. A changed file replaces the machines; an encrypted one reaches new machines only.
   * @default []
   * @example [{"path":"/etc/sysctl.d/90-site.conf","content":"vm.max_map_count=262144\n"}]
   */
  readonly files?: readonly NodeFile[];
  /**
   * Shell commands on each machine before kubeadm.
   * @default []
   * @example ["modprobe sctp"]
   */
  readonly preKubeadmCommands?: readonly string[];
  /**
   * Shell commands on each machine after kubeadm.
   * @default []
   * @example ["systemctl enable --now site-agent"]
   */
  readonly postKubeadmCommands?: readonly string[];
  /**
   * Phases that `kubeadm init` skips when the cluster is created, such as `addon/kube-proxy`.
   * @default []
   * @example ["addon/kube-proxy"]
   */
  readonly skipPhases?: readonly string[];
  readonly [WITH_DEFAULT]?:
    | "ignorePreflightErrors"
    | "kubeletExtraArgs"
    | "files"
    | "preKubeadmCommands"
    | "postKubeadmCommands"
    | "skipPhases";
}

export interface ClusterRegistryLogin {
  /**
   * @example "reader"
   */
  readonly username: string;
  readonly password: SecretText;
}

/**
 * The site's proxy, through which containerd pulls images.
 * @default none
 * @example {"httpsProxy":"http://proxy.example.org:3128","noProxy":".example.org,10.30.0.0/16"}
 */
export interface ClusterProxy {
  /**
   * Proxy for `http://` URLs.
   * @example "http://proxy.example.org:3128"
   */
  readonly httpProxy?: SecretText;
  /**
   * Proxy for `https://` URLs.
   * @example "http://proxy.example.org:3128"
   */
  readonly httpsProxy?: SecretText;
  /**
   * Hosts, domains, addresses and CIDRs, comma separated; the cluster's own addresses are added.
   * @example ".example.org,10.30.0.0/16"
   */
  readonly noProxy?: string;
}

/**
 * The application credential that the cluster's controllers use.
 * @default {}
 * @example {"roles":["member","load-balancer_member"]}
 */
export interface ClusterCredential {
  /**
   * Keystone roles of the credential.
   * @default `member` and, if the user of `pulumi up` has it in the project, `load-balancer_member`
   * @example ["member","load-balancer_member"]
   */
  readonly roles?: readonly string[];
  /**
   * Expiry time of the credential: `status`, `check` and each preview warn 30 days before.
   * @default it does not expire
   * @example "2027-01-31T00:00:00Z"
   */
  readonly expiresAt?: string;
  /**
   * Keystone's access rules: the only API requests for which the credential is valid.
   * @default all
   * @example [{"service":"compute","method":"GET","path":"/v2.1/servers/**"}]
   */
  readonly accessRules?: readonly AccessRule[];
  /**
   * A new value, for example today's date, replaces the credential by a new one.
   * @default none
   */
  readonly rotate?: string;
}

/**
 * cluster-autoscaler for the node groups with `autoscaling`, on the management cluster.
 * @default none
 * @example {}
 */
export interface ClusterAutoscaler {
  /**
   * Image of cluster-autoscaler.
   * @default `registry.k8s.io/autoscaling/cluster-autoscaler` of the minor version of Kubernetes
   * @example "registry.example/autoscaling/cluster-autoscaler:v1.33.0"
   */
  readonly image?: string;
}

/**
 * Smallest and largest number of machines for cluster-autoscaler, which then sets the number in place of
 * vnfm.
 * @default `replicas` sets the number
 * @example {"min":1,"max":5}
 */
export interface NodeGroupAutoscaling {
  /**
   * Smallest number of machines.
   */
  readonly min: number;
  /**
   * Largest number of machines.
   */
  readonly max: number;
}

/**
 * The objects to change.
 * @example {"kind":"OpenStackMachineTemplate","machines":"controlPlane"}
 */
export interface ClusterPatchTarget {
  /**
   * Kind of the objects.
   */
  readonly kind:
    | "Cluster"
    | "OpenStackCluster"
    | "KubeadmControlPlane"
    | "MachineDeployment"
    | "OpenStackMachineTemplate"
    | "KubeadmConfigTemplate"
    | "MachineHealthCheck";
  /**
   * Only the objects of `controlPlane`, or of one node group by its name.
   * @default all objects of the kind
   * @example "controlPlane"
   */
  readonly machines?: string;
}

export interface VirtualLinkSubnetIpAllocationPool {
  /**
   * The first address.
   * @example "10.20.0.100"
   */
  readonly start: string;
  /**
   * The last address.
   * @example "10.20.0.200"
   */
  readonly end: string;
}

export interface ClusterInstallationStorageServerCinderVolumeSetupParam {
  /**
   * The volume: a VirtualBlockStorage of the server's VDU.
   */
  readonly volume_resource_id: string;
  /**
   * An absolute path, for example /volume.
   * @example "/volume"
   */
  readonly mount_to: string;
}

export interface ClusterInstallationStorageServerNfsServerSetupParam {
  /**
   * A directory on one of the volumes.
   * @example "/volume/nfs"
   */
  readonly export_dir: string;
  /**
   * The clients that may mount it.
   * @example "10.20.0.0/24"
   */
  readonly export_to: string;
  /**
   * Options as in exports(5).
   * @default `rw,sync,no_subtree_check,no_root_squash`; each preview then warns that root on a client is
   * root in the directory, see Root
   * @example "rw,sync,no_subtree_check"
   */
  readonly export_options?: string;
}

export interface AccessRule {
  /**
   * Type of the service, such as `compute`.
   */
  readonly service: string;
  /**
   * HTTP method.
   */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * Path of the request, with `*`, `**` and `{name}`.
   * @example "/v2.1/servers/**"
   */
  readonly path: string;
}

/**
 * A volume of each machine for etcd's data.
 * @default etcd uses the disk that the machine boots from
 * @example {"sizeGiB":10,"type":"ssd"}
 */
export interface ClusterControlPlaneEtcdVolume {
  /**
   * Size in GiB.
   */
  readonly sizeGiB: number;
  /**
   * Cinder volume type.
   * @default the cloud's own
   */
  readonly type?: string;
  /**
   * Name of the device on the machine.
   * @default "/dev/vdb"
   * @example "/dev/vdb"
   */
  readonly device?: string;
  readonly [WITH_DEFAULT]?: "device";
}

/**
 * A server with a floating IP on the cluster's network, for SSH to the machines.
 * @default none
 * @example {"flavor":"m1.small","image":"debian-12"}
 */
export interface ClusterNetworkBastion {
  /**
   * Name of the server's flavor.
   */
  readonly flavor: string;
  /**
   * Name or id of the server's image.
   */
  readonly image: string;
  /**
   * Nova's availability zone of the server.
   * @default Nova's choice
   */
  readonly availabilityZone?: string;
}

/**
 * kube-vip in place of a load balancer: it holds `fixedIp` on one control-plane machine, and moves it to
 * another one when that machine fails. Requires `loadBalancer: false` and `floatingIp: false`.
 * @default none
 * @example {}
 */
export interface ClusterApiServerKubeVip {
  /**
   * Image of kube-vip.
   * @default "ghcr.io/kube-vip/kube-vip:v1.0.0"
   * @example "registry.example/kube-vip/kube-vip:v1.0.0"
   */
  readonly image?: string;
  readonly [WITH_DEFAULT]?: "image";
}
