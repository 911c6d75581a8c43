import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const releaseCommand = command({
  name: "release",
  summary: "gives PersistentVolumes whose claim is gone to the next claims, with the data on them",
  examples: ["release vnf-a nfs-pv1"],
  operands: { vnf: word("VNF"), volumes: words("VOLUME") },
  options: CHANGING,
  run: (request) =>
    runOperation("release", request, (stack, options) =>
      stack.release(request.vnf, request.volumes, options),
    ),
});
