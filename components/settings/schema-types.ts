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
   * Scale level by aspect; wins over the instantiation level. Editing it is scale out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Scale levels by aspect on top of the present ones, for a while: `vnfm upgrade --surge` adds workers that
   * stand in for those that are replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` is the whole instance: all of its servers and the cluster on them, or the pods
   * of a CNF's workloads.
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
   * Agrees that `heal.all` deletes what is on a cluster. false: CNFs of this stack, pods and persistent
   * volumes in use make the run fail. true: pods are deleted first; CNFs of this stack are deleted, and
   * created again on the new cluster.
   * @default false
   */
  readonly evacuate?: boolean;
  /**
   * strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows
   * the rule as far as it has hosts for it.
   * @default "strict"
   */
  readonly placementPolicy?: "strict" | "soft";
  /**
   * The network of each external connection point, by the name of the CP or of its requirement in
   * substitution_mappings (for example virtual_link_external1_1).
   * @example {"masterNode_CP1":{"network":"public"}}
   */
  readonly extVirtualLinks?: {
    readonly [k: string]: ExtVirtualLink;
  };
  /**
   * Networks that vnfm creates for the instance, see Tenant networks, by name: that of a `virtualLink` under
   * extVirtualLinks, or of a virtual link in the VNFD, whose properties these settings then replace.
   * @example {"nodes":{"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}}
   */
  readonly virtualLinks?: {
    readonly [k: string]: VirtualLink;
  };
  /**
   * Image of Glance, by its name or id, for a VDU, or for a VirtualBlockStorage that has one, where the
   * VNFD's sw_image_data.name is not the cloud's name.
   * @example {"masterNode":"debian-12"}
   */
  readonly images?: {
    readonly [k: string]: string;
  };
  /**
   * Flavor of Nova, by its name or id, for a VDU, where the VNFD's requested_additional_capability_name is
   * not the cloud's name.
   * @example {"masterNode":"m1.medium"}
   */
  readonly flavors?: {
    readonly [k: string]: string;
  };
  /**
   * Settings of the servers of a VDU in Nova and Cinder, in addition to image and flavor, see Servers and
   * ports.
   * @example {"masterNode":{"availabilityZones":["az1","az2"]}}
   */
  readonly servers?: {
    readonly [k: string]: Servers;
  };
  /**
   * Protects the volumes of the servers from being deleted or replaced: a run that would do so fails in its
   * preview.
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
   * Keeps the CustomResourceDefinitions and Namespaces of a CNF, or of the addons of a cluster, while others
   * have custom resources of them or objects in them, see Objects of others. To have them deleted, set it to
   * `false` and run `pulumi up` first.
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
   * The Kubernetes cluster that the VNF's servers become (specification: Support deploying Kubernetes
   * cluster with MgmtDriver).
   * @example {"master_node":{"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"},"worker_node":{"aspect_id":"worker_instance","ssh_cp_name":"workerNode_CP2"},"management_cidrs":["198.51.100.0/24"]}
   */
  readonly k8s_cluster_installation_param: ClusterInstallation;
  /**
   * Tacker's; charts are used where using_helm_install_param has some.
   */
  readonly use_helm?: true | "true";
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config say all.
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
   * Scale level by aspect; wins over the instantiation level. Editing it is scale out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Scale levels by aspect on top of the present ones, for a while: `vnfm upgrade --surge` adds workers that
   * stand in for those that are replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` is the whole instance: all of its servers and the cluster on them, or the pods
   * of a CNF's workloads.
   * @example {"workerNode-2":"2026-11-21"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows
   * the rule as far as it has hosts for it.
   * @default "strict"
   */
  readonly placementPolicy?: "strict" | "soft";
  /**
   * The network of each external connection point, by the name of the CP or of its requirement in
   * substitution_mappings (for example virtual_link_external1_1).
   * @example {"masterNode_CP1":{"network":"public"}}
   */
  readonly extVirtualLinks?: {
    readonly [k: string]: ExtVirtualLink;
  };
  /**
   * Networks that vnfm creates for the instance, see Tenant networks, by name: that of a `virtualLink` under
   * extVirtualLinks, or of a virtual link in the VNFD, whose properties these settings then replace.
   * @example {"nodes":{"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}}
   */
  readonly virtualLinks?: {
    readonly [k: string]: VirtualLink;
  };
  /**
   * Image of Glance, by its name or id, for a VDU, or for a VirtualBlockStorage that has one, where the
   * VNFD's sw_image_data.name is not the cloud's name.
   * @example {"masterNode":"debian-12"}
   */
  readonly images?: {
    readonly [k: string]: string;
  };
  /**
   * Flavor of Nova, by its name or id, for a VDU, where the VNFD's requested_additional_capability_name is
   * not the cloud's name.
   * @example {"masterNode":"m1.medium"}
   */
  readonly flavors?: {
    readonly [k: string]: string;
  };
  /**
   * Settings of the servers of a VDU in Nova and Cinder, in addition to image and flavor, see Servers and
   * ports.
   * @example {"masterNode":{"availabilityZones":["az1","az2"]}}
   */
  readonly servers?: {
    readonly [k: string]: Servers;
  };
  /**
   * Protects the volumes of the servers from being deleted or replaced: a run that would do so fails in its
   * preview.
   * @default true
   */
  readonly protectVolumes?: boolean;
  /**
   * true: a VNFC that boots from a volume keeps it, with everything on it, when its server is replaced, as
   * by a heal. false: each server has a volume of its own, which is deleted with it.
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
   * Tacker's; charts are used where using_helm_install_param has some.
   */
  readonly use_helm?: true | "true";
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config say all.
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
   * Scale level by aspect; wins over the instantiation level. Editing it is scale out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Scale levels by aspect on top of the present ones, for a while: `vnfm upgrade --surge` adds workers that
   * stand in for those that are replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` is the whole instance: all of its servers and the cluster on them, or the pods
   * of a CNF's workloads.
   * @example {"workerNode-2":"2026-11-21"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * The target cluster of a CNF: a cluster of this stack by its instance name, or an object with the VIM
   * name of a cluster of another stack, or with a kubeconfig.
   * @example "vnf-a"
   * @example {"stack":"clusters","vim_name":"kubernetes_vim_vnf-a"}
   */
  readonly vim:
    | string
    | {
        /**
         * The Pulumi stack that contains the VIM, a cluster VNF; with vim_name. A name without organization and
         * project is a stack of this project.
         * @example "clusters"
         * @example "organization/vnfm/clusters"
         */
        readonly stack: string;
        /**
         * Name of the VIM: what vim_name is in that stack's config, by default kubernetes_vim_<instance name>.
         */
        readonly vim_name: string;
      }
    | {
        /**
         * The kubeconfig's text, a Pulumi secret; without stack and vim_name.
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
   * Keeps the CustomResourceDefinitions and Namespaces of a CNF, or of the addons of a cluster, while others
   * have custom resources of them or objects in them, see Objects of others. To have them deleted, set it to
   * `false` and run `pulumi up` first.
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
   * @default the manifests are taken as they are; with `{}` they have their defaults
   * @example {"REPLICAS":2,"GREETING":"hello"}
   */
  readonly variables?: {
    readonly [k: string]:
      (PerhapsSecret<string> | PerhapsSecret<number> | PerhapsSecret<boolean>) | Attribute;
  };
  /**
   * Namespace of the CNF's objects that name none; made when it is not there.
   * @default the manifest's, else `default`
   * @example "web-1"
   */
  readonly namespace?: string;
  /**
   * Labels of the namespace, where it is made: for example `pod-security.kubernetes.io/enforce: restricted`.
   * @default none
   * @example {"pod-security.kubernetes.io/enforce":"restricted"}
   */
  readonly namespace_labels?: {
    readonly [k: string]: string;
  };
  /**
   * The version of Kubernetes of the cluster that the CNF is on, which its charts are rendered for, and its
   * manifests checked against.
   * @default that which the stack config has for the cluster; else for charts that of the cluster itself,
   * where it is known, see Preview
   * @example "v1.33.0"
   */
  readonly kubernetes_version?: string;
  /**
   * Puts all objects of the CNF into `namespace`, also those whose manifests name another one.
   * @default false, the namespace of the manifest stays
   */
  readonly override_namespace?: boolean;
  /**
   * The controller object of each VDU of a CNF, or `none` for a VDU that has no object in the manifests.
   * @default the object whose name is the VDU's property `name`
   * @example {"web":{"kind":"Deployment","name":"web-frontend"},"db":"none"}
   */
  readonly vdu_mapping?: {
    readonly [k: string]: "none" | VduMapping;
  };
  /**
   * Tacker's; charts are used where using_helm_install_param has some.
   */
  readonly use_helm?: true | "true";
  /**
   * The Helm releases of a CNF, in the order in which they are installed, see Helm charts.
   * @default the charts of the VNFD's Mciops, where there are no manifests
   * @example [{"helmreleasename":"web","helmchartfile_path":"Files/kubernetes/web-1.0.0.tgz"}]
   */
  readonly using_helm_install_param?: readonly HelmInstallParam[];
  /**
   * For each scaling aspect of a chart's VDUs the value of the chart that has the number of instances, such
   * as `replicaCount` or `web.replicas`.
   * @example {"web_aspect":"web.replicas"}
   */
  readonly helm_replica_values?: {
    readonly [k: string]: string;
  };
  /**
   * A web server that gets the credentials of a workload cluster, see Credentials for others.
   * @default none
   * @example {"url":"https://receiver.example/clusters"}
   */
  readonly credentials_receiver?: CredentialsReceiver;
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config say all.
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
   * Scale level by aspect; wins over the instantiation level. Editing it is scale out or in.
   * @example {"worker_instance":2}
   */
  readonly scale?: {
    readonly [k: string]: number;
  };
  /**
   * Scale levels by aspect on top of the present ones, for a while: `vnfm upgrade --surge` adds workers that
   * stand in for those that are replaced.
   * @example {"worker_instance":1}
   */
  readonly surge?: {
    readonly [k: string]: number;
  };
  /**
   * A token by VNFC (<VDU>-<ordinal>, for example workerNode-2): a new token, for example today's date,
   * replaces that VNFC. `all` is the whole instance: all of its servers and the cluster on them, or the pods
   * of a CNF's workloads.
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
   * Agrees that `heal.all` deletes what is on a cluster. false: CNFs of this stack, pods and persistent
   * volumes in use make the run fail. true: pods are deleted first; CNFs of this stack are deleted, and
   * created again on the new cluster.
   * @default false
   */
  readonly evacuate?: boolean;
  /**
   * strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows
   * the rule as far as it has hosts for it.
   * @default "strict"
   */
  readonly placementPolicy?: "strict" | "soft";
  /**
   * The network of each external connection point, by the name of the CP or of its requirement in
   * substitution_mappings (for example virtual_link_external1_1).
   * @example {"masterNode_CP1":{"network":"public"}}
   */
  readonly extVirtualLinks?: {
    readonly [k: string]: ExtVirtualLink;
  };
  /**
   * Networks that vnfm creates for the instance, see Tenant networks, by name: that of a `virtualLink` under
   * extVirtualLinks, or of a virtual link in the VNFD, whose properties these settings then replace.
   * @example {"nodes":{"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}}
   */
  readonly virtualLinks?: {
    readonly [k: string]: VirtualLink;
  };
  /**
   * Image of Glance, by its name or id, for a VDU, or for a VirtualBlockStorage that has one, where the
   * VNFD's sw_image_data.name is not the cloud's name.
   * @example {"masterNode":"debian-12"}
   */
  readonly images?: {
    readonly [k: string]: string;
  };
  /**
   * Flavor of Nova, by its name or id, for a VDU, where the VNFD's requested_additional_capability_name is
   * not the cloud's name.
   * @example {"masterNode":"m1.medium"}
   */
  readonly flavors?: {
    readonly [k: string]: string;
  };
  /**
   * Settings of the servers of a VDU in Nova and Cinder, in addition to image and flavor, see Servers and
   * ports.
   * @example {"masterNode":{"availabilityZones":["az1","az2"]}}
   */
  readonly servers?: {
    readonly [k: string]: Servers;
  };
  /**
   * Protects the volumes of the servers from being deleted or replaced: a run that would do so fails in its
   * preview.
   * @default true
   */
  readonly protectVolumes?: boolean;
  /**
   * true: a VNFC that boots from a volume keeps it, with everything on it, when its server is replaced, as
   * by a heal. false: each server has a volume of its own, which is deleted with it.
   * @default false
   */
  readonly keepBootVolumes?: boolean;
  /**
   * The target cluster of a CNF: a cluster of this stack by its instance name, or an object with the VIM
   * name of a cluster of another stack, or with a kubeconfig.
   * @example "vnf-a"
   * @example {"stack":"clusters","vim_name":"kubernetes_vim_vnf-a"}
   */
  readonly vim?:
    | string
    | {
        /**
         * The Pulumi stack that contains the VIM, a cluster VNF; with vim_name. A name without organization and
         * project is a stack of this project.
         * @example "clusters"
         * @example "organization/vnfm/clusters"
         */
        readonly stack: string;
        /**
         * Name of the VIM: what vim_name is in that stack's config, by default kubernetes_vim_<instance name>.
         */
        readonly vim_name: string;
      }
    | {
        /**
         * The kubeconfig's text, a Pulumi secret; without stack and vim_name.
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
   * Keeps the CustomResourceDefinitions and Namespaces of a CNF, or of the addons of a cluster, while others
   * have custom resources of them or objects in them, see Objects of others. To have them deleted, set it to
   * `false` and run `pulumi up` first.
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
   * The token of the service account `kube-system/vnfm`, so kubeconfigs and vimConnectionInfo.
   */
  readonly service_account?: string;
  /**
   * The certificates that kubeadm made on the masters; the CAs stay.
   */
  readonly certificates?: string;
  /**
   * The key that encrypts Secrets in etcd, if vnfm created it; all Secrets are written again.
   */
  readonly encryption_key?: string;
  /**
   * The application credential of a cluster with cloud_provider; its addons restart.
   */
  readonly credential?: string;
}

/**
 * @example {"availabilityZones":["az1","az2"],"tags":["tenant-a"]}
 */
export interface Servers {
  /**
   * Nova's zones, in turn: the first is that of the VDU's first server. A cloud that lets the project do so
   * takes `<zone>:<host>` too.
   * @default Nova's choice
   * @example ["az1","az2"]
   */
  readonly availabilityZones?: readonly string[];
  /**
   * Cinder's zones of the volumes that the stack makes, in turn as those of the servers.
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
   * Nova's metadata of the servers, which the cloud shows to who may see the servers: no secrets.
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
   * Hints for Nova's scheduler by their names in Nova's API; those beside the ones below are one text each,
   * for example `reservation` of Blazar.
   * @example {"reservation":"6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"}
   */
  readonly schedulerHints?: ServersSchedulerHints;
}

/**
 * A network of the cloud that exists already, or one of virtualLinks or of the VNFD: either network or
 * virtualLink.
 * @example {"virtualLink":"nodes","floatingNetwork":"public"}
 */
export interface ExtVirtualLink {
  /**
   * Id or name of a Neutron network that exists already.
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
   * Id or name of the external network of which each port of the connection point gets a floating IP. A
   * router must lead from there to the port's network. The floating IP stays where its server is healed.
   * @default none, no floating IPs
   */
  readonly floatingNetwork?: string;
  /**
   * The addresses of the ports, of each IP version one for each server, in the order of the servers'
   * numbers. Of a VipCp, such as that of the API of a cluster, one of each IP version, which it keeps as
   * long as there is the instance.
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
   * Ids or names of security groups that exist, beside those that the stack makes for a cluster.
   * @default none; ports of servers that are no cluster then have the project's group `default`
   * @example ["web"]
   */
  readonly securityGroups?: readonly string[];
  /**
   * Port security: Neutron filters the traffic of the ports. false: they have no security group, and may
   * send from any address.
   * @default as the network has it
   */
  readonly portSecurity?: boolean;
  /**
   * The type of the ports, such as `direct` for SR-IOV.
   * @default vnic_type of the connection point in the VNFD
   */
  readonly vnicType?: "normal" | "baremetal" | "direct" | "direct-physical" | "macvtap" | "virtio-forwarder";
  /**
   * Data for Neutron's drivers about the ports (`binding:profile`); most clouds allow it to administrators
   * only.
   * @example {"capabilities":["switchdev"]}
   */
  readonly bindingProfile?: Fields;
  /**
   * Id or name of Neutron's QoS policy of the ports.
   * @default that of the network
   */
  readonly qosPolicy?: string;
  /**
   * Neutron's tags of the ports.
   * @example ["tenant-a"]
   */
  readonly tags?: readonly string[];
}

/**
 * A Neutron network that is made, and gone with the instance.
 * @example {"subnets":[{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}],"router":{"externalNetwork":"public"}}
 */
export interface VirtualLink {
  /**
   * Its subnets.
   * @default those of the VNFD's virtual link; required for another one
   * @example [{"cidr":"10.20.0.0/24","gatewayIp":"10.20.0.1"}]
   */
  readonly subnets?: readonly VirtualLinkSubnet[];
  /**
   * MTU in bytes.
   * @default the VNFD's, else the cloud's own
   */
  readonly mtu?: number;
  /**
   * Addresses of the DNS servers of its servers, each for the subnets of its IP version.
   * @default the cloud's own
   * @example ["198.51.100.53"]
   */
  readonly dnsNameservers?: readonly string[];
  /**
   * The router of its subnets: id or name of one that exists, or an object for one that is made.
   * @default none, the network leads nowhere
   * @example "site-router"
   * @example {"externalNetwork":"public"}
   */
  readonly router?:
    | string
    | {
        /**
         * Id or name of the external network that the router leads to. What servers send there has the router's
         * address (SNAT), where the cloud's default is so.
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
   * The Kubernetes cluster that the VNF's servers become (specification: Support deploying Kubernetes
   * cluster with MgmtDriver).
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
   * @default the manifests are taken as they are; with `{}` they have their defaults
   * @example {"REPLICAS":2,"GREETING":"hello"}
   */
  readonly variables?: {
    readonly [k: string]:
      (PerhapsSecret<string> | PerhapsSecret<number> | PerhapsSecret<boolean>) | Attribute;
  };
  /**
   * Namespace of the CNF's objects that name none; made when it is not there.
   * @default the manifest's, else `default`
   * @example "web-1"
   */
  readonly namespace?: string;
  /**
   * Labels of the namespace, where it is made: for example `pod-security.kubernetes.io/enforce: restricted`.
   * @default none
   * @example {"pod-security.kubernetes.io/enforce":"restricted"}
   */
  readonly namespace_labels?: {
    readonly [k: string]: string;
  };
  /**
   * The version of Kubernetes of the cluster that the CNF is on, which its charts are rendered for, and its
   * manifests checked against.
   * @default that which the stack config has for the cluster; else for charts that of the cluster itself,
   * where it is known, see Preview
   * @example "v1.33.0"
   */
  readonly kubernetes_version?: string;
  /**
   * Puts all objects of the CNF into `namespace`, also those whose manifests name another one.
   * @default false, the namespace of the manifest stays
   */
  readonly override_namespace?: boolean;
  /**
   * The controller object of each VDU of a CNF, or `none` for a VDU that has no object in the manifests.
   * @default the object whose name is the VDU's property `name`
   * @example {"web":{"kind":"Deployment","name":"web-frontend"},"db":"none"}
   */
  readonly vdu_mapping?: {
    readonly [k: string]: "none" | VduMapping;
  };
  /**
   * Tacker's; charts are used where using_helm_install_param has some.
   */
  readonly use_helm?: true | "true";
  /**
   * The Helm releases of a CNF, in the order in which they are installed, see Helm charts.
   * @default the charts of the VNFD's Mciops, where there are no manifests
   * @example [{"helmreleasename":"web","helmchartfile_path":"Files/kubernetes/web-1.0.0.tgz"}]
   */
  readonly using_helm_install_param?: readonly HelmInstallParam[];
  /**
   * For each scaling aspect of a chart's VDUs the value of the chart that has the number of instances, such
   * as `replicaCount` or `web.replicas`.
   * @example {"web_aspect":"web.replicas"}
   */
  readonly helm_replica_values?: {
    readonly [k: string]: string;
  };
  /**
   * A web server that gets the credentials of a workload cluster, see Credentials for others.
   * @default none
   * @example {"url":"https://receiver.example/clusters"}
   */
  readonly credentials_receiver?: CredentialsReceiver;
  /**
   * Tacker's user data script. Not needed here: the VNFD and this config say all.
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
   * The Helm release that the object is of.
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
   * Credentials for the repository of the chart, used for no other host but `token_host`.
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
   * Labels of the namespace, where it is made: for example `pod-security.kubernetes.io/enforce: restricted`.
   * @default none
   * @example {"pod-security.kubernetes.io/enforce":"restricted"}
   */
  readonly namespaceLabels?: {
    readonly [k: string]: string;
  };
  /**
   * Values of the chart, over those that the cluster gives it; also those of other instances.
   * @example {"logVerbosityLevel":4}
   */
  readonly values?: Fields;
}

/**
 * A value of another instance, see Values of other instances.
 */
export interface Attribute {
  /**
   * The name of the instance, then the keys in its outputs; of an entry of a list its place, from 0, or its
   * name.
   * @example ["gateway","vnfcs","VDU1-1","addresses","VDU1_CP1"]
   */
  readonly get_attribute: readonly (string | number)[];
}

/**
 * Credentials for the repository of the chart, used for no other host but `token_host`.
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
   * The host that a registry (`oci://`) has its tokens from, `<host>` or `<host>:<port>`, which gets the
   * password too.
   * @default the registry itself; of registry-1.docker.io it is auth.docker.io, of registry.gitlab.com
   * gitlab.com
   * @example "gitlab.example.org"
   */
  readonly token_host?: string;
}

