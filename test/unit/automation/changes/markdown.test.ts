/** Previews as comments on pull requests. */
import type { Change } from "../../../../automation/changes/changes";
import { faultsInMarkdown, previewInMarkdown } from "../../../../automation/changes/markdown";

const change = (action: Change["action"], text: string, vnf = "vnf-a"): Change => {
  return { action, text, subject: { vnf, kind: "resource", key: "" }, parts: [] };
};

it("the page has a line for each change, with the colour of a diff", () => {
  const preview = {
    changes: [
      change("create", "workerNode-2 is added and joins the cluster"),
      change("replace", "workerNode-1 is replaced"),
      change("delete", "Deployment web/web is deleted", "web"),
    ],
    stays: { "vnf-a": ["masterNode-1"] },
    warnings: ["vnfm:vnfs.vnf-a: is open"],
  };
  expect(previewInMarkdown("organization/vnfm/site-1", preview)).toBe(`### organization/vnfm/site-1: 3 changes

\`\`\`diff
+ vnf-a: workerNode-2 is added and joins the cluster
! vnf-a: workerNode-1 is replaced
- web: Deployment web/web is deleted
  vnf-a: masterNode-1 stays
  nothing else changes
\`\`\`

1 warning:

\`\`\`text
- vnfm:vnfs.vnf-a: is open
\`\`\``);
});

it("the page says that nothing changes", () => {
  expect(previewInMarkdown("site-1", { changes: [], stays: {}, warnings: [] })).toBe(
    "### site-1: 0 changes\n\nNothing changes.",
  );
});

it("the page lets no name of somebody else end its block", () => {
  const changes = [change("create", "Deployment web/a\n```\n@everyone <b> is created")];
  const lines = previewInMarkdown("s", { changes, stays: {}, warnings: ["x\n```\n# y"] }).split("\n");
  expect(lines.filter((line) => line.startsWith("```"))).toEqual(["```diff", "```", "```text", "```"]);
});

it("the page fits into a comment, and says how much is left out", () => {
  const changes = Array.from({ length: 3000 }, (_, i) =>
    change("create", `Deployment web/web-${i} is created`),
  );
  const warnings = Array.from({ length: 3000 }, (_, i) => `vnfm:vnfs.web-${i}: is open`);
  for (const ofBoth of [
    { changes, warnings: [] },
    { changes, warnings },
    { changes: [], warnings },
  ]) {
    const text = previewInMarkdown("s", { stays: {}, ...ofBoth });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/^ {2}\.\.\. and \d{3,} lines more$/m);
  }
});

it("the page tells all faults", () => {
  expect(faultsInMarkdown("site-1", ["vnfm:vnfs.a.vim: x", "vnfm:vnfs.b: y"])).toBe(
    "### site-1: 2 faults\n\n```text\n- vnfm:vnfs.a.vim: x\n- vnfm:vnfs.b: y\n```",
  );
});
