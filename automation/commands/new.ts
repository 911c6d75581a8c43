import { command, flag, option, optionalWord } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { show } from "../command-line/terminal";
import { UsageFault } from "../fault";
import { makeProject } from "../new";
import { templates } from "../new/template";

export const newCommand = command({
  name: "new",
  summary: "makes a Pulumi project of your own: a program, a CNF and what a pipeline runs",
  details: `in a folder, by default the current one; 'vnfm init' writes its stack config then
examples: ${templates().join(", ")}`,
  examples: ["new", "new site-1", "new site-1 --typescript", "new site-1 --template high-availability"],
  operands: { folder: optionalWord("FOLDER") },
  options: {
    typescript: flag("the program in TypeScript, with its compiler and tsconfig.json"),
    template: option("NAME", "a copy of an example in the place of that"),
  },
  read: ({ folder = ".", typescript, template }) => {
    if (typescript && template !== undefined)
      throw new UsageFault("--typescript and --template are one too many: a template has its own program");
    return { folder, typescript, template };
  },
  run: ({ folder, ...program }) => {
    show(makeProject(folder, program));
    return Promise.resolve(EXIT.done);
  },
});
