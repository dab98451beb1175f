import { comparedOf, convertedOf, type FigureKey, figureOf, type Known, ownOf } from "../../accounting/cube/figures.ts";
import { type Scope, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { formatMinor, minorUnitsOf } from "../../core/currency.ts";
import { counted } from "../../core/text.ts";
import type { SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { shownFigures } from "../tables/figure-column.ts";
import { openIn } from "../tables/positions.ts";
import { currencyScopes, noteOf } from "./summary.ts";

/** The cover has the figures of this many currencies. Summary has all. */
const MOST_CURRENCIES = 12;

/** The first numbers of the workbook: in the reporting currency, then in each settlement currency. */
export function addHeadlines(sheet: SheetWriter, context: PackContext, { sums }: Closing): void {
  const { primary, reference } = context.methods;
  sheet.add([]);
  sheet.add([
    { text: "Realised PnL of the period", style: "head" },
    { text: METHOD_NAMES[primary], style: "numberHead" },
    { text: METHOD_NAMES[reference], style: "numberHead" },
    { text: "", style: "head" },
  ]);
  for (const scope of sums.currency === null ? [] : scopesOf(sums, [])) {
    addResults(sheet, context, scope, sums.currency);
  }
  const scopes = currencyScopes(sums);
  for (const scope of scopes.slice(0, MOST_CURRENCIES)) {
    addResults(sheet, context, scope, null);
  }
  const more = scopes.length - MOST_CURRENCIES;
  if (more > 0) {
    const text = `${counted(more, "more settlement currency is", "more settlement currencies are")} on the sheet Summary.`;
    sheet.add([null, null, null, { text, style: "wrapped" }]);
  }
  sheet.add(
    [
      { text: "Open at the end", style: "strong" },
      { text: openText(context, sums), style: "wrapped" },
    ],
    { isWide: true },
  );
}

/** The main figures: of all currencies in the reporting currency, or of one currency, also by the other method. */
function addResults(sheet: SheetWriter, context: PackContext, scope: Scope, to: string | null): void {
  const currency = to ?? (scope.cell.currency || "not known");
  const rows = shownFigures(context, RESULTS).map((key) => {
    const own = to === null ? ownOf(key, scope) : convertedOf(key, scope);
    const compared = key === "funding" ? own : comparedOf(key, scope);
    return { name: figureOf(key).name, own, compared: to === null ? compared : null };
  });
  const lacks = rows.slice(0, 1).map(({ own }) => (own === null ? "" : noteOf(own)));
  const note = [to === null ? "" : "All currencies together.", ...lacks].filter((text) => text !== "").join(" ");
  for (const [at, { name, own, compared }] of rows.entries()) {
    sheet.add([
      { text: `${name}, ${currency}`, style: "strong" },
      ...[own, compared].map((known) => resultCell(known, currency)),
      at > 0 || note === "" ? null : { text: note, style: "wrapped" },
    ]);
  }
}

/** Rounded half even to the minor unit of the currency, as in the report. */
function resultCell(known: Known | null, currency: string): SheetCell {
  const amount = known?.amount ?? null;
  const style = minorUnitsOf(currency) === 0 ? "whole" : "amount";
  return amount && { number: formatMinor(amount, currency), style };
}

const RESULTS: readonly FigureKey[] = [
  "realised_pnl_net_incl_funding",
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "funding",
];

/** The number of positions and lots: `19 positions (1,488 lots by FIFO)`. */
function openText({ methods }: PackContext, { holdings }: Sums): string {
  const open = openIn(holdings);
  const known = open.filter(({ after }) => after.blank === null);
  const lots = known.reduce((sum, { after }) => sum + after.lots.length, 0);
  const unknown = open.length - known.length;
  const rest = unknown === 0 ? "" : `; the position or its cost is not known for ${counted(unknown, "market")}`;
  return `${counted(known.length, "position")} (${counted(lots, "lot")} by ${METHOD_NAMES[methods.primary]})${rest}`;
}
