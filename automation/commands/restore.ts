import { command, option, word } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";

export const restoreCommand = command({
  name: "restore",
  summary: "restores a cluster whose control-plane nodes are all lost from a snapshot of its etcd",
  examples: ["restore vnf-a", "restore vnf-a --snapshot 2026-11-29T09:05:02Z"],
  operands: { vnf: word("VNF") },
  options: {
    ...CHANGING,
    snapshot: option("TIME", "the snapshot of that time; default: the newest one"),
  },
  run: (request) =>
    runOperation("restore", request, (stack, options) =>
      stack.restore(request.vnf, request.snapshot, options),
    ),
});