/**
 * The section `[BlockStorage]` of cloud.conf of Cinder's CSI driver, by the driver's names.
 * @default nothing
 * @example {"node-volume-attach-limit":20}
 */
export interface BlockStorage {
  /**
   * Allows a volume on any node, if Cinder's zones have other names than Nova's: the storage class then has
   * `availability` among its `parameters`, and Nova must allow it (`cross_az_attach`).
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
   * A node looks for the new size of a volume that has grown.
   */
  readonly "rescan-on-resize"?: boolean;
}

/**
 * A web server that gets the credentials of a workload cluster, see Credentials for others.
 * @default none
 * @example {"url":"https://receiver.example/clusters"}
 */
export interface CredentialsReceiver {
  /**
   * URL that they are posted to.
   * @example "https://receiver.example/clusters"
   */
  readonly url: string;
  /**
   * Certificates of the server's CA, PEM.
   * @default those that Node.js knows
   * @example "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
   */
  readonly ca?: string;
  /**
   * Headers of each request by name, such as `Authorization`.
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
   * The chart: its folder or its archive, a path in the package or else next to Pulumi.yaml.
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
   * Credentials for the repository of the chart, used for no other host but `token_host`.
   * @default none
   * @example {"username":"reader","password":"..."}
   */
  readonly login?: ChartLogin;
  /**
   * Version of a repository's chart; no range of versions.
   * @example "1.11.5"
   */
  readonly version?: string;
  /**
   * SHA-256 of a repository's chart: that of the archive, as its index has it; of a registry's chart, that
   * of its manifest, as `helm pull` prints it.
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
   * Values of the chart, as in a values file; `helmparameter` wins over them. `null` takes out a default of
   * the chart. Also values of other instances.
   * @example {"service":{"type":"NodePort"}}
   */
  readonly values?: Fields;
  /**
   * Secret values of the chart by the keys of `helm install --set`, each a Pulumi secret; they win over the
   * others.
   * @example {"auth.password":"..."}
   */
  readonly secret_values?: {
    readonly [k: string]: SecretText;
  };
  /**
   * Helm itself waits until the release's objects are ready, and rolls back an upgrade that fails.
   * @default false, `pulumi up` waits, says why an object is not ready, and leaves what it has upgraded
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
   * Its rules.
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
 * Issuer of the OpenID Connect tokens that it accepts.
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
   * Id of the client that tokens are for.
   */
  readonly clientId: string;
  /**
   * Claim with the user's name.
   * @default `sub`
   */
  readonly usernameClaim?: string;
  /**
   * In front of user names.
   * @default the issuer's URL, or none with `email` as the claim
   */
  readonly usernamePrefix?: string;
  /**
   * Claim with the user's groups.
   * @default none
   */
  readonly groupsClaim?: string;
  /**
   * In front of groups.
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
 * Keystone, whose tokens it takes by k8s-keystone-auth on each machine of the control plane. The user's
 * groups are those that `roles` gives, the id of the token's project, and the user's groups of Keystone.
 * @default none
 * @example {"authUrl":"https://keystone.example.org/v3","roles":{"tenant-operator":["operators"]}}
 */
export interface Keystone {
  /**
   * URL of its API, which machines of the control plane reach without a proxy.
   * @example "https://keystone.example.org/v3"
   */
  readonly authUrl: string;
  /**
   * Certificates of its CA, PEM.
   * @default the public ones that the image has
   * @example "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
   */
  readonly ca?: string;
  /**
   * Groups of Kubernetes by the role of Keystone that gives them, whatever project it is had in.
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
   * Its text.
   * @example "vm.max_map_count=262144\n"
   */
  readonly content: PerhapsSecret<string>;
  /**
   * Its mode.
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
   * The scaling aspect of the node's VDU.
   * @default the aspect whose deltas name it
   */
  readonly aspect_id?: string;
  /**
   * The node's VDU.
   * @default the VDU of ssh_cp_name
   */
  readonly vdu_id?: string;
  /**
   * The connection point that SSH goes to.
   */
  readonly ssh_cp_name: string;
  /**
   * The connection point whose address is the node's in the cluster.
   * @default ssh_cp_name
   */
  readonly nic_cp_name?: string;
  /**
   * User of the login; needs sudo without a password.
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
   * @default a key pair made for this instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * Labels of the nodes, which nodes that are there get and lose too.
   * @default none
   * @example {"gpu":"true"}
   */
  readonly labels?: {
    readonly [k: string]: string;
  };
  /**
   * Taints of the nodes: a new node joins with them, nodes that are there get and lose them too.
   * @default none
   * @example [{"key":"gpu","value":"true","effect":"NoSchedule"}]
   */
  readonly taints?: readonly Taint[];
  readonly [WITH_DEFAULT]?: "username";
}

/**
 * The Kubernetes cluster that the VNF's servers become (specification: Support deploying Kubernetes
 * cluster with MgmtDriver).
 * @example {"master_node":{"ssh_cp_name":"masterNode_CP1","pod_cidr":"10.244.0.0/16"},"worker_node":{"aspect_id":"worker_instance","ssh_cp_name":"workerNode_CP2"},"management_cidrs":["198.51.100.0/24"]}
 */
export interface ClusterInstallation {
  /**
   * A script of the package that prepares a node as root before kubeadm runs, after apt_repository: it must
   * be safe to run again, and leaves `kubeadm init` and `kubeadm join` to vnfm. It is given NODE_NAME,
   * NODE_ROLE (master or worker) and the proxy in http_proxy, https_proxy and no_proxy.
   * @default none, the image brings Kubernetes
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
   * Workers of other VDUs beside those of worker_node, such as nodes with GPUs, each a pool of its own, see
   * Pools of workers.
   * @default none
   * @example [{"vdu_id":"gpuNode","aspect_id":"gpu_instance","ssh_cp_name":"gpuNode_CP3","labels":{"gpu":"true"}}]
   */
  readonly worker_pools?: readonly WorkerNode[];
  /**
   * Load balancer of the API of several control-plane nodes (specification: Support HA Kubernetes Master
   * deployment). HAProxy and keepalived run on the VDU whose connection point is the target of the VNFD's
   * VipCp: the control-plane nodes, or servers of their own. If the VipCp has the vip_function load_balance,
   * it is Octavia.
   * @default {}
   * @example {"ssh_cp_name":"loadBalancer_CP3","virtual_router_id":7}
   */
  readonly load_balancer?: ClusterInstallationLoadBalancer;
  /**
   * The host that SSH goes through to the servers which have no floating IP at ssh_cp_name, see Tenant
   * networks.
   * @default none, SSH goes straight to each
   * @example {"vnfc":"masterNode-1"}
   * @example {"host":"jump.example.org","host_key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"}
   */
  readonly jump_host?:
    | {
        /**
         * A master, worker or load balancer of the cluster, as `<VDU>-<ordinal>`, which is reached by its own
         * login.
         * @example "masterNode-1"
         */
        readonly vnfc: string;
      }
    | {
        /**
         * Address or name of a host that exists already; without vnfc.
         * @example "jump.example.org"
         */
        readonly host: string;
        /**
         * Its SSH port.
         * @default 22
         */
        readonly port?: number;
        /**
         * User of the login there.
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
         * @default the key pair made for this instance, whose public key must then be let in there
         * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
         */
        readonly private_key?: SecretText;
        /**
         * Its public SSH host key, as `ssh-keyscan` prints it without the host; another one is refused.
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
   * The site's proxy, for the nodes' container runtime, for apt_repository and for script_path.
   * @example {"https_proxy":"http://proxy.example.org:3128","no_proxy":".example.org,10.30.0.0/16"}
   */
  readonly proxy?: ClusterInstallationProxy;
  /**
   * Files of all nodes, which are there before apt_repository and script_path. A new text is written to the
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
   * Certificates of CAs that every program on the nodes trusts, PEM, paths in the package or else beside
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
   * The cluster's version, v1.31.0 or newer, for example v1.33.0. Changing it declares the version that
   * masters and then workers are replaced by, see Upgrade.
   * @default the version of the first master's kubeadm; with apt_repository it is required
   * @example "v1.33.0"
   */
  readonly kubernetes_version?: string;
  /**
   * Source of kubelet, kubeadm and kubectl of kubernetes_version for a node whose image lacks them.
   * @default none, the image or script_path brings them
   * @example {"url":"https://pkgs.k8s.io/core:/stable:/v1.33/deb/","signed_by":"mQENBGMw"}
   */
  readonly apt_repository?: AptRepository;
  /**
   * The CNI's manifest, a path in the package or else next to Pulumi.yaml. ${POD_CIDR}, ${POD_CIDR_IPV6},
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
   * Networks that SSH, the Kubernetes API and node ports (TCP, UDP and SCTP) are open to: those of the
   * operators, with the machine that runs Pulumi, and of the CNFs' users. There is no default: without it
   * they are open to all of IPv4, and each preview warns.
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
   * Use of the cloud by the cluster: `openstack` is Octavia load balancers and Cinder volumes, by the
   * addons, see Cloud provider. It is fixed when the cluster is created.
   * @default none
   */
  readonly cloud_provider?: "openstack";
  /**
   * The application credential with which the addons of a cluster with cloud_provider use the cloud, see The
   * credential.
   * @default one with the roles of members, without an end
   * @example {"expiresAt":"2027-01-31T00:00:00Z"}
   */
  readonly credential?: ClusterInstallationCredential;
  /**
   * Path of packets between the pods of two nodes. `neutron`: by routes of the router of the nodes' network,
   * without an overlay, see Pods on Neutron's routes. It is fixed when the cluster is created.
   * @default as the CNI's manifest has it
   */
  readonly pod_network?: "neutron";
  /**
   * The Helm charts with which a cluster with cloud_provider uses the cloud. Required there, and only there.
   * @example {"openstack-cloud-controller-manager":{"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
   */
  readonly addons?: ClusterInstallationAddons;
  /**
   * The section `[BlockStorage]` of cloud.conf of Cinder's CSI driver, by the driver's names.
   * @default nothing
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
   * `cis`: what the CIS Benchmark for Kubernetes asks of the control plane and of kubelets, see Hardening.
   * @default what kubeadm does by itself
   */
  readonly hardening?: "cis";
  /**
   * Additions to the kubeadm configuration, for nodes that need them.
   * @example {"ignore_preflight_errors":["Swap"]}
   */
  readonly kubeadm?: ClusterInstallationKubeadm;
  readonly [WITH_DEFAULT]?: "load_balancer" | "drain" | "cni_ports" | "ingress_rules";
}

/**
 * Source of kubelet, kubeadm and kubectl of kubernetes_version for a node whose image lacks them.
 * @default none, the image or script_path brings them
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
   * Further packages that a node gets, in the newest version, for example `cri-tools`.
   * @default []
   * @example ["cri-tools"]
   */
  readonly packages?: readonly string[];
  readonly [WITH_DEFAULT]?: "suite" | "components" | "packages";
}

/**
 * A workload cluster that Cluster API makes on OpenStack.
 */
export interface Cluster {
  /**
   * The template that the cluster is made of.
   */
  readonly clusterTemplate: string;
  /**
   * The cluster that Cluster API runs on: one of this stack by its instance name, or an object with the name
   * of a VIM of another stack, or with a kubeconfig.
   * @example "vnf-a"
   * @example {"stack":"clusters","vim_name":"kubernetes_vim_vnf-a"}
   */
  readonly vim:
    | string
    | {
        /**
         * The Pulumi stack that contains the VIM, a cluster VNF; with vim_name. A name without organization and
         * project is a stack of this project.
         * @example "clusters"
         * @example "organization/vnfm/clusters"
         */
        readonly stack: string;
        /**
         * Name of the VIM: what vim_name is in that stack's config, by default kubernetes_vim_<instance name>.
         */
        readonly vim_name: string;
      }
    | {
        /**
         * The kubeconfig's text, a Pulumi secret; without stack and vim_name.
         * @example "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\nclusters: [{ name: a, cluster: { server: \"https://192.0.2.10:6443\", certificate-authority-data: \"...\" } }]\nusers: [{ name: a, user: { token: \"...\" } }]\n"
         */
        readonly kubeconfig: SecretText;
      };
  /**
   * Version of Kubernetes, v1.22.0 or newer, which the image must have.
   * @example "v1.33.0"
   */
  readonly kubernetesVersion: string;
  /**
   * Name of the image of all machines, as image-builder makes it.
   */
  readonly image: string;
  /**
   * Name of Nova's key pair whose key may log in to the machines.
   * @default none
   */
  readonly sshKeyName?: string;
  /**
   * The machines of the control plane.
   * @example {"flavor":"m1.medium","replicas":3}
   */
  readonly controlPlane: ClusterControlPlane;
  /**
   * Settings of `nodeGroups` that each group has which does not say otherwise.
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
   * Times by `controlPlane`, by the name of a group, or by `all`: machines that are older are replaced, a
   * new one first. `vnfm heal` writes them.
   * @default none
   * @example {"controlPlane":"2026-01-31T09:00:00Z"}
   */
  readonly heal?: {
    readonly [k: string]: string;
  };
  /**
   * The cluster's network: one that is made for it behind a router, or one that is there.
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
   * `cis`: what the CIS Benchmark for Kubernetes asks of the control plane and of kubelets, see Hardening.
   * @default what kubeadm does by itself
   */
  readonly hardening?: "cis";
  /**
   * Additions to the kubeadm configuration, for machines that need them.
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
   * Certificates of the CAs of registries and their mirrors, PEM, by the name of the registry, or the host
   * of the mirror. Only pulls of images trust them.
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
   * A web server that gets the credentials of a workload cluster, see Credentials for others.
   * @default none
   * @example {"url":"https://receiver.example/clusters"}
   */
  readonly credentialsReceiver?: CredentialsReceiver;
  /**
   * The section `[BlockStorage]` of cloud.conf of Cinder's CSI driver, by the driver's names.
   * @default nothing
   * @example {"node-volume-attach-limit":20}
   */
  readonly blockStorage?: BlockStorage;
  /**
   * Charts that are installed on the cluster, by the names of their releases: see Addons.
   * @default {}
   * @example {"flannel":{"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","namespace":"kube-flannel"}}
   */
  readonly addons?: {
    readonly [k: string]: false | Addon;
  };
  /**
   * Changes of the objects that the cluster is made of, one after the other: see Patches.
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
   * while others have objects in them, see Objects of others. To have them deleted, set it to `false` and
   * run `pulumi up` first.
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
   * Number of machines; it may be 0. Either this or `autoscaling` is required.
   */
  readonly replicas?: number;
  /**
   * The fewest and the most machines that cluster-autoscaler may choose; vnfm then leaves the number to it.
   * @default `replicas` sets the number
   * @example {"min":1,"max":5}
   */
  readonly autoscaling?: NodeGroupAutoscaling;
  /**
   * Name of their flavor.
   */
  readonly flavor?: string;
  /**
   * Name of their image.
   * @default that of the cluster
   */
  readonly image?: string;
  /**
   * Version of Kubernetes, not newer than that of the cluster, which is the default. A group of an older
   * minor version keeps its machines while the control plane is upgraded; Cluster API gives it no new ones
   * until it has the same, neither to scale nor to heal.
   * @example "v1.33.0"
   */
  readonly kubernetesVersion?: string;
  /**
   * Labels of the nodes. Of those of kubernetes.io and k8s.io a kubelet sets few; roles, as
   * `node-role.kubernetes.io/batch`, Cluster API sets.
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
   * Nova's zone of the machines.
   * @default Nova's choice
   */
  readonly availabilityZone?: string;
  /**
   * Number of machines that there may be in addition while they are replaced.
   * @default 1
   */
  readonly maxSurge?: number;
  /**
   * Number of machines that may be missing while they are replaced.
   * @default 0
   */
  readonly maxUnavailable?: number;
  /**
   * The volume that machines boot from.
   * @default none, the flavor's disk
   * @example {"sizeGiB":40,"type":"ssd"}
   */
  readonly rootVolume?: RootVolume;
  /**
   * Further volumes of each machine, which go with it.
   * @example [{"name":"data","sizeGiB":100}]
   */
  readonly volumes?: readonly MachineVolume[];
  /**
   * Ports of each machine beside that on the cluster's network.
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
   * Policy of a Nova server group that is made for these machines: on hosts of their own always, or where
   * that is possible.
   * @default no server group
   */
  readonly serverGroup?: "anti-affinity" | "soft-anti-affinity";
  /**
   * A MachineHealthCheck: machines whose node is lost are replaced.
   * @default {}
   * @example {"unhealthyTimeout":"10m","maxUnhealthy":"40%"}
   */
  readonly healthCheck?: HealthCheck;
  /**
   * Time limit for the drain of a node that leaves; then its machine is deleted, whatever is left on it.
   * @default "10m"
   * @example "10m"
   */
  readonly nodeDrainTimeout?: string;
  /**
   * Time limit for the detachment of the volumes of a node that leaves.
   * @default without an end
   * @example "5m"
   */
  readonly nodeVolumeDetachTimeout?: string;
  /**
   * Time for which the deletion of a Node is tried after its machine was deleted. A Node that is not deleted
   * in this time stays. Cluster API's own 10 s are too short when a control-plane machine leaves: the load
   * balancer must notice it first.
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
   * The objects that are changed.
   * @example {"kind":"OpenStackMachineTemplate","machines":"controlPlane"}
   */
  readonly target: ClusterPatchTarget;
  /**
   * A JSON merge patch (RFC 7386): maps are merged, any other value takes the place of the former, and
   * `null` takes out. Either this or `jsonPatch` is required.
   * @example {"spec":{"tags":["tenant-a"]}}
   */
  readonly mergePatch?: Fields;
  /**
   * A JSON patch (RFC 6902): operations, one after the other.
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
 * The volume that machines boot from.
 * @default none, the flavor's disk
 * @example {"sizeGiB":40,"type":"ssd"}
 */
export interface RootVolume {
  /**
   * Its size in GiB.
   */
  readonly sizeGiB: number;
  /**
   * Cinder's type of it.
   * @default the cloud's own
   */
  readonly type?: string;
  /**
   * Cinder's zone of it.
   * @default the cloud's own
   */
  readonly availabilityZone?: string;
}

/**
 * A MachineHealthCheck: machines whose node is lost are replaced.
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
   * Time for which a node may not be ready before its machine is replaced.
   * @default "5m"
   * @example "5m"
   */
  readonly unhealthyTimeout?: string;
  /**
   * Time that a machine may take until its node exists; 30 s at least.
   * @default "30m"
   * @example "30m"
   */
  readonly nodeStartupTimeout?: string;
  /**
   * Nothing is replaced where more machines than this are unhealthy: a number or a share, as in `40%`.
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
   * Its tag on the machine, by which the metadata of Nova tells it from the others; `root` and `etcd` are
   * taken.
   * @example "data"
   */
  readonly name: string;
  /**
   * Its size in GiB.
   */
  readonly sizeGiB: number;
  /**
   * Cinder's type of it.
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
   * Name or id of the subnet that the address is of.
   * @default Neutron's choice
   */
  readonly subnet?: string;
  /**
   * Its type, such as `direct` for SR-IOV.
   * @default `normal`
   */
  readonly vnicType?: "normal" | "direct" | "direct-physical" | "macvtap" | "virtio-forwarder" | "vdpa";
  /**
   * Makes it the parent of a trunk.
   * @default false
   */
  readonly trunk?: boolean;
  /**
   * Port security: Neutron filters its traffic.
   * @default true
   */
  readonly portSecurity?: boolean;
  /**
   * Addresses that it may send from in addition to its own.
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
   * The last one.
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
   * From where.
   * @example ["10.30.0.0/16"]
   */
  readonly cidrs: readonly string[];
}

/**
 * Hints for Nova's scheduler by their names in Nova's API; those beside the ones below are one text each,
 * for example `reservation` of Blazar.
 * @example {"reservation":"6d0e4f32-8c1b-4c6a-9d0e-2f5b7a1c3e4d"}
 */
export interface ServersSchedulerHints {
  /**
   * Id of a server group that exists; not for a VDU that is in a placement group of the VNFD.
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
   * An address or a block of addresses.
   * @example "10.244.0.0/16"
   */
  readonly ipAddress: string;
  /**
   * The MAC address that it goes with.
   * @default that of the port
   * @example "00:00:5e:00:01:33"
   */
  readonly macAddress?: string;
}

export interface VirtualLinkSubnet {
  /**
   * Its block of addresses, IPv4 or IPv6.
   * @example "10.20.0.0/24"
   */
  readonly cidr: string;
  /**
   * Address of the router in it.
   * @default the first of the block where a router is made or named, else none
   * @example "10.20.0.1"
   */
  readonly gatewayIp?: string;
  /**
   * DHCP gives out the addresses of the subnet.
   * @default true
   */
  readonly dhcpEnabled?: boolean;
  /**
   * Method by which servers get their IPv6 addresses.
   * @default none, they are configured by hand
   */
  readonly ipv6AddressMode?: "slaac" | "dhcpv6-stateful" | "dhcpv6-stateless";
  /**
   * The addresses that ports get.
   * @default all of the block but the gateway; where it has none, but the first address, which a router gets
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
   * The scaling aspect of the node's VDU.
   * @default the aspect whose deltas name it
   */
  readonly aspect_id?: string;
  /**
   * The node's VDU.
   * @default the VDU of ssh_cp_name
   */
  readonly vdu_id?: string;
  /**
   * The connection point that SSH goes to.
   */
  readonly ssh_cp_name: string;
  /**
   * The connection point whose address is the node's in the cluster.
   * @default ssh_cp_name
   */
  readonly nic_cp_name?: string;
  /**
   * User of the login; needs sudo without a password.
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
   * @default a key pair made for this instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * Addresses of the pods.
   * @default "192.168.0.0/16"
   * @example "10.244.0.0/16"
   */
  readonly pod_cidr?: string;
  /**
   * Addresses of the Services.
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
   * IPv6 addresses of its Services.
   * @example "fd00:10:96::/112"
   */
  readonly cluster_cidr_ipv6?: string;
  /**
   * The connection point of the Kubernetes API: one of the master's, or the VipCp of a highly available
   * control plane.
   * @default the VNFD's VipCp, else nic_cp_name
   */
  readonly cluster_cp_name?: string;
  readonly [WITH_DEFAULT]?: "username" | "pod_cidr" | "cluster_cidr";
}

/**
 * Load balancer of the API of several control-plane nodes (specification: Support HA Kubernetes Master
 * deployment). HAProxy and keepalived run on the VDU whose connection point is the target of the VNFD's
 * VipCp: the control-plane nodes, or servers of their own. If the VipCp has the vip_function load_balance,
 * it is Octavia.
 * @default {}
 * @example {"ssh_cp_name":"loadBalancer_CP3","virtual_router_id":7}
 */
export interface ClusterInstallationLoadBalancer {
  /**
   * The connection point that SSH goes to, for servers of their own.
   * @default the target of the VipCp
   */
  readonly ssh_cp_name?: string;
  /**
   * User of the login; needs sudo without a password.
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
   * @default a key pair made for this instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * Octavia's provider, where the VNFD's VipCp has the vip_function load_balance, and of the balancers of
   * Services where there is a cloud_provider: amphora, ovn, or another one of the cloud.
   * @default the cloud's, and amphora for Services
   */
  readonly provider?: string;
  /**
   * VRRP's id of the cluster, unique on its network.
   * @default made of the instance name
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
 * The site's proxy, for the nodes' container runtime, for apt_repository and for script_path.
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
   * @default on each node its own address
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
   * The registry as the names of images begin with it, `<host>` or `<host>:<port>`, for example
   * `registry.example:5000`.
   * @example "registry.example:5000"
   */
  readonly server: string;
  /**
   * User of the login.
   * @default none, without a login
   * @example "puller"
   */
  readonly username?: string;
  /**
   * Password of the user, a Pulumi secret; required with username.
   */
  readonly password?: SecretText;
  /**
   * Certificates of the registry's CA, PEM, a path in the package or else next to Pulumi.yaml.
   * @default those that the image knows
   */
  readonly certificate_path?: string;
  /**
   * Mirrors that containerd queries before the registry. A mirror with a CA of its own is an entry too, with
   * `certificate_path`.
   * @default none
   * @example ["https://mirror.example.org"]
   */
  readonly mirrors?: readonly string[];
  /**
   * A line of `/etc/hosts` for a registry that DNS does not know, for example
   * `192.168.0.9 registry.example`.
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
   * The connection point that SSH goes to.
   */
  readonly ssh_cp_name: string;
  /**
   * The connection point whose address the nodes mount, where a registration has no nfs_server_cp.
   * @default ssh_cp_name
   */
  readonly nic_cp_name?: string;
  /**
   * User of the login; needs sudo without a password.
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
   * @default a key pair made for this instance
   * @example "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE KEY-----\n"
   */
  readonly private_key?: SecretText;
  /**
   * The kernel's NFS server, or nfs-ganesha in user space where the kernel has none.
   * @default "kernel"
   */
  readonly nfs_server?: "kernel" | "ganesha";
  /**
   * Mount points of the server's volumes. A volume without a file system gets one, ext4.
   * @example [{"volume_resource_id":"storage_server_volume","mount_to":"/volume"}]
   */
  readonly cinder_volume_setup_params: readonly ClusterInstallationStorageServerCinderVolumeSetupParam[];
  /**
   * The directories that are exported; they are made when they are not there.
   * @example [{"export_dir":"/volume/nfs","export_to":"10.20.0.0/24"}]
   */
  readonly nfs_server_setup_params: readonly ClusterInstallationStorageServerNfsServerSetupParam[];
  readonly [WITH_DEFAULT]?: "username" | "nfs_server";
}

export interface ClusterInstallationPvRegistrationParam {
  /**
   * A manifest of PersistentVolumes, any number, a path in the package or else next to Pulumi.yaml.
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
   * From where.
   * @example ["10.30.0.0/16"]
   */
  readonly cidrs: readonly string[];
}

/**
 * The application credential with which the addons of a cluster with cloud_provider use the cloud, see The
 * credential.
 * @default one with the roles of members, without an end
 * @example {"expiresAt":"2027-01-31T00:00:00Z"}
 */
export interface ClusterInstallationCredential {
  /**
   * Names of its roles.
   * @default `member` and, where the user of `pulumi up` has it in the project, `load-balancer_member`
   * @example ["member","load-balancer_member"]
   */
  readonly roles?: readonly string[];
  /**
   * When it ends: `status`, `check` and each preview tell it 30 days before.
   * @default never
   * @example "2027-01-31T00:00:00Z"
   */
  readonly expiresAt?: string;
  /**
   * The only requests that it may be used for, as Keystone's access rules.
   * @default all
   * @example [{"service":"compute","method":"GET","path":"/v2.1/servers/**"}]
   */
  readonly accessRules?: readonly AccessRule[];
}

/**
 * The Helm charts with which a cluster with cloud_provider uses the cloud. Required there, and only there.
 * @example {"openstack-cloud-controller-manager":{"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}
 */
export interface ClusterInstallationAddons {
  /**
   * The chart of the cloud controller manager: nodes take no pods before it runs.
   * @example {"repository":"https://charts.example.org","version":"2.34.0","digest":"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
   */
  readonly "openstack-cloud-controller-manager": Addon;
  /**
   * The chart of Cinder's CSI driver: volumes for claims.
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
   * Issuer of the OpenID Connect tokens that it accepts.
   * @default none
   * @example {"issuerUrl":"https://login.example.org","clientId":"kubernetes"}
   */
  readonly oidc?: Oidc;
  /**
   * Keystone, whose tokens it takes by k8s-keystone-auth on each machine of the control plane. The user's
   * groups are those that `roles` gives, the id of the token's project, and the user's groups of Keystone.
   * @default none
   * @example {"authUrl":"https://keystone.example.org/v3","roles":{"tenant-operator":["operators"]}}
   */
  readonly keystone?: Keystone;
  /**
   * Keys that encrypt Secrets in etcd, 32 bytes in base64 each: the first one encrypts. Another list is a
   * rotation.
   * @default no encryption, or with `hardening` a key that vnfm creates
   */
  readonly encryptionKeys?: readonly SecretText[];
}

/**
 * Additions to the kubeadm configuration, for nodes that need them.
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
   * Name of their flavor.
   */
  readonly flavor: string;
  /**
   * Number of machines: odd, for the quorum of etcd.
   * @default 1
   */
  readonly replicas?: 1 | 3 | 5 | 7;
  /**
   * Nova's zones that the machines are spread over.
   * @default Nova chooses for each
   * @example ["az1","az2","az3"]
   */
  readonly availabilityZones?: readonly string[];
  /**
   * Taints of the nodes, in place of `node-role.kubernetes.io/control-plane:NoSchedule`; none where it is
   * empty.
   * @example [{"key":"dedicated","value":"control","effect":"NoSchedule"}]
   */
  readonly taints?: readonly Taint[];
  /**
   * A volume that each machine has etcd on.
   * @default etcd is on the disk that the machine boots from
   * @example {"sizeGiB":10,"type":"ssd"}
   */
  readonly etcdVolume?: ClusterControlPlaneEtcdVolume;
  /**
   * Machines are replaced, a new one first, when their certificates expire in fewer days than this.
   * @default 30
   */
  readonly certificatesExpiryDays?: number;
  /**
   * The volume that machines boot from.
   * @default none, the flavor's disk
   * @example {"sizeGiB":40,"type":"ssd"}
   */
  readonly rootVolume?: RootVolume;
  /**
   * Further volumes of each machine, which go with it.
   * @example [{"name":"data","sizeGiB":100}]
   */
  readonly volumes?: readonly MachineVolume[];
  /**
   * Ports of each machine beside that on the cluster's network.
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
   * Policy of a Nova server group that is made for these machines: on hosts of their own always, or where
   * that is possible.
   * @default no server group
   */
  readonly serverGroup?: "anti-affinity" | "soft-anti-affinity";
  /**
   * A MachineHealthCheck: machines whose node is lost are replaced.
   * @default {}
   * @example {"unhealthyTimeout":"10m","maxUnhealthy":"40%"}
   */
  readonly healthCheck?: HealthCheck;
  /**
   * Time limit for the drain of a node that leaves; then its machine is deleted, whatever is left on it.
   * @default "10m"
   * @example "10m"
   */
  readonly nodeDrainTimeout?: string;
  /**
   * Time limit for the detachment of the volumes of a node that leaves.
   * @default without an end
   * @example "5m"
   */
  readonly nodeVolumeDetachTimeout?: string;
  /**
   * Time for which the deletion of a Node is tried after its machine was deleted. A Node that is not deleted
   * in this time stays. Cluster API's own 10 s are too short when a control-plane machine leaves: the load
   * balancer must notice it first.
   * @default "5m"
   * @example "1m"
   */
  readonly nodeDeletionTimeout?: string;
  readonly [WITH_DEFAULT]?:
    "replicas" | "certificatesExpiryDays" | "healthCheck" | "nodeDrainTimeout" | "nodeDeletionTimeout";
}

