import type { Box, Topology } from "./model";
import { COLOURS } from "./colours";
import { gravest, describeMark, headingOf } from "./words";

/**
 * A topology as a flowchart of Mermaid, which GitHub, GitLab and many editors draw.
 *
 * @see https://mermaid.js.org/syntax/flowchart.html
 */
export function drawMermaid({ boxes, marks }: Topology): readonly string[] {
  const ids = new Map<Box, string>();
  const idOf = (box: Box): string => {
    const id = ids.get(box) ?? `n${ids.size + 1}`;
    ids.set(box, id);
    return id;
  };
  const draw = (box: Box): readonly string[] => {
    const label = labelOf(box);
    const id = idOf(box);
    if (box.boxes.length === 0) return [box.kind === "network" ? `${id}([${label}])` : `${id}[${label}]`];
    return [`subgraph ${id}[${label}]`, ...box.boxes.flatMap(draw).map((line) => `  ${line}`), "end"];
  };
  const drawn = boxes.flatMap(draw);
  const networks = new Map(
    [...ids].filter(([{ kind }]) => kind === "network").map(([{ name }, id]) => [name, id]),
  );
  const links = [...ids].flatMap(([box, id]) =>
    box.networks.flatMap((name) => (networks.has(name) ? [`${id} --- ${networks.get(name)}`] : [])),
  );
  const classes = Object.entries(COLOURS).flatMap(([action, { fill, stroke }]) => {
    const ofAction = [...ids].filter(([box]) => gravest(box) === action).map(([, id]) => id);
    return ofAction.length === 0
      ? []
      : [
          `classDef ${action} fill:${fill},stroke:${stroke},color:#000`,
          `class ${ofAction.join(",")} ${action}`,
        ];
  });
  const besides = marks.map((mark) => `%% besides, ${describeMark(mark)}`);
  return ["flowchart TB", ...[...drawn, ...links, ...classes, ...besides].map((line) => `  ${line}`)];
}

/** The label of a box, without its networks, which are links. */
function labelOf(box: Box): string {
  const lines = [headingOf(box), ...box.facts, ...box.marks.map(describeMark)];
  return `"${lines.map(escaped).join("<br/>")}"`;
}

/** Replaces special characters of Mermaid by their codes. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"#;`]/g, (character) => `#${character.codePointAt(0)};`);
}
