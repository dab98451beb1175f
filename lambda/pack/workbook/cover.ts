import { comparedOf, convertedOf, type FigureKey, figureOf, type Known, ownOf } from "../../accounting/cube/figures.ts";
import { type Scope, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { formatMinor, minorUnitsOf } from "../../core/currency.ts";
import { counted, firstOf } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { pointText } from "../../core/verdict.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import { assumptionsOf } from "../catalogue/assumptions.ts";
import { basisFacts, CODES, type Fact, proofFacts, statementFacts } from "../catalogue/facts.ts";
import { verdictOf } from "../catalogue/verdict.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { shownFigures } from "../tables/figure-column.ts";
import { frameOf } from "../writers/sheet.ts";
import { noteOf } from "./summary.ts";

/** The most gaps that are written out. completeness.json has all. */
const GAPS = 50;
/** The cover has the figures of this many currencies. Summary has all. */
const MOST_CURRENCIES = 12;

const READING: readonly Fact[] = [
  [
    "Record",
    "The CSV and Parquet files are the record; this workbook is a view of them. A spreadsheet keeps 15 significant digits of a number, so amounts are rounded here.",
  ],
  [
    "Rounding of displayed amounts",
    "Cells of other sheets are rounded half even to 8 decimal places, or to fewer if the column has no room for them, and hold what they show. Summary has the exact text beside each amount. For all other amounts, the CSV files have it.",
  ],
  [
    "Totals",
    "Totals are formulas, stored with their exact value, rounded once. A program that recalculates them adds rounded cells, so the last decimal places can differ.",
  ],
  [
    "Empty cells",
    "If PnL is not known, the cell is empty, never 0. A note or status gives the reason as one of the codes above.",
  ],
  [
    "Text",
    "IDs and all text from the venue are text cells. Control characters are shown as \uFFFD. Text of more than 32,767 characters is cut, with a note of its length. The CSV files have the full text.",
  ],
  [
    "Other files",
    "SHA256SUMS lists every file of the pack (to check them, run `sha256sum -c SHA256SUMS`). datapackage.json describes every file and column. completeness.json has the proof of completeness.",
  ],
];

const WIDTHS = [34, 22, 22, 72];

/** What the workbook is, its first numbers, and what a reader must know. */
export function coverSheet(context: PackContext, closing: Closing): Sheet {
  const { name, footer } = frameOf(context, "Cover", "");
  const { proof, sums } = closing;
  const { claim, text: standing, points } = verdictOf(context, closing);
  const sheet = new SheetWriter({ name, widths: WIDTHS, headRows: 0, footer });
  const mark = context.complete ? "" : "NOT COMPLETE: ";
  sheet.add([{ text: `${mark}${context.name}, ${context.period.name}`, style: "title" }], { isWide: true });
  addResults(sheet, context, sums);
  const gaps = firstOf(
    proof.gaps.map(({ from, to }) => `${isoTime(from)} to ${isoTime(to)}`),
    GAPS,
    (left) => `${counted(left, "more gap is", "more gaps are")} in completeness.json.`,
  );
  const blocks: readonly (readonly [string, readonly Fact[]])[] = [
    ["Statement", statementFacts(context, closing)],
    [
      "Completeness",
      [
        ["", `${claim}. ${standing}`],
        ...points.map((point): Fact => ["To note", pointText(point)]),
        ...proofFacts(context, closing),
        ...gaps.map((text): Fact => ["Not covered", text]),
      ],
    ],
    ["Basis of preparation", basisFacts(context, closing)],
    ["Assumptions", assumptionsOf(proof).map((text) => ["", text])],
    ["Codes and signs", CODES],
    ["How to read this workbook", READING],
  ];
  for (const [head, lines] of blocks) {
    sheet.add([]);
    sheet.add(WIDTHS.map((_, at): SheetCell => ({ text: at === 0 ? head : "", style: "head" })));
    for (const [label, text] of lines) {
      sheet.add(
        [
          { text: label, style: "strong" },
          { text, style: "wrapped" },
        ],
        { isWide: true },
      );
    }
  }
  return sheet.finish();
}

const RESULTS: readonly FigureKey[] = [
  "realised_pnl_net_incl_funding",
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "funding",
];

/** Of all currencies in the reporting currency, then of each settlement currency, by both methods. */
function addResults(sheet: SheetWriter, context: PackContext, sums: Sums): void {
  const { primary, reference } = context.methods;
  sheet.add([]);
  sheet.add([
    { text: "Realised PnL of the period", style: "head" },
    { text: METHOD_NAMES[primary], style: "numberHead" },
    { text: METHOD_NAMES[reference], style: "numberHead" },
    { text: "", style: "head" },
  ]);
  const settled = scopesOf(sums, ["currency"]);
  const all = sums.currency === null ? [] : scopesOf(sums, []);
  for (const scope of [...all, ...settled.slice(0, MOST_CURRENCIES)]) {
    addScope(sheet, context, scope, scope.cell.currency === null ? sums.currency : null);
  }
  const more = settled.length - MOST_CURRENCIES;
  if (more > 0) {
    const text = `${counted(more, "more settlement currency is", "more settlement currencies are")} on the sheet Summary.`;
    sheet.add([null, null, null, { text, style: "wrapped" }]);
  }
}

/** `to`: the reporting currency. Null: the amounts are in their own. */
function addScope(sheet: SheetWriter, context: PackContext, scope: Scope, to: string | null): void {
  const currency = to ?? (scope.cell.currency || "not known");
  const rows = shownFigures(context, RESULTS).map((key) => ({
    name: figureOf(key).name,
    own: to === null ? ownOf(key, scope) : convertedOf(key, scope),
    compared: key === "funding" ? ownOf(key, scope) : comparedOf(key, scope),
  }));
  const notes = rows.slice(0, 1).map(({ own }) => own && noteOf(own));
  const note = [to === null ? "" : "All currencies together.", ...notes].filter(Boolean).join(" ");
  for (const [at, { name, own, compared }] of rows.entries()) {
    sheet.add([
      { text: `${name}, ${currency}`, style: "strong" },
      resultCell(own, currency),
      resultCell(to === null ? compared : null, currency),
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
