import { overlap, parseAddress, parseCidr, poolProblems } from "../cidr";
import { hardeningProblem } from "../kube/cis";
import { saidTwice } from "../kube/control-plane";
import { fields, isFields, items, text, type Fields } from "../kube/object";
import { parseVersion } from "../kube/version";
import { KUBELET_MINORS_BEHIND, kubeletProblem } from "../kube/version-skew";
import { limits } from "../limits";
import { didYouMean, oneOf } from "../nearest";
import { compareConfiguration } from "./component-config";
import { argumentProblems, relianceProblems } from "./component-reliances";
import { nodeProblems } from "./node-checks";

/** The addon that makes volumes of claims. */
export const CINDER_CSI = "openstack-cinder-csi";

/** The network that is made for a cluster which does not say. */
export const NODE_CIDR = "10.6.0.0/24";

/**
 * What is wrong in a workload cluster that its schema cannot say: settings that go together, or do not.
 * @param cluster its settings, merged with those of its template; of any shape
 */
export function clusterProblems(path: string, cluster: Fields): string[] {
  const [network, apiServer, controlPlane] = ["network", "apiServer", "controlPlane"].map((key) =>
    fields(cluster[key]),
  ) as [Fields, Fields, Fields];
  const groups = Object.entries(fields(cluster["nodeGroups"]));
  return [
    ...RESERVED.filter((name) => groups.some(([group]) => group === name)).map(
      (name) => `${path}.nodeGroups.${name}: is what the program calls others; give the group another name`,
    ),
    ...healProblems(
      `${path}.heal`,
      Object.keys(fields(cluster["heal"])),
      groups.map(([name]) => name),
    ),
    ...machineProblems(`${path}.nodeGroups`, controlPlane, groups),
    ...groups.flatMap(([name, group]) => groupProblems(`${path}.nodeGroups.${name}`, fields(group), cluster)),
    ...nodeProblems(path, cluster),
    ...kubeProxyProblems(`${path}.kubeadm.kubeProxyConfiguration`, cluster),
    ...apiProblems(`${path}.apiServer`, apiServer, controlPlane, network),
    ...securityProblems(path, cluster, apiServer),
    ...networkProblems(`${path}.network`, network),
    ...storageProblems(`${path}.blockStorage`, cluster),
  ];
}

function storageProblems(path: string, { blockStorage, addons }: Fields): string[] {
  return blockStorage === undefined || isFields(fields(addons)[CINDER_CSI])
    ? []
    : [`${path}: is for ${CINDER_CSI}; add it under addons, or leave this out`];
}

/** What the program says of kube-proxy's configuration. */
const KUBE_PROXY = { apiVersion: "the program", kind: "the program", clusterCIDR: "network.podCidr" };

function kubeProxyProblems(path: string, cluster: Fields): string[] {
  const given = fields(cluster["kubeadm"])["kubeProxyConfiguration"];
  return [
    ...Object.entries(KUBE_PROXY)
      .filter(([key]) => fields(given)[key] !== undefined)
      .map(([key, owner]) => `${path}.${key}: is set by ${owner}; leave it out`),
    ...relianceProblems("kube_proxy_configuration", given, path),
    ...compareConfiguration("kube_proxy_configuration", given, text(cluster["kubernetesVersion"]), path)
      .faults,
  ];
}

function securityProblems(path: string, cluster: Fields, api: Fields): string[] {
  const { auditPolicy, admissionConfiguration, encryptionKeys, extraArgs } = api;
  const hardening = cluster["hardening"] === "cis" ? "cis" : undefined;
  const problem = hardening && hardeningProblem(text(cluster["kubernetesVersion"]), "kubernetesVersion");
  const isEncrypted = encryptionKeys !== undefined;
  return [
    ...(problem === undefined ? [] : [`${path}.hardening: ${problem}`]),
    ...(hardening !== undefined && !isEncrypted
      ? [
          `${path}.apiServer.encryptionKeys: is required with hardening; give one of 32 bytes, as \`openssl rand -base64 32\` makes it`,
        ]
      : []),
    ...saidTwice(
      {
        ...(isFields(auditPolicy) && { auditPolicy }),
        ...(isFields(admissionConfiguration) && { admissionConfiguration }),
        ...{ hardening, isEncrypted, otherArgs: Object.keys(fields(extraArgs)) },
      },
      `${path}.apiServer.extraArgs`,
    ),
    ...argumentProblems(
      "apiServer",
      Object.entries(fields(extraArgs)).map(([name, value]) => [name, text(value) ?? ""] as const),
      `${path}.apiServer.extraArgs`,
    ),
  ];
}

/** Names that are not those of node groups. */
const RESERVED = ["all", "control-plane"];

function healProblems(path: string, healed: readonly string[], groups: readonly string[]): string[] {
  const known = ["controlPlane", ...groups, "all"];
  return healed
    .filter((name) => !known.includes(name))
    .map((name) => `${path}.${name}: there is no such group; ${oneOf(known)}${didYouMean(name, known)}`);
}

