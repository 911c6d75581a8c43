import { command, flag, option, optionalWord } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { show } from "../command-line/terminal";
import { UsageFault } from "../fault";
import { makeProject } from "../new";
import { templates } from "../new/template";

export const newCommand = command({
  name: "new",
  summary: "creates a Pulumi project: a program, a CNF and a script for a pipeline",
  details: `in a folder, default: the current one; then 'vnfm init' writes its stack config
examples:
${templates()
  .map((name) => `  ${name}`)
  .join("\n")}`,
  examples: ["new", "new site-1", "new site-1 --typescript", "new site-1 --template high-availability"],
  operands: { folder: optionalWord("FOLDER") },
  options: {
    typescript: flag("write the program in TypeScript, with its compiler and tsconfig.json"),
    template: option("NAME", "copy this example instead"),
  },
  read: ({ folder = ".", typescript, template }) => {
    if (typescript && template !== undefined)
      throw new UsageFault("--typescript and --template exclude each other: a template has its own program");
    return { folder, typescript, template };
  },
  run: ({ folder, ...program }) => {
    show(makeProject(folder, program));
    return Promise.resolve(EXIT.done);
  },
});
