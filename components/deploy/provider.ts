import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { withGuardedPlugins } from "../kube/access/exec-plugin";
import { withoutStackTrace } from "./run-error";

export interface ClusterProviderArgs {
  readonly kubeconfig: pulumi.Output<string>;
  /**
   * Property that identifies the cluster; if it changes, the objects are re-created on the new cluster. `name`: the
   * name of the provider. `server`: also API server and CA, for which the kubeconfig must be known in every preview.
   */
  readonly identity: "name" | "server";
}

/**
 * The provider for the objects on one cluster. It reads nothing from the environment of the machine. A kubeconfig that
 * is not known yet, or a new token in it, does not count as another cluster. ConfigMaps and Secrets keep their names,
 * so they are updated in place. If the identity is the name, previews use the kubeconfig of the last run: with an
 * unknown one Pulumi would report an update of every object.
 */
export function clusterProvider(
  name: string,
  args: ClusterProviderArgs,
  opts: pulumi.CustomResourceOptions,
): Provider {
  const isNamed = args.identity === "name";
  return new Provider(
    name,
    {
      kubeconfig: args.kubeconfig.apply((text) => withoutStackTrace(() => withGuardedPlugins(text))),
      ...(isNamed && { clusterIdentifier: name }),
      enableConfigMapMutable: true,
      enableSecretMutable: true,
    },
    pulumi.mergeOptions(opts, {
      ignoreChanges: isNamed && pulumi.runtime.isDryRun() ? ["kubeconfig"] : [],
      transformations: [ofTheProgram],
    }),
  );
}

/**
 * Removes defaults that the SDK takes from the environment. The provider plugin reads the environment itself, for one
 * run only. In the state these defaults would apply permanently, and would remove objects of a cluster that is
 * unreachable for a moment.
 */
const ofTheProgram: pulumi.ResourceTransformation = ({ props, opts }) => ({
  props: { ...props, deleteUnreachable: undefined, skipUpdateUnreachable: undefined },
  opts,
});
