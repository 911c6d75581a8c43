import { once } from "../base/once";
import { own } from "../base/own";
import type { FormerOutputs } from "../plan/former-outputs";
import { vimOf } from "../plan/vim";
import { ofUnknownVersion } from "../plan/required-charts";
import type { Settings } from "../settings/model";

/**
 * Reads the Kubernetes versions of the target clusters of CNFs with charts, if the stack config does not contain them:
 * from the last run's outputs, or from the cluster itself.
 *
 * @param former outputs of the last run
 * @param query reads the version of a cluster, by its kubeconfig; called once for each cluster. Undefined: no answer
 * @returns versions by the instance name of the CNF
 */
export async function readVimVersions(
  settings: Settings,
  former: FormerOutputs,
  query: (kubeconfig: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const queryOnce = once(query);
  const versions = [...ofUnknownVersion(settings)].map(async ([instance, { vim }]) => {
    const version = async (): Promise<string | undefined> => {
      const on = vim === undefined ? undefined : vimOf(vim);
      switch (on?.kind) {
        case "vnf":
          return own(former, on.vnf)?.kubernetesVersion;
        case "kubeconfig":
          return queryOnce(on.kubeconfig.reveal());
        case "stack":
        case undefined:
          return undefined;
      }
    };
    return [instance, await version()] as const;
  });
  const known = (await Promise.all(versions)).flatMap(([instance, version]) =>
    version === undefined ? [] : [[instance, version] as const],
  );
  return new Map(known);
}
