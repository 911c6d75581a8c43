import { faultsInMarkdown, previewInMarkdown } from "../changes/markdown";
import { describePreview } from "../changes/changes";
import { failureDocument, previewDocument } from "../changes/preview-document";
import { command, flag, option, withDefault } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { READING } from "../command-line/options";
import { openStack, stopSignal } from "../command-line/stack";
import { show, writeJson } from "../command-line/terminal";
import { Fault, UsageFault } from "../fault";

const FORMAT = option("FORMAT", "text, or markdown for a comment on a pull request; default: text", {
  read: (text) => {
    if (text === "text" || text === "markdown") return text;
    throw new UsageFault(`"${text}" is not text or markdown`);
  },
});

export const previewCommand = command({
  name: "preview",
  summary: "shows what the next update would change; changes nothing",
  examples: ["preview", "preview --format markdown --stack site-1", "preview --expect-no-changes"],
  operands: {},
  options: {
    ...READING,
    format: withDefault(FORMAT, "text"),
    "expect-no-changes": flag("exit with status 5 if something would change"),
  },
  run: async ({ stack: name, json, format, "expect-no-changes": expectNone }) => {
    const markdown = format === "markdown";
    let shownName = name ?? "the selected stack";
    try {
      const stack = await openStack(name);
      shownName = stack.name;
      const preview = await stack.preview({ signal: stopSignal() });
      const { changes, warnings } = preview;
      if (json) writeJson(previewDocument(stack.name, preview));
      else if (markdown) show(previewInMarkdown(stack.name, preview).split("\n"));
      else show([...warnings.map((warning) => `warning: ${warning}`), ...describePreview(preview)]);
      return expectNone && changes.length > 0 ? EXIT.differs : EXIT.done;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (json) writeJson(failureDocument(error));
      // a reader of the comment does not see the log
      else if (markdown) show(faultsInMarkdown(shownName, error.faults).split("\n"));
      throw error;
    }
  },
});
