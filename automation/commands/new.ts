import { command, flag, optionalWord } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { show } from "../command-line/terminal";
import { makeProject } from "../new";

export const newCommand = command({
  name: "new",
  summary: "makes a Pulumi project of your own: a program, a CNF and what a pipeline runs",
  details: "in a folder, by default the current one; 'vnfm init' writes its stack config then",
  examples: ["new", "new site-1", "new site-1 --typescript"],
  operands: { folder: optionalWord("FOLDER") },
  options: { typescript: flag("the program in TypeScript, with its compiler and tsconfig.json") },
  read: ({ folder = ".", typescript }) => ({ folder, typescript }),
  run: ({ folder, typescript }) => {
    show(makeProject(folder, { typescript }));
    return Promise.resolve(EXIT.done);
  },
});
