import type { Colour, Paper, TextStyle } from "./paper.ts";

/** A part of a page. Its height is known before it is drawn. */
export interface Block {
  readonly height: number;
  draw(paper: Paper, x: number, top: number): void;
}

/** The height of a line, as a multiple of the letters' size. */
const LEADING = 1.28;

/** Text on as many lines as it needs. A word wider than a line is broken. */
export function paragraph(paper: Paper, text: string, style: TextStyle, width: number): Block {
  const lines = linesOf(paper, text, style, width);
  const step = style.size * LEADING;
  return {
    height: lines.length * step,
    draw: (on, x, top) => {
      for (const [at, line] of lines.entries()) {
        on.text(line, { x, top: top + at * step + (step - style.size) / 2 }, style);
      }
    },
  };
}

/** A right-aligned figure on one line. Its letters shrink if it is wider than its column. */
export function figureCell(paper: Paper, text: string, style: TextStyle, width: number): Block {
  const printable = paper.printable(text);
  const size = Math.min(style.size, (style.size * width) / paper.widthOf(printable, style));
  return {
    height: style.size * LEADING,
    draw: (on, x, top) => {
      const fitting = { ...style, size };
      const below = style.size * LEADING - size - (style.size * (LEADING - 1)) / 2;
      on.text(printable, { x: x + width - on.widthOf(printable, fitting), top: top + below }, fitting);
    },
  };
}

/** Blocks below one another. */
export function stack(blocks: readonly Block[], gap = 0): Block {
  const height = blocks.reduce((sum, block) => sum + block.height, 0) + gap * Math.max(0, blocks.length - 1);
  return {
    height,
    draw: (on, x, top) => {
      let at = top;
      for (const block of blocks) {
        block.draw(on, x, at);
        at += block.height + gap;
      }
    },
  };
}

/** Blocks side by side, each at its own distance from the left. */
export function beside(blocks: readonly { readonly left: number; readonly block: Block }[]): Block {
  return {
    height: Math.max(0, ...blocks.map(({ block }) => block.height)),
    draw: (on, x, top) => {
      for (const { left, block } of blocks) {
        block.draw(on, x + left, top);
      }
    },
  };
}

/** A block with a line below it. */
export function ruled(block: Block, width: number, colour: Colour): Block {
  return {
    height: block.height,
    draw: (on, x, top) => {
      block.draw(on, x, top);
      on.rule({ x, top: top + block.height }, width, colour);
    },
  };
}

function linesOf(paper: Paper, text: string, style: TextStyle, width: number): readonly string[] {
  const fits = (part: string) => paper.widthOf(part, style) <= width;
  const lines: string[] = [];
  let line = "";
  for (const word of paper.printable(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") {
      lines.push(line);
    }
    const pieces = piecesOf(word, fits);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

/** Pieces of at least one character each. */
function piecesOf(word: string, fits: (piece: string) => boolean): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const sign of word) {
    if (piece !== "" && !fits(piece + sign)) {
      pieces.push(piece);
      piece = "";
    }
    piece += sign;
  }
  return [...pieces, piece];
}
