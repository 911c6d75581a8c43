import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const releaseCommand = command({
  name: "release",
  summary: "makes PersistentVolumes whose PVC was deleted available to new PVCs, with their data",
  examples: ["release vnf-a nfs-pv1"],
  operands: { vnf: word("VNF"), volumes: words("VOLUME") },
  options: CHANGING,
  run: (request) =>
    runOperation("release", request, (stack, options) =>
      stack.release(request.vnf, request.volumes, options),
    ),
});
