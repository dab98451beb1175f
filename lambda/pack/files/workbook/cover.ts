import { isWhole, sumOf } from "../../../accounting/aggregate.ts";
import { METHOD_ROLES, METHOD_STATEMENTS } from "../../../accounting/method.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { localTime } from "../../../core/period.ts";
import { counted } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import { breakText } from "../../build/break-text.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { assumptionsOf as sentencesOf } from "../../catalogue/assumptions.ts";
import { isTakenAsLinear } from "./activity.ts";
import { headlines } from "./headlines.ts";
import { BLANK_REASONS, frameOf, methodNames } from "./labels.ts";
import { openPositionsText } from "./open-positions.ts";

type Line = readonly [label: string, text: string];

/** The most gaps that are written out. completeness.json has all. */
const GAPS = 50;

const BASES: Readonly<Record<PackContext["basis"], string>> = {
  fill: "The time of the fill (filled_at), or of its transaction (tx_created) where the venue gave no other.",
  transaction: "The time of the transaction (tx_created).",
};

const READING: readonly Line[] = [
  [
    "What is the record",
    "CSV and Parquet are the record; this workbook is a view. A spreadsheet keeps 15 significant digits of a number: amounts are rounded to them here, half to even.",
  ],
  [
    "Rounding of what is shown",
    "The figures of the cover are rounded half to even to the minor unit of their currency, as in the report. Other cells show 2 digits after the point of money and 8 of quantities and prices, and hold 15 in all. Summary has the exact text beside each amount; of all others the CSV files have it.",
  ],
  [
    "Totals",
    "Totals are formulas over the rows: a program that recalculates them adds in binary, which can differ in the last digit from the value that is stored, which is exact.",
  ],
  ["Empty cells", "Where PnL is not known the cell is empty, never 0, and the note says why, by the codes above."],
  [
    "Text",
    "Ids and all text that the venue sent are text cells. Control characters show as \uFFFD; text of more than 32,767 characters is cut, and says so. The CSV files have all of it.",
  ],
];

/** `converted`: only in packs that convert. */
const SHEETS: readonly (readonly [name: string, text: string, converted?: true])[] = [
  [
    "Summary",
    "PnL, fees and open value of each settlement currency: the chosen method, with the other for comparison.",
  ],
  ["Months", "PnL and fees by calendar month."],
  ["Markets", "PnL and fees by market, with its position at the start and the end of the period."],
  ["Market months", "PnL and fees by market and calendar month."],
  ["Realised", "Each close with its fills, by the chosen method; realised-pnl.csv has all."],
  ["Closed trades", "Positions from flat to flat, with their first and last fill; closed-trades.csv has all."],
  ["Open positions", "What is open at the end, at cost; with marks.csv, also what is unrealised."],
  ["Open lots", "The lots of the open positions, by the chosen method; open-lots.csv has all."],
  ["Fees", "Fees and rebates by month, market and liquidity."],
  ["Converted", "PnL and fees by month in the currency of the tax return.", true],
  ["Rates", "The rates that lines were converted at, their dates and sources.", true],
  ["Exceptions", "What a reader of the fills must know; exceptions.csv has all."],
];

const FILES: readonly Line[] = [
  [
    "In this pack",
    "SHA256SUMS lists every file (check with `sha256sum -c SHA256SUMS`); datapackage.json says what is in each; completeness.json has the proof of completeness.",
  ],
];

const WIDTHS = [34, 22, 22, 72];

export function coverSheet(context: PackContext, closing: Closing): Sheet {
  const { name, footer } = frameOf(context, "Cover", "");
  const sheet = new SheetWriter({ name, widths: WIDTHS, headRows: 0, footer });
  const mark = context.complete ? "" : "NOT COMPLETE: ";
  sheet.add([{ text: `${mark}${context.account}, ${context.period.name}`, style: "title" }], { isWide: true });
  addHeadlines(sheet, context, closing);
  const sheets = SHEETS.filter(([, , converted]) => converted === undefined || closing.converted !== null);
  const blocks: readonly (readonly [string, readonly Line[]])[] = [
    ["Statement", factsOf(context)],
    ["Completeness", [...breaksOf(context), ...completenessOf(closing)]],
    ["Assumptions", assumptionsOf(context, closing)],
    ["Why PnL can be missing", Object.entries(BLANK_REASONS)],
    ["How to read this workbook", READING],
    ["Sheets", sheets.map(([sheetName, text]) => [sheetName, text])],
    ["Files", FILES],
  ];
  for (const [head, lines] of blocks) {
    sheet.add([]);
    sheet.add(WIDTHS.map((_, at): SheetCell => ({ text: at === 0 ? head : "", style: "head" })));
    for (const [label, text] of lines) {
      sheet.add(
        [label === "" ? null : { text: label, style: "strong" }, { text, style: "wrapped" }] satisfies SheetCell[],
        {
          isWide: true,
        },
      );
    }
  }
  return sheet.finish();
}

