import {
  at,
  fields,
  shown,
  text,
  without,
  merge,
  type Fields,
  type KubeObject,
} from "../../components/kube/objects/object";
import {
  assertConverted,
  doubles,
  LONGEST,
  settingName,
  type Conversion,
  type Converted,
  type Settings,
} from "../conversion/conversion";
import { difference, leaves } from "../conversion/difference";
import { below, combined, taken, type Row } from "../conversion/taken";
import {
  CLUSTER,
  CONTROL_PLANE,
  DEPLOYMENT,
  HEALTH_CHECK,
  KUBEADM,
  MACHINE,
  OF_OBJECTS,
  OPENSTACK_CLUSTER,
} from "./table";

const PATCHES = "there is no setting for it; change it with `patches`";

/**
 * Converts the clusters in manifests for Cluster API's provider for OpenStack. Each becomes a template, with the common
 * settings of its machines, and a cluster, with its node groups.
 * @throws Fault with all missing objects and fields
 */
export function convert(objects: readonly KubeObject[]): Conversion {
  const faults: string[] = [];
  const known = new Set<KubeObject>();
  const clusters = objects.filter(({ kind, apiVersion }) => kind === "Cluster" && isOfClusterApi(apiVersion));
  if (clusters.length === 0) faults.push("the files contain no Cluster of cluster.x-k8s.io");
  const found = clusters.map((cluster) => {
    known.add(cluster);
    return new ClusterObjects(cluster, objects, known, faults).converted();
  });
  const others = objects.filter((object) => !known.has(object)).map(unknownObject);
  const names = found.map(({ cluster }) => cluster);
  faults.push(
    ...doubles(names).map(
      (name) => `cluster: two of them would have the name ${name}; convert only one of them`,
    ),
  );
  assertConverted(faults);
  const [first, ...more] = found.map(({ template }) => template);
  return { templates: first === undefined ? [] : [withRemarks(first, others), ...more], vnfs: names };
}

function isOfClusterApi(apiVersion: string): boolean {
  return apiVersion.startsWith("cluster.x-k8s.io/");
}

function withRemarks(converted: Converted, remarks: readonly string[]): Converted {
  return { ...converted, remarks: [...converted.remarks, ...remarks] };
}

function unknownObject(object: KubeObject): string {
  const why =
    object.kind === "Secret"
      ? "Secrets are not read: the cluster gets its own credential and certificates"
      : "does not belong to a cluster created from settings: list what runs on the cluster under `addons`, or make it a CNF";
  return `${shown(object)}: ${why}`;
}

/** The objects of a cluster. */
class ClusterObjects {
  constructor(
    private readonly cluster: KubeObject,
    private readonly objects: readonly KubeObject[],
    private readonly known: Set<KubeObject>,
    private readonly faults: string[],
  ) {}

  converted(): { readonly template: Converted; readonly cluster: Converted } {
    const { cluster } = this;
    const ownName = cluster.metadata.name ?? "";
    const name = settingName(ownName, LONGEST.instance);
    if (at(cluster, "spec", "topology") !== undefined) {
      this.faults.push(
        `${shown(cluster)} uses a ClusterClass, and the files contain no machines; pass the objects that result from it, as printed by ` +
          "`kubectl get cluster,openstackcluster,kubeadmcontrolplane,machinedeployment,openstackmachinetemplate," +
          "kubeadmconfigtemplate,machinehealthcheck -o yaml`",
      );
      return { template: { name, settings: {}, remarks: [] }, cluster: { name, settings: {}, remarks: [] } };
    }
    const common = this.read(cluster, CLUSTER);
    const infrastructure = this.referred(cluster, "spec", "infrastructureRef");
    const ofCloud = infrastructure && this.read(infrastructure, OPENSTACK_CLUSTER);
    const controlPlane = this.controlPlane();
    const base = combined([common, ofCloud, controlPlane.ofCluster]);
    const settings = balanced(merge(base.settings, { controlPlane: controlPlane.machines }), infrastructure);
    const groups = this.deployments().map((deployment) => this.group(deployment, ownName, settings));
    this.faults.push(
      ...doubles(groups).map(
        (group) =>
          `${shown(cluster)}: two of its node groups would have the name ${group}; convert only one of them`,
      ),
    );
    return {
      template: {
        name,
        settings,
        remarks: [...base.remarks, ...groups.flatMap(({ remarks }) => remarks)],
      },
      cluster: {
        name,
        settings: {
          clusterTemplate: name,
          vim: "vnf-a",
          nodeGroups: Object.fromEntries(groups.map((group) => [group.name, group.settings])),
        },
        remarks: name === ownName ? [] : [`its name in the manifests is ${JSON.stringify(ownName)}`],
      },
    };
  }

