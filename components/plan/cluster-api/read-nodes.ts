import type { Place } from "../../base/findings";
import { own } from "../../base/own";
import { NODE_CIDR } from "../../settings/cluster-network-checks";
import type { ClusterSettings } from "../../settings/model";
import type { NodeSpec, Proxy, Registry } from "../nodes/model";
import { DNS_DOMAIN } from "../nodes/proxy";

/**
 * Reads the node settings of a workload cluster that kubeadm clusters have too.
 * @param place of the cluster
 */
export function readNodes(settings: ClusterSettings, place: Place): NodeSpec {
  const { keystone, port } = settings.apiServer;
  return {
    trustedCertificates: settings.trustedCertificates,
    registries: readRegistries(settings, place),
    proxy: readProxy(settings),
    keystone: keystone && {
      value: { ...keystone, apiServerPort: port },
      place: place.get("apiServer", "keystone"),
    },
    files: { value: settings.kubeadm.files, place: place.get("kubeadm", "files") },
  };
}

function readProxy({ proxy, network }: ClusterSettings): Proxy | undefined {
  return (
    proxy && {
      ...{ http: proxy.httpProxy, https: proxy.httpsProxy, exceptions: proxy.noProxy },
      cidrs: [network.podCidr, network.serviceCidr],
      nodeCidr: network.network === undefined ? (network.nodeCidr ?? NODE_CIDR) : undefined,
      dnsDomain: DNS_DOMAIN,
    }
  );
}

function readRegistries(
  { registryMirrors, registryCertificates, registryLogins }: ClusterSettings,
  place: Place,
): Registry[] {
  return Object.keys({ ...registryMirrors, ...registryCertificates, ...registryLogins }).map((name) => {
    const mirrors = own(registryMirrors, name);
    return {
      ...{ name, scheme: undefined, hostsLine: undefined },
      mirrors: mirrors && { value: mirrors, place: place.get("registryMirrors", name) },
      ca: own(registryCertificates, name),
      login: own(registryLogins, name),
    };
  });
}
