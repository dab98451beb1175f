import { blankCloses, totalCell } from "../../accounting/cube/cell.ts";
import { lacksOf, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_STATEMENTS } from "../../accounting/method.ts";
import { REASONS } from "../../accounting/reasons.ts";
import { localTime } from "../../core/period.ts";
import { count, counted } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import { assumptionsOf as sentencesOf } from "../catalogue/assumptions.ts";
import { breakText } from "../make/break-text.ts";
import { breaksOf, isGiven, nameOf, paymentsOf } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { isTakenAsLinear } from "../tables/markets.ts";
import { frameOf } from "../writers/sheet.ts";
import { addHeadlines } from "./cover-figures.ts";

type Line = readonly [label: string, text: string];

/** The most gaps that are written out. completeness.json has all. */
const GAPS = 50;

const BASES: Readonly<Record<PackContext["basis"], string>> = {
  fill: "The time of the fill (filled_at), or of its transaction (tx_created) if the venue gave no filled_at.",
  transaction: "The time of the transaction (tx_created).",
};

const READING: readonly Line[] = [
  [
    "Record",
    "The CSV and Parquet files are the record; this workbook is a view of them. A spreadsheet keeps 15 significant digits of a number, so amounts are rounded here.",
  ],
  [
    "Rounding of displayed amounts",
    "Amounts on the cover are rounded half even to the minor unit of their currency, as in the report. Other cells are rounded half even to 8 decimal places, or to fewer if the column has no room for them, and hold what they show. Summary has the exact text beside each amount. For all other amounts, the CSV files have it.",
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
];

/** `converted`: only in packs that convert. */
const SHEETS: readonly (readonly [name: string, text: string, converted?: true])[] = [
  [
    "Summary",
    "PnL, fees and open positions by settlement currency: the chosen method, and the results of the other method for comparison.",
  ],
  ["Months", "PnL and fees by calendar month."],
  ["Markets", "PnL and fees by market, with the position at the start and at the end of the period."],
  ["Realised", "Each closing fill with its opening fill, by the chosen method. realised-pnl.csv has all rows."],
  [
    "Closed trades",
    "Positions from flat back to flat, with their first and last fill. closed-trades.csv has all rows.",
  ],
  ["Open positions", "Open positions at the end, at cost. With marks.csv, also their unrealised PnL."],
  ["Open lots", "Lots of the open positions, by the chosen method. open-lots.csv has all rows."],
  ["Fees", "Fees and rebates by month, market and liquidity."],
  ["Rates", "Exchange rates that were used, with their dates and sources.", true],
  ["Exceptions", "What a reader of the figures must know. exceptions.csv has all rows."],
];

const FILES: readonly Line[] = [
  [
    "Other files",
    "SHA256SUMS lists every file of the pack (to check them, run `sha256sum -c SHA256SUMS`). datapackage.json describes every file and column. completeness.json has the proof of completeness.",
  ],
];

const WIDTHS = [34, 22, 22, 72];

export function coverSheet(context: PackContext, closing: Closing): Sheet {
  const { name, footer } = frameOf(context, "Cover", "");
  const sheet = new SheetWriter({ name, widths: WIDTHS, headRows: 0, footer });
  const mark = context.complete ? "" : "NOT COMPLETE: ";
  sheet.add([{ text: `${mark}${context.name}, ${context.period.name}`, style: "title" }], { isWide: true });
  addHeadlines(sheet, context, closing);
  const sheets = SHEETS.filter(([, , converted]) => converted === undefined || closing.sums.currency !== null);
  const blocks: readonly (readonly [string, readonly Line[]])[] = [
    ["Statement", factsOf(context)],
    ["Completeness", [...breakLines(context), ...completenessOf(closing)]],
    ["Assumptions", assumptionsOf(context, closing)],
    ["Why PnL can be missing", Object.entries(REASONS).map(([code, { sentence }]): Line => [code, sentence])],
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

function factsOf({ accounts, period, methods, basis }: PackContext): Line[] {
  const { name, zone, firstDay, lastDay, from, to } = period;
  return [
    [accounts.length === 1 ? "Account" : "Accounts", accounts.map(({ account }) => account).join(", ")],
    ["Period", `${name}: ${firstDay} to ${lastDay}, both days included, in ${zone}`],
    ["From, included", instant(from, zone)],
    ["To, not included", instant(to, zone)],
    [
      "Times",
      `Times are in ${zone}. When clocks are set back, one hour occurs twice; the CSV files have the times in UTC.`,
    ],
    ["Method", METHOD_STATEMENTS[methods.primary]],
    ["For comparison", METHOD_STATEMENTS[methods.reference]],
    ["Period cut-off based on", BASES[basis]],
    [
      "Order",
      `Fills are sorted by ${basis === "fill" ? "filled_at (or tx_created if the venue gave no filled_at)" : "tx_created"}, then by tx_created, match_id and order_id.`,
    ],
    [
      "Rounding",
      "Sums and products are exact. A share of a cost or fee is rounded half even to 18 places, and the remainder is calculated by subtraction, so shares add up to the whole.",
    ],
  ];
}

function instant(ms: number, zone: string): string {
  return `${localTime(ms, zone)} = ${isoTime(ms)}`;
}

/** The most breaks that the cover names. */
const MOST_BREAKS = 20;

function breakLines(context: PackContext): Line[] {
  const breaks = breaksOf(context);
  const more = breaks.length - MOST_BREAKS;
  return [
    ...breaks
      .slice(0, MOST_BREAKS)
      .map((one): Line => [`Break in ${nameOf(context, one)}`, `${breakText(one)} Evidence: ${one.evidence}`]),
    ...(more > 0
      ? [["", `${counted(more, "more break")} ${more === 1 ? "is" : "are"} in completeness.json.`] as const]
      : []),
  ];
}

function completenessOf({ proof, sums, exceptions }: Closing): Line[] {
  const { complete, gaps, fills, sha256, restatements } = proof;
  const { late, changed, enriched } = restatements;
  return [
    [
      "Records",
      complete
        ? "Complete: every fill the venue reports for this period was retrieved, with no gaps."
        : "NOT COMPLETE: the times below were not read, and no figure includes them. Do not file from this workbook.",
    ],
    ...gaps.slice(0, GAPS).map(({ from, to }): Line => ["Not covered", `${isoTime(from)} to ${isoTime(to)}`]),
    ...(gaps.length > GAPS
      ? [
          [
            "",
            `${counted(gaps.length - GAPS, "more gap")} ${gaps.length - GAPS === 1 ? "is" : "are"} in completeness.json.`,
          ] as const,
        ]
      : []),
    ["PnL", missingPnl(sums)],
    ["Fills", count(fills)],
    ["SHA-256 of fills.csv", sha256],
    [
      "Restatements",
      `${late} late, ${changed} changed, ${enriched} enriched after they were first read: see restatements.csv`,
    ],
    ["Exceptions", exceptions.count === 0 ? "None." : `${counted(exceptions.count, "row")} in exceptions.csv`],
  ];
}

function missingPnl(sums: Sums): string {
  const all = totalCell(sums.cells);
  const [blank, { untyped }] = [blankCloses(all), all];
  const markets = scopesOf(sums, ["market"]);
  const missing = markets.filter(({ cell }) => lacksOf(cell).length > 0).length;
  if (missing === 0) {
    return "PnL is known for every closing fill.";
  }
  const what = [
    blank === 0 ? "" : `${counted(blank, "closing fill")} whose PnL could not be calculated`,
    untyped === 0 ? "" : `${counted(untyped, "fill")} that cannot be read as a trade`,
  ].filter((text) => text !== "");
  const excluded = what.length === 0 ? "" : ` Totals exclude ${what.join(" and ")}: see Months, Markets and Summary.`;
  return `PnL missing for ${missing} of ${counted(markets.length, "market")}.${excluded} The sheet Fees includes their fees.`;
}

function assumptionsOf(context: PackContext, { sums: { holdings }, proof }: Closing): Line[] {
  const flat = holdings.filter(({ origin }) => origin === "assumed_flat").length;
  const silent = holdings.filter(isTakenAsLinear).length;
  return [
    [
      "Funding",
      isGiven(context, "funding")
        ? `Included only where a label says so: funding.csv has ${counted(paymentsOf(context).length, "payment")} in the period. Summary has the totals with and without funding.`
        : "Not included: the venue's fill data has no funding payments, and no funding.csv was given.",
    ],
    [
      "Opening positions",
      `Assumed to be nil in ${counted(flat, "market")}, because the records start with the account. Fills alone cannot prove it. The sheet Markets shows for each market whether the opening position is assumed nil, declared in opening-positions.csv, or not known.`,
    ],
    [
      "Contract types",
      `${silent === 0 ? "No contract type is assumed." : `Not stated for ${counted(silent, "market")}, which ${silent === 1 ? "is" : "are"} treated as linear contracts.`} Contracts that are not linear have fills in this pack, but no PnL.`,
    ],
    ["Tax", "This is not a tax return. It states dates, methods and totals; it does not choose a tax treatment."],
    ...sentencesOf(proof).map((text, at): Line => [at === 0 ? "Venue data" : "", text]),
  ];
}
