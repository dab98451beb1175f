import { sumOf } from "../../../accounting/aggregate.ts";
import { METHOD_STATEMENTS } from "../../../accounting/method.ts";
import { localTime } from "../../../core/period.ts";
import { counted } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import { breakText } from "../../build/break-text.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { assumptionsOf as sentencesOf } from "../../catalogue/assumptions.ts";
import { isTakenAsLinear } from "./activity.ts";
import { BLANK_REASONS, frameOf } from "./labels.ts";

type Line = readonly [label: string, text: string];

/** Gaps that are written out; completeness.json has all. */
const GAPS = 50;

const BASES: Readonly<Record<PackContext["basis"], string>> = {
  fill: "A fill is in the period by the time it was filled, or else by that of its transaction.",
  transaction: "A fill is in the period by the time its transaction was created.",
};

const READING: readonly Line[] = [
  [
    "What is the record",
    "CSV and Parquet are the record; this workbook is a view. Excel keeps 15 significant digits of a number: amounts are rounded to them here, half to even.",
  ],
  [
    "Exact amounts",
    "Cells show 2 digits after the point of money and 8 of quantities and prices, and hold 15 in all. Summary has the exact text beside each amount; of all others the CSV files have it.",
  ],
  [
    "Totals",
    "Totals are formulas over the rows: a program that recalculates them adds in binary, which can differ in the last digit from the value that is stored, which is exact.",
  ],
  [
    "Empty results",
    "Where a result is not known its cell is empty, never 0, and the note beside it says why, by the codes above.",
  ],
  [
    "Text",
    "Ids and all text that the service sent are text cells. Controls show as \uFFFD; text of more than 32,767 characters is cut, and says so. The CSV files have all of it.",
  ],
];

const SHEETS: readonly Line[] = [
  ["Summary", "Results, fees and open value of each settlement currency, by both methods side by side."],
  ["Months", "The same by calendar month."],
  ["Markets", "The same by market, with its position at both ends of the period."],
  ["Closed trades", "Positions from flat to flat, with their first and last fill; closed-trades.csv has all."],
  ["Open positions", "What is open at the end, lot by lot."],
  ["Fees", "Fees and rebates by month, market and liquidity."],
  ["Exceptions", "What a reader of the fills must know; exceptions.csv has all."],
];

const CONVERTED_SHEETS: readonly Line[] = [
  ["Converted", "Results and fees by month in the currency of the tax return."],
  ["Rates", "The rates that lines were converted at, their dates and sources."],
];

const FILES: readonly Line[] = [
  [
    "In this pack",
    "SHA256SUMS lists every file (check with `sha256sum -c SHA256SUMS`); datapackage.json says what is in each; completeness.json has the proof of completeness.",
  ],
];

export function coverSheet(context: PackContext, closing: Closing): Sheet {
  const { name, footer } = frameOf(context, "Cover", "");
  const sheet = new SheetWriter({ name, widths: [30, 110], headRows: 0, footer });
  const mark = context.complete ? "" : "NOT COMPLETE: ";
  sheet.add([{ text: `${mark}${context.account}, ${context.period.name}`, style: "title" }]);
  const blocks: readonly (readonly [string, readonly Line[]])[] = [
    ["What this is", factsOf(context)],
    ["How complete it is", [...breaksOf(context), ...completenessOf(closing)]],
    ["What it takes for granted", assumptionsOf(context, closing)],
    ["Why a result can be missing", Object.entries(BLANK_REASONS)],
    ["How to read it", READING],
    ["Sheets", closing.converted === null ? SHEETS : [...SHEETS, ...CONVERTED_SHEETS]],
    ["Files", FILES],
  ];
  for (const [head, lines] of blocks) {
    sheet.add([]);
    sheet.add([
      { text: head, style: "head" },
      { text: "", style: "head" },
    ]);
    for (const [label, text] of lines) {
      sheet.add([
        label === "" ? null : { text: label, style: "strong" },
        { text, style: "wrapped" },
      ] satisfies SheetCell[]);
    }
  }
  return sheet.finish();
}

function factsOf({ account, period, methods, basis }: PackContext): Line[] {
  const { name, zone, firstDay, lastDay, from, to } = period;
  return [
    ["Account", account],
    ["Period", `${name}: ${firstDay} to ${lastDay}, both days included, in ${zone}`],
    ["From, included", instant(from, zone)],
    ["To, not included", instant(to, zone)],
    ["Times", `On the clocks of ${zone}. Where clocks are set back an hour comes twice: the CSV files give UTC.`],
    ["Method, chosen", METHOD_STATEMENTS[methods.primary]],
    ["Method beside it", METHOD_STATEMENTS[methods.reference]],
    ["Basis", BASES[basis]],
    ["Order", "Fills are booked by filled_at, or else tx_created; then by tx_created, match_id, order_id."],
    [
      "Rounding",
      "Sums and products are exact. A share of a cost or of a fee is rounded at the 18th place, half to even; what is left goes by subtraction, so shares add up.",
    ],
  ];
}

function instant(ms: number, zone: string): string {
  return `${localTime(ms, zone)} = ${isoTime(ms)}`;
}

/** The cover names so many. */
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
  const { blankCloses: blank, untyped } = sumOf(statement.marketMonths);
  return [
    [
      "State",
      complete
        ? "Complete: all time of the period is covered, so every fill that the service has of it is here."
        : "Not complete: of the times below nothing is known, and what happened in them is in no figure.",
    ],
    ...gaps.slice(0, GAPS).map(({ from, to }): Line => ["Not covered", `${isoTime(from)} to ${isoTime(to)}`]),
    ...(gaps.length > GAPS ? [["", `${gaps.length - GAPS} more are in completeness.json.`] as const] : []),
    ["Fills", String(fills)],
    ["set_hash of the fills", `${setHash} (completeness.json says how to check it)`],
    [
      "Restatements",
      `${late} late, ${changed} changed, ${enriched} completed since they were first read: see restatements.csv`,
    ],
    ["Exceptions", exceptions.count === 0 ? "None." : `${counted(exceptions.count, "row")} in exceptions.csv`],
    [
      "Results not known",
      blank === 0 && untyped === 0
        ? "None: the result of every close is known."
        : `${counted(blank, "close")} of unknown PnL, ${counted(untyped, "fill")} that cannot be typed: Months, Markets and Summary say why.`,
    ],
  ];
}

function assumptionsOf({ funding }: PackContext, { statement: { markets }, proof }: Closing): Line[] {
  const flat = markets.filter(({ origin }) => origin === "assumed_flat").length;
  const silent = markets.filter(isTakenAsLinear).length;
  return [
    [
      "Funding",
      funding === null
        ? "Every figure is excluding funding: no funding.csv was given."
        : `Every figure is excluding funding, except where it is named: funding.csv gave ${counted(funding.length, "payment")} in the period, and Summary has both totals.`,
    ],
    [
      "Opening positions",
      `${counted(flat, "market")} assumed_flat: the archive reaches back to the account's beginning, though fills alone never prove that nothing was open before. Markets says how each began: so, declared in opening-positions.csv, or not known.`,
    ],
    [
      "Contract types",
      `${counted(silent, "market")} contract_type_assumed: no specification says so, and they are taken as linear. Of contracts that are not linear there are fills and no results.`,
    ],
    ["Tax", "This is not a tax return: it names dates, methods and sums, and leaves their treatment to you."],
    ...sentencesOf(proof).map((text, at): Line => [at === 0 ? "Assumptions" : "", text]),
  ];
}
