import { type Block, figureCell, paragraph, ruled } from "../../../../formats/pdf/blocks.ts";
import type { Colour, Paper, TextStyle } from "../../../../formats/pdf/paper.ts";
import { type HtmlValue, textOf } from "../html.ts";

const BLACK: Colour = [0.1, 0.11, 0.13];
const GREY: Colour = [0.36, 0.38, 0.42];
const ORANGE: Colour = [0.64, 0.28, 0.04];
const LINE: Colour = [0.78, 0.8, 0.83];

/** In points. */
const STYLES = {
  brand: { size: 8, face: "bold", colour: GREY },
  title: { size: 16, face: "bold", colour: BLACK },
  lead: { size: 9.5, face: "plain", colour: GREY },
  warning: { size: 9.5, face: "bold", colour: ORANGE },
  heading: { size: 9, face: "bold", colour: BLACK },
  figure: { size: 15, face: "bold", colour: BLACK },
  body: { size: 8, face: "plain", colour: BLACK },
  strong: { size: 8, face: "bold", colour: BLACK },
  small: { size: 7, face: "plain", colour: GREY },
} as const satisfies Readonly<Record<string, TextStyle>>;

export type StyleName = keyof typeof STYLES;

/** Sets the content of the page in the type of this sheet. */
export interface Typesetter {
  /** A length at the sheet's scale. */
  points(length: number): number;
  text(value: HtmlValue, style: StyleName, width: number): Block;
  /** A right-aligned figure, or the head of a column of figures. */
  figure(value: HtmlValue, style: StyleName, width: number): Block;
  ruled(block: Block, width: number): Block;
}

export function typesetter(paper: Paper, scale: number): Typesetter {
  const styleOf = (name: StyleName): TextStyle => ({ ...STYLES[name], size: STYLES[name].size * scale });
  return {
    points: (length) => length * scale,
    text: (value, style, width) => paragraph(paper, textOf(value), styleOf(style), width),
    figure: (value, style, width) => figureCell(paper, textOf(value), styleOf(style), width),
    ruled: (block, width) => ruled(block, width, LINE),
  };
}
