import type { Mark } from "./model";

interface Colours {
  readonly fill: string;
  readonly stroke: string;
}

/** Colours of a box by the next run's action; people who do not see red or green can distinguish them too. */
export const COLOURS: Readonly<Record<Mark["action"], Colours>> = {
  create: { fill: "#d9f0d3", stroke: "#1b7837" },
  update: { fill: "#fff7bc", stroke: "#a6761d" },
  replace: { fill: "#fddbc7", stroke: "#b35806" },
  delete: { fill: "#f4cae4", stroke: "#8e0152" },
};

/** Colours of an unchanged box, by its kind. */
export const PLAIN = {
  vim: { fill: "#ffffff", stroke: "#333333" },
  network: { fill: "#e1ecf7", stroke: "#4a7ab5" },
  vnf: { fill: "#f7f7f7", stroke: "#777777" },
  group: { fill: "#ffffff", stroke: "#aaaaaa" },
} as const satisfies Readonly<Record<string, Colours>>;
