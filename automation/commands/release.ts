import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import { release } from "../operations/release";

export const releaseCommand = command({
  name: "release",
  summary: "gives PersistentVolumes whose claim is gone to the next claims, with the data on them",
  examples: ["release vnf-a nfs-pv1"],
  operands: { vnf: word("VNF"), volumes: words("VOLUME") },
  options: CHANGING,
  read: (request) => request,
  run: (request) =>
    runOperation("release", request, (stack, conduct) =>
      release(stack, request.vnf, request.volumes, conduct),
    ),
});
