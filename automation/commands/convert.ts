import { printable } from "../../components/base/printable";
import { convertCapiHelm } from "../capi-helm";
import { convertCapo } from "../capo";
import { choice, command, words } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import type { Conversion } from "../conversion/conversion";
import { settingsYaml } from "../conversion/yaml";
import { convertMagnum } from "../magnum";
import { convertRequests } from "../sol003/convert";

type Source = "magnum" | "capo" | "capi-helm" | "sol003";

/** Readers of the files of other programs, and of requests of SOL003. */
const READERS: Readonly<Record<Source, (files: readonly string[]) => Conversion>> = {
  magnum: convertMagnum,
  capo: (files) => convertCapo(files, process.env),
  "capi-helm": convertCapiHelm,
  sol003: convertRequests,
};

export const convertCommand = command({
  name: "convert",
  summary: "prints clusters of Magnum, CAPO or capi-helm-charts, or requests of SOL003, as settings",
  details:
    "docs/migrate-from-magnum.md, docs/migrate-from-cluster-api.md and docs/specifications.md list the input files of each SOURCE",
  examples: [
    "convert magnum template.json cluster.json workers.json",
    "convert capo cluster-template.yaml",
    "convert capi-helm defaults.yaml tenant-a.yaml",
    "convert sol003 instantiate.json",
  ],
  operands: { from: choice("SOURCE", "magnum", "capo", "capi-helm", "sol003"), files: words("FILE") },
  options: {},
  run: ({ from, files }) => {
    process.stdout.write(printable(settingsYaml(READERS[from](files))));
    return Promise.resolve(EXIT.done);
  },
});
