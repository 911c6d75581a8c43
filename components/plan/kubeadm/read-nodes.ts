import type { Place } from "../../base/findings";
import { API_SERVER_PORT } from "../../kube/cluster/control-plane";
import { at, text } from "../../kube/objects/object";
import { CERTIFICATES } from "../../settings/formats";
import type { ClusterInstallation, PrivateRegistrySettings } from "../../settings/model";
import type { NodeSpec, Proxy, Registry } from "../nodes/model";
import { DNS_DOMAIN } from "../nodes/proxy";
import type { ClusterContext } from "./context";
import { readTextFile } from "./text-file";

type Context = Pick<ClusterContext, "place" | "readText">;

/** Reads the node settings of a kubeadm cluster that workload clusters have too. */
export function readNodes(params: ClusterInstallation, context: Context): NodeSpec {
  const { trusted_certificate_paths: trusted = [], private_registry_connection_info: registries = [] } =
    params;
  const keystone = params.apiServer?.keystone;
  const place = context.place.get("trusted_certificate_paths");
  return {
    trustedCertificates: trusted.map((file, i) => readCertificates(file, place.get(i), context)),
    registries: readRegistries(registries, context),
    proxy: readProxy(params),
    keystone: keystone && {
      value: { ...keystone, apiServerPort: API_SERVER_PORT },
      place: context.place.get("apiServer", "keystone"),
    },
    files: { value: params.files ?? [], place: context.place.get("files") },
  };
}

function readProxy({ proxy, master_node: master, kubeadm }: ClusterInstallation): Proxy | undefined {
  const dnsDomain = text(at(kubeadm?.cluster_configuration, "networking", "dnsDomain")) ?? DNS_DOMAIN;
  const { pod_cidr, cluster_cidr, pod_cidr_ipv6 = "", cluster_cidr_ipv6 = "" } = master;
  return (
    proxy && {
      ...{ http: proxy.http_proxy, https: proxy.https_proxy, exceptions: proxy.no_proxy, dnsDomain },
      cidrs: [pod_cidr, cluster_cidr, pod_cidr_ipv6, cluster_cidr_ipv6],
      nodeCidr: proxy.k8s_node_cidr,
    }
  );
}

function readRegistries(settings: readonly PrivateRegistrySettings[], context: Context): Registry[] {
  const list = context.place.get("private_registry_connection_info");
  return settings.map(({ server: name, username, password, mirrors, ...registry }, i) => {
    const place = list.get(i);
    const { certificate_path: file, hosts_string: hostsLine } = registry;
    const scheme = registry.connection_type === "0" ? "http" : "https";
    if (settings.findIndex(({ server }) => server === name) < i)
      place.get("server").fault(`${name} appears twice; remove one of the two`);
    if (name === "docker.io" && scheme === "http")
      place.get("connection_type").fault('docker.io is used only with HTTPS; set it to "1"');
    if ((username === undefined) !== (password === undefined))
      place.fault("set both username and password, or neither");
    if (file !== undefined && scheme === "http")
      place.get("certificate_path").fault(`is for HTTPS; remove it, or set connection_type to "1"`);
    return {
      ...{ name, hostsLine },
      scheme: { value: scheme, place: place.get("connection_type") },
      mirrors: mirrors && { value: mirrors, place: place.get("mirrors") },
      ca: file === undefined ? undefined : readCertificates(file, place.get("certificate_path"), context),
      login: username === undefined || password === undefined ? undefined : { username, password },
    };
  });
}

function readCertificates(file: string, place: Place, context: Context): string {
  const text = readTextFile(file, place, context) ?? "";
  if (text !== "" && !CERTIFICATES.test(text)) place.fault(`${file} is not ${CERTIFICATES.form}`);
  return text;
}
