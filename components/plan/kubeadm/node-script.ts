import type { ClusterInstallation } from "../../settings/model";
import type { ClusterContext } from "./context";
import { runnable } from "../../base/text";
import { readTextFile } from "./text-file";

/**
 * Text of the operator's script that prepares every node; undefined without one. Records a script with kubeadm init or
 * join, because vnfm itself runs these commands afterwards.
 */
export function readNodeScript(
  { script_path: file }: ClusterInstallation,
  context: Pick<ClusterContext, "place" | "readText">,
): string | undefined {
  if (file === undefined) return undefined;
  const place = context.place.get("script_path");
  const text = runnable(readTextFile(file, place, context) ?? "");
  const found = kubeadmCommands(text);
  if (found.length > 0) {
    place.fault(
      `${file} runs ${found.join(" and ")}, which vnfm does after this script: remove it, ` +
        "so that the script only installs what the image lacks; or remove script_path and use an image or an " +
        "apt_repository that has kubeadm",
    );
  }
  return text;
}

/** Finds literal commands `kubeadm init` and `kubeadm join` in a shell script. */
function kubeadmCommands(script: string): string[] {
  const commands = script
    .replaceAll(/(^|\s)#.*/gm, "$1")
    .replaceAll(/\\\n/g, " ")
    .split(/[;&|(){}`\n]+/);
  const found = commands.flatMap((command) => KUBEADM.exec(command)?.[1] ?? []);
  return [...new Set(found)].sort().map((verb) => `kubeadm ${verb}`);
}

/** Matches words that may precede a command, then kubeadm, its options and the subcommand. */
const KUBEADM = new RegExp(
  String.raw`^\s*(?:(?:${[
    String.raw`\w+=\S*`,
    String.raw`-\S+`,
    ...["sudo", "env", "exec", "eval", "command", "nohup", "nice", "time", "root"],
    String.raw`timeout\s+\S+`,
    ...["if", "elif", "then", "else", "while", "until", "do", "!"],
  ].join("|")})\s+)*(?:\S*/)?kubeadm(?:\s+-\S+)*\s+(init|join)(?!\S)`,
);