/** The first numbers of the workbook. */
function addHeadlines(sheet: SheetWriter, context: PackContext, closing: Closing): void {
  const names = methodNames(context);
  sheet.add([]);
  sheet.add([
    { text: "Realised PnL of the period", style: "head" },
    ...METHOD_ROLES.map((role): SheetCell => ({ text: names[role], style: "numberHead" })),
    { text: "", style: "head" },
  ]);
  for (const { label, cells, note } of headlines(context, closing)) {
    sheet.add([
      label === "" ? null : { text: label, style: "strong" },
      ...cells,
      note === "" ? null : { text: note, style: "wrapped" },
    ]);
  }
  const open = openPositionsText(context, closing.statement);
  sheet.add(
    [
      { text: "Open at the end", style: "strong" },
      { text: open, style: "wrapped" },
    ],
    { isWide: true },
  );
}

function factsOf({ account, period, methods, basis }: PackContext): Line[] {
  const { name, zone, firstDay, lastDay, from, to } = period;
  return [
    ["Account", account],
    ["Period", `${name}: ${firstDay} to ${lastDay}, both days included, in ${zone}`],
    ["From, included", instant(from, zone)],
    ["To, not included", instant(to, zone)],
    ["Times", `On the clocks of ${zone}. Where clocks are set back an hour comes twice: the CSV files give UTC.`],
    ["Method", METHOD_STATEMENTS[methods.primary]],
    ["For comparison", METHOD_STATEMENTS[methods.reference]],
    ["Period cut-off based on", BASES[basis]],
    [
      "Order",
      `Fills are booked by ${basis === "fill" ? "filled_at, or else tx_created" : "tx_created"}; then by tx_created, match_id, order_id.`,
    ],
    [
      "Rounding",
      "Sums and products are exact. A share of a cost or of a fee is rounded at the 18th place, half to even; what is left goes by subtraction, so shares add up.",
    ],
  ];
}

function instant(ms: number, zone: string): string {
  return `${localTime(ms, zone)} = ${isoTime(ms)}`;
}

/** The most breaks that the cover names. */
const MOST_BREAKS = 20;

function breaksOf({ breaks }: PackContext): Line[] {
  const more = breaks.length - MOST_BREAKS;
  return [
    ...breaks
      .slice(0, MOST_BREAKS)
      .map((one): Line => [`Break in ${one.market}`, `${breakText(one)} Evidence: ${one.evidence}`]),
    ...(more > 0 ? [["", `${more} more are in completeness.json.`] as const] : []),
  ];
}

function completenessOf({ proof, statement, exceptions }: Closing): Line[] {
  const { complete, gaps, fills, setHash, restatements } = proof;
  const { late, changed, enriched } = restatements;
  return [
    [
      "Records",
      complete
        ? "Complete: every fill the venue reports for this period was retrieved, with no gaps."
        : "NOT COMPLETE: nothing is known of the times below, and what happened in them is in no figure. Do not file from this workbook.",
    ],
    ...gaps.slice(0, GAPS).map(({ from, to }): Line => ["Not covered", `${isoTime(from)} to ${isoTime(to)}`]),
    ...(gaps.length > GAPS ? [["", `${gaps.length - GAPS} more are in completeness.json.`] as const] : []),
    ["PnL", missingPnl(statement)],
    ["Fills", String(fills)],
    ["set_hash of the fills", `${setHash} (completeness.json says how to check it)`],
    [
      "Restatements",
      `${late} late, ${changed} changed, ${enriched} completed since they were first read: see restatements.csv`,
    ],
    ["Exceptions", exceptions.count === 0 ? "None." : `${counted(exceptions.count, "row")} in exceptions.csv`],
  ];
}

function missingPnl({ marketMonths, markets }: Statement): string {
  const { blankCloses: blank, untyped } = sumOf(marketMonths);
  const missing = new Set(marketMonths.filter((one) => !isWhole(one)).map(({ market }) => market)).size;
  if (missing === 0) {
    return "Known for every close.";
  }
  const what = [
    blank === 0 ? "" : `${counted(blank, "close")} whose PnL could not be calculated`,
    untyped === 0 ? "" : `${counted(untyped, "fill")} that could not be read`,
  ].filter((text) => text !== "");
  const excluded =
    what.length === 0 ? "" : ` Totals exclude ${what.join(" and ")}: Months, Markets and Summary say why.`;
  return `PnL missing for ${missing} of ${counted(markets.length, "market")}.${excluded} Their fees are in Fees.`;
}

function assumptionsOf({ funding }: PackContext, { statement: { markets }, proof }: Closing): Line[] {
  const flat = markets.filter(({ origin }) => origin === "assumed_flat").length;
  const silent = markets.filter(isTakenAsLinear).length;
  return [
    [
      "Funding",
      funding === null
        ? "Not included: the venue's fill data has no funding payments, and no funding.csv was given."
        : `Included only where it is named: funding.csv gave ${counted(funding.length, "payment")} in the period, and Summary has both totals.`,
    ],
    [
      "Opening positions",
      `Assumed to be nil in ${counted(flat, "market")}, as the records start with the account, though fills alone never prove that nothing was open before. Markets says of each: assumed nil, declared in opening-positions.csv, or not known.`,
    ],
    [
      "Contract types",
      `${counted(silent, "market")} treated as linear contracts, as no specification says otherwise. Contracts that are not linear have fills here and no PnL.`,
    ],
    ["Tax", "This is not a tax return: it has dates, methods and sums, and leaves their treatment to you."],
    ...sentencesOf(proof).map((text, at): Line => [at === 0 ? "Venue data" : "", text]),
  ];
}