/**
 * The cluster's network: one that is made for it behind a router, or one that is there.
 * @example {"externalNetwork":"public","dnsNameservers":["198.51.100.53"]}
 */
export interface ClusterNetwork {
  /**
   * Name or id of the network of the cloud that the router and the floating IPs are of.
   * @default none; the cluster's network is one that is there, or reaches no other
   */
  readonly externalNetwork?: string;
  /**
   * Name or id of a network that is there, for the machines.
   * @default one is made
   */
  readonly network?: string;
  /**
   * Name or id of a subnet of it, for the machines.
   * @default Neutron's choice
   */
  readonly subnet?: string;
  /**
   * Name or id of a router that is there: for the network that is made, where the default is one that is
   * made too, or that of `network`, whose machines `apiServer.allowedCidrs` let in then.
   */
  readonly router?: string;
  /**
   * Block of the network that is made.
   * @default `10.6.0.0/24`
   * @example "10.6.0.0/24"
   */
  readonly nodeCidr?: string;
  /**
   * The addresses of it that machines get.
   * @default all
   * @example [{"start":"10.6.0.100","end":"10.6.0.200"}]
   */
  readonly allocationPools?: readonly AddressRange[];
  /**
   * MTU of the network that is made, in bytes.
   * @default the cloud's own
   */
  readonly mtu?: number;
  /**
   * Addresses of the DNS servers in the network that is made.
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
   * Puts a load balancer of Octavia in front of the API; several machines need one, or `kubeVip`.
   * @default true
   */
  readonly loadBalancer?: boolean;
  /**
   * Octavia's provider of the balancer, and of those of Services where openstack-cloud-controller-manager is
   * an addon.
   * @default the cloud's own default, and amphora for Services
   */
  readonly loadBalancerProvider?: "amphora" | "ovn";
  /**
   * The floating IP: an address, or `false` for none; the management cluster has to reach the cluster's
   * network then.
   * @default one is made
   * @example "198.51.100.10"
   * @example false
   */
  readonly floatingIp?: false | string;
  /**
   * Its address in the cluster's network.
   * @default Neutron's choice
   * @example "10.6.0.10"
   */
  readonly fixedIp?: string;
  /**
   * kube-vip, which gives `fixedIp` to one machine of the control plane after the other, in place of a load
   * balancer. Give `loadBalancer: false` and `floatingIp: false` with it.
   * @default none
   * @example {}
   */
  readonly kubeVip?: ClusterApiServerKubeVip;
  /**
   * Its port, at the load balancer and on each machine of the control plane.
   * @default 6443
   */
  readonly port?: number;
  /**
   * From where of IPv4 the API may be reached; not with `ovn`, which has no such lists.
   * @default from everywhere
   * @example ["198.51.100.0/24"]
   */
  readonly allowedCidrs?: readonly string[];
  /**
   * Further names and addresses in its certificate.
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
   * Issuer of the OpenID Connect tokens that it accepts.
   * @default none
   * @example {"issuerUrl":"https://login.example.org","clientId":"kubernetes"}
   */
  readonly oidc?: Oidc;
  /**
   * Keystone, whose tokens it takes by k8s-keystone-auth on each machine of the control plane. The user's
   * groups are those that `roles` gives, the id of the token's project, and the user's groups of Keystone.
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
   * Keys that Secrets are encrypted with in etcd, 32 bytes in base64 each: the first one encrypts, the
   * others still decrypt. `hardening` requires them.
   * @default no encryption
   */
  readonly encryptionKeys?: readonly SecretText[];
  readonly [WITH_DEFAULT]?: "loadBalancer" | "port" | "extraArgs";
}