  /** Settings of the control plane's machines, and settings of all machines of the cluster. */
  private controlPlane(): { readonly machines: Fields; readonly ofCluster: Settings } {
    const object = this.referred(this.cluster, "spec", "controlPlaneRef");
    if (object === undefined) return { machines: {}, ofCluster: { settings: {}, remarks: [] } };
    if (object.kind !== "KubeadmControlPlane")
      this.faults.push(
        `${shown(object)}: control planes are created by kubeadm, so only KubeadmControlPlanes are converted`,
      );
    const machine = this.machine(object, [
      ["spec", "machineTemplate", "spec", "infrastructureRef"],
      ["spec", "machineTemplate", "infrastructureRef"],
      ["spec", "infrastructureTemplate"],
    ]);
    const { settings, remarks } = combined([this.read(object, CONTROL_PLANE), machine]);
    const { kubernetesVersion, image, sshKeyName, kubeadm, apiServer, labels, ...machines } = settings;
    const health = this.healthCheck((labelled) => "cluster.x-k8s.io/control-plane" in labelled);
    return {
      machines: { ...machines, ...health.settings },
      ofCluster: {
        settings: defined({ kubernetesVersion, image, sshKeyName, kubeadm, apiServer }),
        remarks: [
          ...remarks,
          ...(labels === undefined ? [] : [`${shown(object)}: there is no setting for labels of its nodes`]),
          ...health.remarks,
        ],
      },
    };
  }

  private deployments(): readonly KubeObject[] {
    const { name, namespace } = this.cluster.metadata;
    return this.objects.filter(
      ({ kind, metadata, ...object }) =>
        kind === "MachineDeployment" &&
        metadata.namespace === namespace &&
        at(object, "spec", "clusterName") === name,
    );
  }

  private group(deployment: KubeObject, cluster: string, ofCluster: Fields): Converted {
    this.known.add(deployment);
    const deploymentName = deployment.metadata.name ?? "";
    const name = settingName(
      deploymentName.startsWith(`${cluster}-`) ? deploymentName.slice(cluster.length + 1) : deploymentName,
      LONGEST.nodeGroup,
    );
    const config = this.referred(deployment, "spec", "template", "spec", "bootstrap", "configRef");
    const { settings, remarks } = combined([
      this.machine(deployment, [["spec", "template", "spec", "infrastructureRef"]]),
      config && this.read(config, below("spec.template.spec", KUBEADM)),
      this.read(deployment, DEPLOYMENT),
    ]);
    const { kubeadm, autoscaling, replicas, ...others } = settings;
    const { sshKeyName, image, kubernetesVersion, etcdVolume, ...machines } = others;
    const differing = difference(defined({ image, kubernetesVersion }), ofCluster);
    const unlike = [
      ...leaves(difference(fields(kubeadm), fields(ofCluster["kubeadm"]))),
      ...Object.keys(fields(ofCluster["kubeadm"])).filter(
        (key) => !(key in fields(kubeadm)) && key !== "skipPhases",
      ),
    ];
    const health = this.healthCheck(
      (labelled) => labelled["cluster.x-k8s.io/deployment-name"] === deploymentName,
    );
    return {
      name,
      settings: {
        ...(autoscaling === undefined ? { replicas: replicas ?? 1 } : { autoscaling }),
        ...differing,
        ...machines,
        ...health.settings,
      },
      remarks: [
        ...(name === deploymentName || `${cluster}-${name}` === deploymentName
          ? []
          : [`nodeGroups.${name}: its name in the manifests is ${JSON.stringify(deploymentName)}`]),
        ...remarks,
        ...health.remarks,
        ...(sshKeyName === ofCluster["sshKeyName"] || sshKeyName === undefined
          ? []
          : [
              `nodeGroups.${name}: its key pair differs from that of the control plane; all machines use the same`,
            ]),
        ...(etcdVolume === undefined ? [] : [`nodeGroups.${name}: its volume etcd is omitted`]),
        ...[...new Set(unlike.map((path) => path.split(".")[0]))].map(
          (key) =>
            `nodeGroups.${name}: kubeadm.${key} differs from that of the control plane, and the setting applies to all machines; ` +
            "they get that of the control plane",
        ),
      ],
    };
  }

