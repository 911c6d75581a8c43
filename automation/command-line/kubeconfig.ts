import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { foreignKubeconfig } from "../../components/kube/foreign-kubeconfig";
import { didYouMean, oneOf } from "../../components/nearest";
import { own } from "../../components/own";
import { Fault, UsageFault } from "../fault";
import type { PulumiStack } from "../stack/pulumi";

/**
 * Writes the kubeconfig of a cluster, as the last run has read it, to a file that its owner alone may read. Cluster API
 * renews the certificate in that of a workload cluster: each run reads it anew.
 *
 * @throws UsageFault if the instance is no cluster, or has not been made yet, Fault if foreignKubeconfig refuses it
 */
export async function writeKubeconfig(stack: PulumiStack, vnf: string, file: string): Promise<void> {
  const kubeconfigs = ((await stack.secretOutputs())["kubeconfigs"] ?? {}) as Readonly<
    Record<string, string>
  >;
  const kubeconfig = own(kubeconfigs, vnf);
  const known = Object.keys(kubeconfigs);
  if (kubeconfig === undefined)
    throw new UsageFault(
      known.length === 0
        ? `${vnf} has no kubeconfig: this stack has no cluster yet, 'pulumi up' makes those of its config`
        : `${vnf} is no cluster that is there; ${oneOf(known)}${didYouMean(vnf, known)}`,
    );
  writeOwn(file, foreignKubeconfig(kubeconfig, `the kubeconfig of ${vnf}`));
}

/** Puts a text in place of a file, as a whole: whoever has the former one open does not read it. */
function writeOwn(file: string, text: string): void {
  const path = existsSync(file) ? realpathSync(file) : file;
  // a device would be replaced by a file
  if (existsSync(path) && !statSync(path).isFile())
    throw new UsageFault(`${file} is no regular file: give another with --file`);
  const part = join(dirname(path), `.${basename(path)}.${process.pid}`);
  try {
    // not through a link that somebody has put there
    writeFileSync(part, text, { mode: 0o600, flag: "wx" });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new Fault(`${file} cannot be written: ${(error as Error).message}`);
  }
}