/**
 * Additions to the kubeadm configuration, for machines that need them.
 * @default {}
 * @example {"preKubeadmCommands":["modprobe sctp"]}
 */
export interface ClusterKubeadm {
  /**
   * Names of checks of kubeadm whose errors are warnings.
   * @default []
   * @example ["Swap"]
   */
  readonly ignorePreflightErrors?: readonly string[];
  /**
   * Arguments of the kubelets by name. `node-labels` are for all machines; `labels` of a group win over
   * them.
   * @default {}
   * @example {"max-pods":"200"}
   */
  readonly kubeletExtraArgs?: {
    readonly [k: string]: string;
  };
  /**
   * Fields of KubeProxyConfiguration, for a cluster that is to be made: kubeadm writes them once. A change
   * replaces the machines of the control plane, and nothing else comes of it.
   * @example {"mode":"nftables"}
   */
  readonly kubeProxyConfiguration?: Fields;
  /**
   * Files of all machines. A new text replaces the machines, but an encrypted one only reaches new machines.
   * @default []
   * @example [{"path":"/etc/sysctl.d/90-site.conf","content":"vm.max_map_count=262144\n"}]
   */
  readonly files?: readonly NodeFile[];
  /**
   * Commands of a shell on each machine before kubeadm.
   * @default []
   * @example ["modprobe sctp"]
   */
  readonly preKubeadmCommands?: readonly string[];
  /**
   * Commands of a shell on each machine after kubeadm.
   * @default []
   * @example ["systemctl enable --now site-agent"]
   */
  readonly postKubeadmCommands?: readonly string[];
  /**
   * Phases of `kubeadm init` that are left out, such as `addon/kube-proxy`, of a cluster that is to be made.
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
   * For `http://`.
   * @example "http://proxy.example.org:3128"
   */
  readonly httpProxy?: SecretText;
  /**
   * For `https://`.
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
   * Names of its roles.
   * @default `member` and, where the user of `pulumi up` has it in the project, `load-balancer_member`
   * @example ["member","load-balancer_member"]
   */
  readonly roles?: readonly string[];
  /**
   * When it ends: `status`, `check` and each preview tell it 30 days before.
   * @default never
   * @example "2027-01-31T00:00:00Z"
   */
  readonly expiresAt?: string;
  /**
   * The only requests that it may be used for, as Keystone's access rules.
   * @default all
   * @example [{"service":"compute","method":"GET","path":"/v2.1/servers/**"}]
   */
  readonly accessRules?: readonly AccessRule[];
  /**
   * Another text makes another credential in place of this one.
   * @default none
   */
  readonly rotate?: string;
}

