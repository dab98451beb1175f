import { totalCell } from "../../accounting/cube/cell.ts";
import { comparedOf, convertedOf, type FigureKey, figureOf, type Known, ownOf } from "../../accounting/cube/figures.ts";
import { type Scope, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { wholeNumber } from "../../core/amount.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../make/maker.ts";
import { mainFigure, shownFigures } from "../tables/figure-column.ts";
import { AMOUNT_WIDTH, amountCell, countCell, sumWhere } from "../writers/cells.ts";
import { frameOf, type TableSheet } from "../writers/sheet.ts";

const NAME = "Summary";
const HEAD_ROW = 2;
/** The column of the chosen method. */
const LETTER = "C";

/** The tables whose columns the figures add up. */
interface Sources {
  readonly months: TableSheet;
  readonly positions: TableSheet;
}

/** All figures of each currency, the chosen method first, with the exact amounts as text. Converted ones come first. */
export function summarySheet(context: PackContext, sums: Sums, sources: Sources): Sheet {
  const { primary, reference } = context.methods;
  const [own, beside] = [METHOD_NAMES[primary], METHOD_NAMES[reference]];
  const { name, title, footer } = frameOf(context, NAME, `${own}, with ${beside} for comparison.`);
  const widths = [12, 60, AMOUNT_WIDTH, AMOUNT_WIDTH, 36, 36, 70];
  const sheet = new SheetWriter({ name, widths, headRows: HEAD_ROW, footer });
  const head = (text: string, style: "head" | "numberHead" = "head") => ({ text, style });
  sheet.add([{ text: title, style: "title" }], { isWide: true });
  sheet.add([
    ...[head("Currency"), head("Figure"), head(own, "numberHead"), head(beside, "numberHead")],
    ...[head(`Exact: ${own}`), head(`Exact: ${beside}`), head("Note")],
  ]);
  for (const scope of sums.currency === null ? [] : scopesOf(sums, [])) {
    for (const key of shownFigures(context).filter((one) => figureOf(one).converted !== undefined)) {
      const [currency, label] = [sums.currency ?? "", `${figureOf(key).name}, converted`];
      sheet.add(figureCells(context, key, { currency, label, own: convertedOf(key, scope) }));
    }
    sheet.add([]);
  }
  const scopes = scopesOf(sums, ["currency"]);
  if (scopes.length === 0) {
    sheet.add([null, { text: "There was no activity in the period, and no position is open.", style: "wrapped" }]);
    sheet.add([]);
  }
  for (const scope of scopes) {
    addFigures(sheet, context, scope, sources);
    sheet.add([]);
  }
  // These belong to no currency and no method.
  const { trips, wonTrips, lostTrips, ties } = totalCell(sums.cells);
  for (const [text, number] of [
    ["Closed trades, from flat back to flat", trips],
    ["of which with a gain, before fees", wonTrips],
    ["of which with a loss, before fees", lostTrips],
    ["Fills that share their time with a fill of the other side (order uncertain)", ties],
  ] as const) {
    sheet.add([null, { text, style: "wrapped" }, countCell(wholeNumber(number))]);
  }
  return sheet.finish();
}

function addFigures(sheet: SheetWriter, context: PackContext, scope: Scope, sources: Sources): void {
  const keys = shownFigures(context);
  const rowOf = new Map<string, number>(keys.map((key, at) => [key, sheet.rows + 1 + at]));
  for (const key of keys) {
    const { name, isCompared, parts } = figureOf(key);
    const ofRows = parts?.map(
      (part) => `${part.startsWith("-") ? "-" : "+"}${LETTER}${rowOf.get(part.replace("-", ""))}`,
    );
    sheet.add(
      figureCells(context, key, {
        currency: scope.cell.currency || "not known",
        label: name,
        own: ownOf(key, scope),
        compared: isCompared === true ? comparedOf(key, scope) : null,
        formula: ofRows?.join("").replace("+", "") ?? sumOf(sources, key, `$A${rowOf.get(key)}`),
      }),
    );
  }
}

/** Of figures at the end: the columns of Open positions. */
const AT_END: Readonly<Record<string, string>> = {
  deferred_fees_at_end: "deferred_fee",
  open_value_at_end: "open_value",
};

/** The sum of a column over the rows whose currency is in the cell. Undefined: no other sheet has the figure. */
function sumOf({ months, positions }: Sources, key: FigureKey, cell: string): string | undefined {
  const atEnd = AT_END[key];
  const { places } = atEnd === undefined ? months : positions;
  const [place, currency] = [places.get(atEnd ?? key), places.get("currency")];
  return place && currency && sumWhere(`'${NAME}'`, place, currency, cell);
}

interface Row {
  readonly currency: string;
  readonly label: string;
  readonly own: Known | null;
  readonly compared?: Known | null;
  readonly formula?: string | undefined;
}

function figureCells(
  context: PackContext,
  key: FigureKey,
  { currency, label, own, compared = null, formula }: Row,
): SheetCell[] {
  const isTotal = key === mainFigure(context);
  const cellOf = figureOf(key).unit === "count" ? countCell : amountCell;
  const cell = (known: Known | null, by?: string) => known?.amount && cellOf(known.amount, { isTotal, formula: by });
  const exact = (known: Known | null) => known?.amount && ({ text: String(known.amount), style: "text" } as const);
  const note = own === null ? "" : noteOf(own);
  const cells = [cell(own, formula), cell(compared), exact(own), exact(compared)];
  return [
    { text: currency, style: isTotal ? "textTotal" : "text" },
    { text: label, style: isTotal ? "textTotal" : "wrapped" },
    ...cells.map((one) => one ?? null),
    note === "" ? null : { text: note, style: "wrapped" },
  ];
}

/** An empty cell never stands alone. */
export function noteOf({ amount, lacks }: Known): string {
  const codes = lacks.join(", ");
  if (codes === "") {
    return "";
  }
  return amount === null ? `Not known: ${codes}` : `Partial total: ${codes}`;
}
