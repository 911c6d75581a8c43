import { text } from "../../components/kube/objects/object";
import { resourcesOf, stepOf } from "./checks";
import { Places } from "../stack/places";
import { reveal, type ResourceState, type State } from "../stack/state";

/** A Kubernetes cluster that a stack has objects on. */
export interface StackVim {
  /** Of its Kubernetes provider. */
  readonly urn: string;
  /** Whole, with its credentials. */
  readonly kubeconfig: string;
  /** The VNF instances that are the cluster, or have objects on it. */
  readonly vnfs: readonly string[];
  /** The PersistentVolumes that the stack has made there. */
  readonly volumes: readonly OwnVolume[];
}

export interface OwnVolume {
  /** The VNF instance that it belongs to. */
  readonly vnf: string;
  readonly name: string;
}

const PROVIDER = "pulumi:providers:kubernetes";
const VOLUME = "kubernetes:core/v1:PersistentVolume";

/** The clusters of a stack. @param state with its secrets in plain text */
export function vimsOf(state: State): readonly StackVim[] {
  const resources = resourcesOf(state);
  const places = new Places(resources.map(stepOf));
  const vnfOf = (resource: ResourceState): string => places.of(stepOf(resource)).vnf ?? "";
  return resources
    .filter(({ type }) => type === PROVIDER)
    .flatMap((provider): readonly StackVim[] => {
      const kubeconfig = text(reveal(provider.inputs?.["kubeconfig"]));
      if (kubeconfig === undefined) return [];
      const there = resources.filter((one) => one.provider?.startsWith(`${provider.urn}::`));
      const volumes = there
        .filter(({ type }) => type === VOLUME)
        .flatMap((one) => (one.id === undefined ? [] : [{ vnf: vnfOf(one), name: one.id }]));
      const vnfs = [...new Set([provider, ...there].map(vnfOf))];
      return [{ urn: provider.urn, kubeconfig, vnfs, volumes }];
    });
}