  /** Settings of the machines of an OpenStackMachineTemplate that an object refers to. */
  private machine(owner: KubeObject, paths: readonly (readonly string[])[]): Settings | undefined {
    const path = paths.find((one) => at(owner, ...one) !== undefined) ?? paths[0] ?? [];
    const template = this.referred(owner, ...path);
    return template && this.read(template, below("spec.template.spec", MACHINE));
  }

  private healthCheck(isOf: (labels: Fields) => boolean): Settings {
    const { name, namespace } = this.cluster.metadata;
    const check = this.objects.find(
      ({ kind, metadata, ...object }) =>
        kind === "MachineHealthCheck" &&
        metadata.namespace === namespace &&
        at(object, "spec", "clusterName") === name &&
        isOf(fields(at(object, "spec", "selector", "matchLabels"))),
    );
    if (check === undefined) return { settings: {}, remarks: [] };
    const { settings, remarks } = this.read(check, HEALTH_CHECK);
    return { settings: { healthCheck: settings }, remarks };
  }

  private read(object: KubeObject, rows: readonly Row[]): Settings {
    this.known.add(object);
    return taken(object, [...OF_OBJECTS, ...rows], shown(object), PATCHES);
  }

  /** The object to which a field of the owner refers. */
  private referred(owner: KubeObject, ...path: readonly string[]): KubeObject | undefined {
    const reference = at(owner, ...path);
    const [kind, name] = [text(at(reference, "kind")), text(at(reference, "name"))];
    if (kind === undefined || name === undefined) {
      this.faults.push(`${shown(owner)}: ${path.join(".")} does not name an object`);
      return undefined;
    }
    const { namespace } = owner.metadata;
    const found = this.objects.find(
      (object) =>
        object.kind === kind && object.metadata.name === name && object.metadata.namespace === namespace,
    );
    if (found === undefined)
      this.faults.push(
        `${shown(owner)}: its ${kind} ${name} is in none of the files; pass the file that contains it`,
      );
    return found;
  }
}

/**
 * Sets `loadBalancer`: its default is true, while CAPO creates a load balancer only if an OpenStackCluster requests it.
 */
function balanced(settings: Fields, infrastructure: KubeObject | undefined): Fields {
  const paths = [
    ["apiServerLoadBalancer"],
    ["managedAPIServerLoadBalancer"],
    ["apiServer", "managedLoadBalancer"],
  ];
  const isRequested = paths.some((path) => at(infrastructure, "spec", ...path) !== undefined);
  if (infrastructure === undefined || isRequested) return settings;
  return merge(settings, { apiServer: { loadBalancer: false } });
}

function defined(map: Fields): Fields {
  return without(map, ...Object.keys(map).filter((key) => map[key] === undefined));
}
