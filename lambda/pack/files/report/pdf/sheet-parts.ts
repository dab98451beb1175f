import { counted } from "../../../../core/text.ts";
import { type Block, beside, stack } from "../../../../formats/pdf/blocks.ts";
import { type HtmlValue, html, outside } from "../html.ts";
import { fileName, moreCurrencies, nothingIn } from "../parts.ts";
import type { StatementTable, Tile } from "../sections/statement-figures.ts";
import type { StatementSheet } from "../sections/statement-sheet.ts";
import { footerText } from "../titles.ts";
import type { View } from "../view.ts";
import type { Typesetter } from "./typesetter.ts";

/** How much of a sheet is shown, and at which size. */
export interface Extent {
  readonly tables: number;
  readonly points: number;
  readonly scale: number;
}

interface Printed {
  readonly view: View;
  readonly sheet: StatementSheet;
  readonly width: number;
}

/** The sheet from its title to the proof. */
export function headParts(set: Typesetter, { view, sheet, width }: Printed, extent: Extent): readonly Block[] {
  const { context, closing } = view;
  const { state } = sheet;
  // Without a reporting currency there is a tile for each currency.
  const tiles = closing.converted === null ? sheet.tiles.slice(0, extent.tables) : sheet.tiles;
  return [
    stack([
      set.text("fillbook", "brand", width),
      set.text(sheet.title, "title", width),
      set.text(sheet.lead, "lead", width),
    ]),
    stack([
      set.text(state.claim, context.complete ? "heading" : "warning", width),
      set.text(state.text, context.complete ? "body" : "strong", width),
    ]),
    ...(tiles.length === 0 ? [] : [tileRows(set, tiles, width)]),
    ...tableParts(set, { view, sheet, width }, extent),
    pointsPart(set, { view, sheet, width }, extent),
    factsPart(set, sheet, width),
    listPart(set, "Proof", numbered(sheet.proof), width),
  ];
}

/** The lines for signatures, and the foot of the sheet. */
export function footPart(set: Typesetter, { view: { context }, sheet: { signatures }, width }: Printed): Block {
  const report = fileName(context, "report.html");
  const foot = stack([
    set.text(footerText(context), "small", width),
    set.text(
      `Made by fillbook from the venue's completed orders. Sections named here are sections of ${report}; files named here are files of the pack. The CSV files are the record; this sheet is a view of them. It is not tax advice.`,
      "small",
      width,
    ),
  ]);
  if (signatures.length === 0) {
    return foot;
  }
  const names = rowsOf(signatures, { across: signatures.length, width, gap: COLUMN_GAP }, (name, own) =>
    stack([set.ruled(SIGNATURE_ROOM, own), set.text(name, "small", own)]),
  );
  return stack([names, foot], COLUMN_GAP);
}

const COLUMN_GAP = 14;
const SIGNATURE_ROOM: Block = { height: 28, draw: () => undefined };

const TILES_IN_ROW = 4;

function tileRows(set: Typesetter, tiles: readonly Tile[], width: number): Block {
  const across = Math.min(tiles.length, TILES_IN_ROW);
  return rowsOf(tiles, { across, width, gap: set.points(COLUMN_GAP) }, ({ label, value, unit, small }, own) =>
    stack([
      set.text(label, "small", own),
      set.text(html`${value} ${outside(unit)}`, "figure", own),
      set.text(small, "small", own),
    ]),
  );
}

function tableParts(set: Typesetter, { view, sheet, width }: Printed, { tables: most }: Extent): readonly Block[] {
  if (sheet.tables.length === 0) {
    return [set.text(nothingIn(view), "body", width)];
  }
  const left = view.currenciesLeft + sheet.tables.length - most;
  const across = Math.min(most, 2);
  return [
    rowsOf(sheet.tables.slice(0, most), { across, width, gap: set.points(COLUMN_GAP) }, (one, own) =>
      tablePart(set, one, { heads: sheet.heads, width: own }),
    ),
    ...(left === 0 ? [] : [set.text(moreCurrencies(view.context, left), "strong", width)]),
  ];
}

/** As a fraction of a table's width. The rest is for labels. */
const FIGURE_WIDTH = 0.25;

function tablePart(
  set: Typesetter,
  { caption, figures, note }: StatementTable,
  { heads, width }: { readonly heads: readonly string[]; readonly width: number },
): Block {
  const [own, gap] = [FIGURE_WIDTH * width, set.points(4)];
  const line = (label: Block, cells: readonly Block[]) => {
    const start = width - cells.length * own + gap;
    const placed = cells.map((block, at) => ({ left: start + at * own, block }));
    return set.ruled(beside([{ left: 0, block: label }, ...placed]), width);
  };
  const labelWidth = width - heads.length * own;
  const figure = (value: HtmlValue, style: "body" | "strong" | "small") => set.figure(value, style, own - gap);
  const table = stack([
    set.text(caption, "heading", width),
    line(
      set.text("Figure", "small", labelWidth),
      heads.map((head) => figure(head, "small")),
    ),
    ...figures.map(({ label, isMain, cell, compared }) => {
      const style = isMain ? "strong" : "body";
      return line(
        set.text(label, style, labelWidth),
        [cell, compared].map((value) => figure(value, style)),
      );
    }),
  ]);
  return stack([table, set.text(note, "small", width)], set.points(2));
}

function pointsPart(set: Typesetter, { view, sheet: { points }, width }: Printed, { points: most }: Extent): Block {
  if (points.length === 0) {
    return set.text("There are no points to note.", "small", width);
  }
  const left = points.length - most;
  const rest = left === 0 ? [] : [html`${counted(left, "more point")}: see ${fileName(view.context, "report.html")}.`];
  const marked = [...points.slice(0, most), ...rest].map((text) => ({ mark: "•", text }));
  return listPart(set, "Points to note", marked, width);
}

function numbered(lines: readonly HtmlValue[]) {
  return lines.map((text, at) => ({ mark: `${at + 1}.`, text }));
}

interface Line {
  readonly mark: string;
  readonly text: HtmlValue;
}

function listPart(set: Typesetter, title: string, lines: readonly Line[], width: number): Block {
  const indent = set.points(12);
  return stack([
    set.text(title, "heading", width),
    ...lines.map(({ mark, text }) =>
      beside([
        { left: 0, block: set.text(mark, "body", indent) },
        { left: indent, block: set.text(text, "body", width - indent) },
      ]),
    ),
  ]);
}

function factsPart(set: Typesetter, { facts }: StatementSheet, width: number): Block {
  const indent = set.points(104);
  return stack(
    facts.map(({ name, value }) =>
      beside([
        { left: 0, block: set.text(name, "strong", indent - set.points(6)) },
        { left: indent, block: set.text(value, "body", width - indent) },
      ]),
    ),
  );
}

interface Columns {
  readonly across: number;
  readonly width: number;
  readonly gap: number;
}

/** Arranges items in rows of `across`. The last row may have fewer. */
function rowsOf<T>(items: readonly T[], { across, width, gap }: Columns, of: (item: T, width: number) => Block): Block {
  const own = (width - gap * (across - 1)) / across;
  const rows = Array.from({ length: Math.ceil(items.length / across) }, (_, row) =>
    beside(
      items
        .slice(row * across, (row + 1) * across)
        .map((item, at) => ({ left: at * (own + gap), block: of(item, own) })),
    ),
  );
  return stack(rows, gap / 2);
}
