/** The pictures of a topology that is small and has one of everything. */
import { drawMermaid } from "../../../../automation/topology/mermaid";
import { box, type Topology } from "../../../../automation/topology/model";
import { drawSvg } from "../../../../automation/topology/svg";

const TOPOLOGY: Topology = {
  boxes: [
    box("vim", "cloud lab", {
      facts: ["OpenStack"],
      boxes: [
        box("network", "public", { facts: ["existing"] }),
        box("vnf", "vnf-a", {
          facts: ["kubeadm cluster"],
          boxes: [
            box("group", "workerNode", {
              count: 3,
              facts: ["worker"],
              networks: ["public"],
              marks: [
                { action: "create", names: ["workerNode-3"] },
                { action: "replace", names: ["workerNode-1"] },
              ],
            }),
          ],
        }),
      ],
    }),
    box("vnf", 'old <"1;2">', { marks: [{ action: "delete", names: ["Service a/b"] }] }),
  ],
  marks: [{ action: "update", names: ["application credential"] }],
};

it("the drawing draws boxes, links to networks and changes for Mermaid", () => {
  expect(drawMermaid(TOPOLOGY)).toEqual([
    "flowchart TB",
    '  subgraph n1["cloud lab<br/>OpenStack"]',
    '    n2(["network public<br/>existing"])',
    '    subgraph n3["vnf-a<br/>kubeadm cluster"]',
    '      n4["workerNode × 3<br/>worker<br/>added: workerNode-3<br/>replaced: workerNode-1"]',
    "    end",
    "  end",
    '  n5["old #60;#34;1#59;2#34;#62;<br/>deleted: Service a/b"]',
    "  n4 --- n2",
    "  classDef replace fill:#fddbc7,stroke:#b35806,color:#000",
    "  class n4 replace",
    "  classDef delete fill:#f4cae4,stroke:#8e0152,color:#000",
    "  class n5 delete",
    "  %% besides, changed: application credential",
  ]);
});

it("the drawing draws boxes in boxes as SVG", () => {
  expect(drawSvg(TOPOLOGY).join("\n"))
    .toBe(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 544 265" width="544" height="265" font-family="monospace" font-size="12">
  <g transform="translate(10 10)">
    <rect width="350" height="219" rx="3" fill="#ffffff" stroke="#333333"/>
    <text x="10" y="16" font-weight="bold">cloud lab</text>
    <text x="10" y="32">OpenStack</text>
    <g transform="translate(10 52)">
      <rect width="121" height="47" rx="12" fill="#e1ecf7" stroke="#4a7ab5"/>
      <text x="10" y="16" font-weight="bold">network public</text>
      <text x="10" y="32">existing</text>
    </g>
    <g transform="translate(141 52)">
      <rect width="199" height="157" rx="3" fill="#f7f7f7" stroke="#777777"/>
      <text x="10" y="16" font-weight="bold">vnf-a</text>
      <text x="10" y="32">kubeadm cluster</text>
      <g transform="translate(10 52)">
        <rect width="179" height="95" rx="3" fill="#fddbc7" stroke="#b35806"/>
        <text x="10" y="16" font-weight="bold">workerNode × 3</text>
        <text x="10" y="32">worker</text>
        <text x="10" y="48">on public</text>
        <text x="10" y="64">added: workerNode-3</text>
        <text x="10" y="80">replaced: workerNode-1</text>
      </g>
    </g>
  </g>
  <g transform="translate(370 10)">
    <rect width="164" height="47" rx="3" fill="#f4cae4" stroke="#8e0152"/>
    <text x="10" y="16" font-weight="bold">old &lt;"1;2"&gt;</text>
    <text x="10" y="32">deleted: Service a/b</text>
  </g>
  <text x="10" y="255">besides, changed: application credential</text>
</svg>`);
});

it("the drawing begins another row where one is as wide as a page", () => {
  const many = Array.from({ length: 30 }, (_, i) => box("vnf", `cluster-with-a-long-name-${i}`));
  const rows = drawSvg({ boxes: many, marks: [] }).flatMap(
    (line) => /translate\(10 (\d+)\)/.exec(line)?.[1] ?? [],
  );
  const [, width = 0] = /viewBox="0 0 (\d+)/.exec(drawSvg({ boxes: many, marks: [] })[0] ?? "") ?? [];
  expect(rows.length).toBeGreaterThan(2);
  expect(Number(width)).toBeLessThanOrEqual(1620);
});
