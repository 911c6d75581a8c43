import type { Place } from "../../base/findings";
import { own } from "../../base/own";
import type { ClusterSettings } from "../../settings/model";
import type { NodeSpec, Registry } from "../nodes/model";

/** Reads the settings of nodes that workload clusters have like kubeadm clusters. @param place of the cluster */
export function readNodes(settings: ClusterSettings, place: Place): NodeSpec {
  return {
    trustedCertificates: settings.trustedCertificates,
    registries: readRegistries(settings, place),
  };
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
