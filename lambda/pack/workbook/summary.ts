import { totalCell } from "../../accounting/cube/cell.ts";
import { comparedOf, convertedOf, type FigureKey, figureOf, type Known, ownOf } from "../../accounting/cube/figures.ts";
import { type Scope, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { type Amount, wholeNumber } from "../../core/amount.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../make/maker.ts";
import { mainFigure, shownFigures } from "../tables/figure-column.ts";
import { AMOUNT_WIDTH, amountCell, countCell } from "../writers/cells.ts";
import { sumWhere } from "../writers/formula.ts";
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

/** The sums of the period by settlement currency: the row of each. */
export function currencyScopes(sums: Sums): readonly Scope[] {
  return scopesOf(sums, ["currency"]);
}

/** All figures of each currency, the chosen method first, with the exact amounts as text. Converted ones come first. */
export function summarySheet(context: PackContext, sums: Sums, sources: Sources): Sheet {
  const { primary, reference } = context.methods;
  const [own, beside] = [METHOD_NAMES[primary], METHOD_NAMES[reference]];
  const { name, title, footer } = frameOf(context, NAME, `${own}, with ${beside} for comparison.`);
  const widths = [12, 60, AMOUNT_WIDTH, AMOUNT_WIDTH, 36, 36, 70];
  const sheet = new SheetWriter({ name, widths, headRows: HEAD_ROW, footer });
  sheet.add([{ text: title, style: "title" }], { isWide: true });
  sheet.add([
    ...["Currency", "Figure"].map((text) => ({ text, style: "head" }) as const),
    ...[own, beside].map((text) => ({ text, style: "numberHead" }) as const),
    ...[`Exact: ${own}`, `Exact: ${beside}`, "Note"].map((text) => ({ text, style: "head" }) as const),
  ]);
  for (const scope of sums.currency === null ? [] : scopesOf(sums, [])) {
    for (const key of shownFigures(context).filter((one) => figureOf(one).converted !== undefined)) {
      const known = convertedOf(key, scope);
      const row = { currency: sums.currency ?? "", label: `${figureOf(key).name}, converted`, key };
      sheet.add(figureCells(context, row, { own: known, compared: null, formula: undefined }));
    }
    sheet.add([]);
  }
  const scopes = currencyScopes(sums);
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
    const currency = scope.cell.currency || "not known";
    const ofRows = parts?.map(
      (part) => `${part.startsWith("-") ? "-" : "+"}${LETTER}${rowOf.get(part.replace("-", ""))}`,
    );
    const formula = ofRows?.join("").replace("+", "") ?? sumOf(sources, key, `$A${rowOf.get(key)}`);
    const compared = isCompared === true ? comparedOf(key, scope) : null;
    sheet.add(figureCells(context, { currency, label: name, key }, { own: ownOf(key, scope), compared, formula }));
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
  const { places, groups } = atEnd === undefined ? months : positions;
  const [place, currency] = [places.get(atEnd ?? key), places.get("currency")];
  return place === undefined || currency === undefined
    ? undefined
    : sumWhere(`'${NAME}'`, place, [{ column: currency, cell }], groups);
}

interface Row {
  readonly currency: string;
  readonly label: string;
  readonly key: FigureKey;
}

interface Shown {
  readonly own: Known | null;
  readonly compared: Known | null;
  readonly formula: string | undefined;
}

function figureCells(
  context: PackContext,
  { currency, label, key }: Row,
  { own, compared, formula }: Shown,
): SheetCell[] {
  const isResult = key === mainFigure(context);
  const cellOf = figureOf(key).unit === "count" ? countCell : amountCell;
  const cell = (known: Known | null, by?: string): SheetCell =>
    known === null || known.amount === null ? null : cellOf(known.amount, { isTotal: isResult, formula: by });
  const exact = (known: Known | null): SheetCell => {
    const amount: Amount | null = known?.amount ?? null;
    return amount === null ? null : { text: String(amount), style: "text" };
  };
  const note = own === null || own.lacks.length === 0 ? "" : noteOf(own);
  return [
    { text: currency, style: isResult ? "textTotal" : "text" },
    { text: label, style: isResult ? "textTotal" : "wrapped" },
    cell(own, formula),
    cell(compared),
    exact(own),
    exact(compared),
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
