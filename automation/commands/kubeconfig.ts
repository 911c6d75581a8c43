import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { command, flag, option, word } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { mergedKubeconfig } from "../command-line/merged-kubeconfig";
import { writeOwn } from "../command-line/own-file";
import { readDuration, STACK } from "../command-line/options";
import { openPulumiStack } from "../command-line/stack";
import { show } from "../command-line/terminal";
import { kubeconfigOf } from "../stack/kubeconfig";
import { expiringKubeconfig } from "../stack/expiring-kubeconfig";

export const kubeconfigCommand = command({
  name: "kubeconfig",
  summary: "writes the kubeconfig of a cluster to a file that only its owner can read",
  details:
    "--merge adds it to kubectl's own kubeconfig, as the context VNF@STACK; other contexts stay\n" +
    "--expires makes a new token for it, which ends by itself; without it the token or certificate is that of the stack",
  examples: ["kubeconfig vnf-a", "kubeconfig vnf-a --merge", "kubeconfig vnf-a --expires 8h"],
  operands: { vnf: word("VNF") },
  options: {
    file: option("FILE", "the file to write; default: VNF.kubeconfig"),
    expires: option("TIME", "time until the kubeconfig's token ends, such as 10m or 8h; at least 10m", {
      read: readDuration,
    }),
    merge: flag("merge into FILE; default: the first file of KUBECONFIG, else ~/.kube/config"),
    stack: STACK,
  },
  run: async ({ vnf, file, expires, merge, stack: name }) => {
    const stack = await openPulumiStack(name);
    const lasting = await kubeconfigOf(stack, vnf);
    const { kubeconfig, ends } =
      expires === undefined
        ? { kubeconfig: lasting, ends: undefined }
        : await expiringKubeconfig(lasting, vnf, expires);
    if (ends !== undefined) show([`the token of this kubeconfig ends at ${ends}`]);
    show(
      merge
        ? mergeInto(file ?? kubectlsFile(), kubeconfig, `${vnf}@${stack.name}`)
        : writeTo(file ?? `${vnf}.kubeconfig`, kubeconfig),
    );
    return EXIT.done;
  },
});

function writeTo(file: string, kubeconfig: string): string[] {
  writeOwn(file, kubeconfig);
  return [`export KUBECONFIG=${file}`];
}

function mergeInto(file: string, kubeconfig: string, context: string): string[] {
  const former = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeOwn(file, mergedKubeconfig(former, kubeconfig, context, file));
  return [`${file} has the context ${context}`, `kubectl config use-context ${context}`];
}

/** The file that kubectl itself writes. */
function kubectlsFile(): string {
  const [first] = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  return first ?? join(homedir(), ".kube/config");
}
