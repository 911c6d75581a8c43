import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { withGuardedPlugins } from "../kube/access/exec-plugin";
import { withoutStackTrace } from "./run-error";

export interface ClusterProviderArgs {
  readonly kubeconfig: pulumi.Output<string>;
  /**
   * What makes it another cluster, so that the objects move there: another name of the provider; or also
   * another API server or CA, which needs a kubeconfig that is known in every preview.
   */
  readonly identity: "name" | "server";
}

/**
 * The provider for the objects on one cluster. It takes nothing from the environment of the machine, and a
 * kubeconfig that is not known yet, or a new token in it, does not look like another cluster. ConfigMaps and
 * Secrets keep their names, so they change in place.
 *
 * With a name for identity, a preview asks with the kubeconfig of the last run: with one that is not known before
 * the run, the engine would say of every object that it is updated.
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
 * Without what the SDK takes from the environment. The plugin reads it there too, for one run; from the state it would
 * do so ever after, and drop objects of a cluster that is away for a moment.
 */
const ofTheProgram: pulumi.ResourceTransformation = ({ props, opts }) => ({
  props: { ...props, deleteUnreachable: undefined, skipUpdateUnreachable: undefined },
  opts,
});