/** Too many machines together, of groups of which none has too many by itself, which the schema says. */
function machineProblems(
  path: string,
  { replicas: ofControlPlane = 1 }: Fields,
  groups: readonly (readonly [string, unknown])[],
): string[] {
  const counts = groups.map(([, group]) => {
    const { replicas, autoscaling } = fields(group);
    return Number(replicas ?? fields(autoscaling)["max"] ?? 0);
  });
  const sum = counts.reduce((all, count) => all + count, Number(ofControlPlane));
  return sum > limits.instances && counts.every((count) => count <= limits.instances)
    ? [`${path}: the cluster would have ${sum} machines; at most ${limits.instances} are taken`]
    : [];
}

function groupProblems(path: string, group: Fields, cluster: Fields): string[] {
  const { flavor, replicas, autoscaling, kubernetesVersion: version, maxSurge, maxUnavailable } = group;
  const { min, max } = fields(autoscaling);
  return [
    ...(flavor === undefined ? [`${path}.flavor: is required, there or under nodeGroup`] : []),
    ...(replicas === undefined && autoscaling === undefined
      ? [`${path}.replicas: is required, there or under nodeGroup, or autoscaling in its place`]
      : []),
    ...(replicas !== undefined && autoscaling !== undefined
      ? [`${path}.replicas: is for cluster-autoscaler to decide; leave out this or autoscaling`]
      : []),
    ...(Number(min) > Number(max)
      ? [`${path}.autoscaling.min: ${String(min)} is more than max ${String(max)}`]
      : []),
    ...(maxSurge === 0 && (maxUnavailable ?? 0) === 0
      ? [
          `${path}.maxSurge: is 0 as maxUnavailable is, so that no machine could be replaced; raise one of them`,
        ]
      : []),
    ...versionProblems(`${path}.kubernetesVersion`, text(version), text(cluster["kubernetesVersion"])),
  ];
}

function versionProblems(path: string, version: string | undefined, ofCluster: string | undefined): string[] {
  const [own, its] = [version, ofCluster].map(parseVersion);
  if (own === undefined || its === undefined) return [];
  switch (kubeletProblem(own, its)) {
    case "newer":
      return [`${path}: ${version} is newer than the control plane's ${ofCluster}, which is upgraded first`];
    case "too old":
      return [
        `${path}: ${version} is more than ${KUBELET_MINORS_BEHIND} minor versions older than the control plane's ${ofCluster}`,
      ];
    default:
      return [];
  }
}

function apiProblems(path: string, api: Fields, { replicas }: Fields, network: Fields): string[] {
  const { loadBalancer, loadBalancerProvider, allowedCidrs, floatingIp } = api;
  const without = loadBalancer === false;
  const balancerSettings = ["loadBalancerProvider", "allowedCidrs"].filter((key) => api[key] !== undefined);
  return [
    ...(without && Number(replicas) > 1
      ? [
          `${path}.loadBalancer: is needed in front of the ${String(replicas)} machines of controlPlane.replicas`,
        ]
      : []),
    ...(without ? balancerSettings.map((key) => `${path}.${key}: there is no loadBalancer`) : []),
    ...(allowedCidrs !== undefined && loadBalancerProvider === "ovn"
      ? [`${path}.allowedCidrs: Octavia's provider ovn has no such lists; leave them out, or use amphora`]
      : []),
    ...(network["externalNetwork"] === undefined && floatingIp !== false
      ? [
          `${path}.floatingIp: without network.externalNetwork there is none; write false, or name that network`,
        ]
      : []),
  ];
}

function networkProblems(path: string, network: Fields): string[] {
  const isThere = network["network"] !== undefined;
  const ofMade = ["router", "nodeCidr", "allocationPools", "mtu", "dnsNameservers"];
  const withoutEffect = isThere ? ofMade.filter((key) => network[key] !== undefined) : [];
  return [
    ...withoutEffect.map(
      (key) => `${path}.${key}: is of a network that is made; network names one that is there`,
    ),
    ...(!isThere && network["subnet"] !== undefined
      ? [`${path}.subnet: is of a network that is there; name that under network`]
      : []),
    ...overlaps(path, isThere ? network : { nodeCidr: NODE_CIDR, ...network }),
    ...(isThere ? [] : poolFaults(path, text(network["nodeCidr"]) ?? NODE_CIDR, network["allocationPools"])),
  ];
}

/** Networks of which one is in another: packets to the one would go to the other. */
function overlaps(path: string, network: Fields): string[] {
  const names = ["nodeCidr", "podCidr", "serviceCidr"];
  return names.flatMap((name, i) =>
    names.slice(0, i).flatMap((other) => {
      const [one, two] = [name, other].map((key) => parseCidr(String(network[key])));
      if (!one || !two || !overlap(one, two)) return [];
      return [`${path}.${name}: ${one.text} overlaps ${other} ${two.text}; give one of them another`];
    }),
  );
}

function poolFaults(path: string, cidr: string, given: unknown): string[] {
  const network = parseCidr(cidr);
  const pools = items(given).map((pool) => ({
    start: text(fields(pool)["start"]) ?? "",
    end: text(fields(pool)["end"]) ?? "",
  }));
  const outside = pools.flatMap((pool, i) =>
    Object.entries(pool).flatMap(([key, address]) => {
      const one = parseAddress(address);
      return one === undefined || network === undefined || overlap(one, network)
        ? []
        : [`${path}.allocationPools[${i}].${key}: ${address} is not in nodeCidr ${network.text}`];
    }),
  );
  const others = poolProblems(pools, undefined);
  return [...outside, ...others.map(({ pool, problem }) => `${path}.allocationPools[${pool}]: ${problem}`)];
}
