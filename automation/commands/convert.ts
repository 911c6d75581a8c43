import { printable } from "../../components/base/printable";
import { convertCapiHelm } from "../capi-helm";
import { convertCapo } from "../capo";
import { choice, command, words } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import type { Conversion } from "../conversion/conversion";
import { settingsYaml } from "../conversion/yaml";
import { convertMagnum } from "../magnum";

/** Readers of the files of another program. */
const READERS: Readonly<Record<"magnum" | "capo" | "capi-helm", (files: readonly string[]) => Conversion>> = {
  magnum: convertMagnum,
  capo: (files) => convertCapo(files, process.env),
  "capi-helm": convertCapiHelm,
};

export const convertCommand = command({
  name: "convert",
  summary: "prints clusters of Magnum, CAPO or capi-helm-charts as settings",
  details:
    "PROGRAM is magnum, capo or capi-helm; docs/migrate-from-magnum.md and docs/migrate-from-cluster-api.md list the input files of each",
  examples: [
    "convert magnum template.json cluster.json workers.json",
    "convert capo cluster-template.yaml",
    "convert capi-helm defaults.yaml tenant-a.yaml",
  ],
  operands: { from: choice("PROGRAM", "magnum", "capo", "capi-helm"), files: words("FILE") },
  options: {},
  run: ({ from, files }) => {
    process.stdout.write(printable(settingsYaml(READERS[from](files))));
    return Promise.resolve(EXIT.done);
  },
});
