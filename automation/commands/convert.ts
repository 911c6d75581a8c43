import { printable } from "../../components/base/printable";
import { command, keyword, words } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { convertFiles } from "../magnum";

export const convertCommand = command({
  name: "convert",
  summary: "prints Magnum's cluster templates and clusters as settings",
  details:
    "the files are what openstack coe cluster show, cluster template show and nodegroup show print with -f json",
  examples: ["convert magnum template.json cluster.json workers.json"],
  operands: { from: keyword("magnum"), files: words("FILE") },
  options: {},
  run: ({ files }) => {
    process.stdout.write(printable(convertFiles(files)));
    return Promise.resolve(EXIT.done);
  },
});
