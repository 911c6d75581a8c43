import { text } from "../../components/kube/objects/object";
import type { StackState } from "../stack/stack-state";
import { reveal } from "../stack/state";

/** A Kubernetes cluster with objects of a stack. */
export interface StackVim {
  /** URN of its Kubernetes provider. */
  readonly urn: string;
  /** The kubeconfig, with its credentials. */
  readonly kubeconfig: string;
  /** The VNF instances that are the cluster, or have objects on it. */
  readonly vnfs: readonly string[];
  /** The PersistentVolumes that the stack has created there. */
  readonly volumes: readonly OwnVolume[];
}

export interface OwnVolume {
  /** The VNF instance that it belongs to. */
  readonly vnf: string;
  readonly name: string;
}

const PROVIDER = "pulumi:providers:kubernetes";
const VOLUME = "kubernetes:core/v1:PersistentVolume";

/** The clusters of a stack. */
export function vimsOf({ resources }: StackState): readonly StackVim[] {
  return resources
    .filter(({ type }) => type === PROVIDER)
    .flatMap((provider): readonly StackVim[] => {
      const kubeconfig = text(reveal(provider.inputs?.["kubeconfig"]));
      if (kubeconfig === undefined) return [];
      const there = resources.filter((one) => one.provider?.startsWith(`${provider.urn}::`));
      const volumes = there
        .filter(({ type }) => type === VOLUME)
        .flatMap((one) => (one.id === undefined ? [] : [{ vnf: one.vnf ?? "", name: one.id }]));
      const vnfs = [...new Set([provider, ...there].map(({ vnf = "" }) => vnf))];
      return [{ urn: provider.urn, kubeconfig, vnfs, volumes }];
    });
}
