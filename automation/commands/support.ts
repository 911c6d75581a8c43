import { command, option, word } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { writeOwn } from "../command-line/own-file";
import { STACK } from "../command-line/options";
import { openPulumiStack, stopSignal } from "../command-line/stack";
import { show } from "../command-line/terminal";
import { archiveOf } from "../support/archive";
import { supportFiles } from "../support/support";

export const supportCommand = command({
  name: "support",
  summary:
    "packs versions, settings, states and logs of an instance, without secrets, to hand on; changes nothing",
  details:
    "secrets of the stack, private keys and tokens are replaced by [secret]; addresses, names and Pods' states are in it:\n" +
    "look through the archive before you hand it on",
  examples: ["support vnf-a", "support vnf-a --file /tmp/vnf-a.tgz"],
  operands: { vnf: word("VNF") },
  options: {
    file: option("FILE", "the archive to write; default: VNF-support.tgz"),
    stack: STACK,
  },
  run: async ({ vnf, file = `${vnf}-support.tgz`, stack: name }) => {
    const files = await supportFiles(await openPulumiStack(name), vnf, stopSignal());
    writeOwn(file, await archiveOf(files, `${vnf}-support`));
    show([`${file} has ${files.size} files: look through it before you hand it on`]);
    return EXIT.done;
  },
});