/**
 * The fewest and the most machines that cluster-autoscaler may choose; vnfm then leaves the number to it.
 * @default `replicas` sets the number
 * @example {"min":1,"max":5}
 */
export interface NodeGroupAutoscaling {
  /**
   * The fewest.
   */
  readonly min: number;
  /**
   * The most.
   */
  readonly max: number;
}

/**
 * The objects that are changed.
 * @example {"kind":"OpenStackMachineTemplate","machines":"controlPlane"}
 */
export interface ClusterPatchTarget {
  /**
   * Their kind.
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
   * Objects of one node group, by its name, or of `controlPlane`.
   * @default all of that kind
   * @example "controlPlane"
   */
  readonly machines?: string;
}

export interface VirtualLinkSubnetIpAllocationPool {
  /**
   * The first one.
   * @example "10.20.0.100"
   */
  readonly start: string;
  /**
   * The last one.
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
   * Options as in exports(5). Without them it is `rw,sync,no_subtree_check,no_root_squash`, and each preview
   * tells that root of the clients is root of the directory, see Root.
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
   * Method of HTTP.
   */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * Path of the request, with `*`, `**` and `{name}`.
   * @example "/v2.1/servers/**"
   */
  readonly path: string;
}

/**
 * A volume that each machine has etcd on.
 * @default etcd is on the disk that the machine boots from
 * @example {"sizeGiB":10,"type":"ssd"}
 */
export interface ClusterControlPlaneEtcdVolume {
  /**
   * Its size in GiB.
   */
  readonly sizeGiB: number;
  /**
   * Cinder's type of it.
   * @default the cloud's own
   */
  readonly type?: string;
  /**
   * Name of the device in the machine's kernel.
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
   * Name of its flavor.
   */
  readonly flavor: string;
  /**
   * Name or id of its image.
   */
  readonly image: string;
  /**
   * Nova's zone of it.
   * @default Nova's choice
   */
  readonly availabilityZone?: string;
}

/**
 * kube-vip, which gives `fixedIp` to one machine of the control plane after the other, in place of a load
 * balancer. Give `loadBalancer: false` and `floatingIp: false` with it.
 * @default none
 * @example {}
 */
export interface ClusterApiServerKubeVip {
  /**
   * Its image.
   * @default "ghcr.io/kube-vip/kube-vip:v1.0.0"
   * @example "registry.example/kube-vip/kube-vip:v1.0.0"
   */
  readonly image?: string;
  readonly [WITH_DEFAULT]?: "image";
}
