import { drawMermaid } from "./mermaid";
import { drawSvg } from "./svg";
import { drawText } from "./text";

/** Functions that draw a topology as lines, by format. */
export const FORMATS = { text: drawText, mermaid: drawMermaid, svg: drawSvg } as const;

export type Format = keyof typeof FORMATS;
