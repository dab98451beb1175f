import { countOf } from "../../../accounting/aggregate.ts";
import type { UnknownReason } from "../../../accounting/booked.ts";
import { METHOD_STATEMENTS } from "../../../accounting/method.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { compareText, count, counted } from "../../../core/text.ts";
import type { Closing, FileMaker, PackContext } from "../../build/maker.ts";
import { digitsOf } from "./cash.ts";
import type { ImportMaker } from "./import-maker.ts";
import { plain } from "./plain.ts";

const BLANKS: Readonly<Record<UnknownReason, string>> = {
  opening_unknown: "the opening position is not known",
  quantity_known_cost_unknown: "the opening position was declared without a price",
  break_declared: "some fills of the market are missing, as declared in opening-positions.csv",
  market_incomplete: "an earlier fill of the market cannot be read as a trade",
  unsupported_contract_type: "the contract is not linear, or not known to be linear",
};

/** A title, and one or more sentences a line. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

interface DescribedFiles {
  /** One for each tool. */
  readonly files: readonly ImportMaker[];
  /** The daily files of the same tools, in the same order. */
  readonly daily: readonly ImportMaker[];
  /** About other files. */
  readonly notes: readonly Section[];
}

/**
 * imports/README.txt: what the import files are, how to import them, and what they leave out. It ends after
 * the others, because it gives their figures.
 */
export class ImportsReadme implements FileMaker {
  readonly path = "imports/README.txt";
  readonly description = "How to import the files in imports/, and what they leave out. Plain text.";
  readonly mediatype = "text/plain";
  readonly #context: PackContext;
  readonly #described: DescribedFiles;

  constructor(context: PackContext, described: DescribedFiles) {
    this.#context = context;
    this.#described = described;
  }

  begin(): string {
    return "";
  }

  add(): string {
    return "";
  }

  end({ statement }: Closing): string {
    const { files, daily, notes } = this.#described;
    const paragraphs = [
      this.#title(),
      section("What is in the files", this.#contents()),
      section("What is not in the files", omissionsOf(statement)),
      section("Before you import", BEFORE),
      section("The files of daily/", dailyLines(files, daily)),
      ...files.map(fileSection),
      ...notes.map(({ title, lines }) => section(title, lines)),
      section("Sources of the formats, as of November 2026", [
        "Vendors change their templates without notice. None of these files has been tested in an account of its vendor. Try a file in a trial account first.",
        ...files.map(({ tool }) => `${tool.file}: ${tool.status}`),
      ]),
    ];
    return `${paragraphs.join("\n\n")}\n`;
  }

  #title(): string {
    const { account, period, complete } = this.#context;
    const title = `Import files for tax tools: account ${account}, ${period.name} (${period.firstDay} to ${period.lastDay}, ${period.zone})`;
    return complete ? title : `${title}\n\nINCOMPLETE: the period was not read in full. Do not file from these files.`;
  }

  #contents(): string[] {
    const { methods, basis, funding, transfers } = this.#context;
    const time = basis === "fill" ? "filled_at, or tx_created if the venue gave no filled_at" : "tx_created";
    const [ofFunding, plusFunding] =
      funding === null
        ? ["All sums exclude funding: the venue's fill data has no funding payments, and no funding.csv was given.", ""]
        : ["One row for each payment in your funding.csv. The sums include funding.", " + funding"];
    const [ofTransfers, plusTransfers] =
      transfers === null
        ? [
            "There are no deposits and withdrawals, because no transfers.csv was given. A tool that adds up balances may show negative balances, because it does not know what was deposited.",
            "",
          ]
        : [
            "One row for each deposit and withdrawal in your transfers.csv, so that the tool can match it with the other side in your bank account or wallet.",
            " + deposits - withdrawals",
          ];
    return [
      "Each file has the same movements of cash, in the format of one tool. The files have PnL instead of trades, because these tools do not calculate the PnL of perpetual futures.",
      `One row for the PnL before fees of each closing fill. ${METHOD_STATEMENTS[methods.primary]}`,
      "A separate row for the fee or rebate of each fill, at the time of the fill. PnL rows do not include fees, so no fee is counted twice.",
      ofFunding,
      ofTransfers,
      `In each file and currency, amounts in less amounts out are exactly PnL before fees - fees${plusFunding}${plusTransfers}. Amounts in different currencies are never added.`,
      `Times are UTC (${time}). They are cut to whole seconds if the tool does not keep fractions. Amounts are positive and have all their digits.`,
    ];
  }
}

function omissionsOf({ markets, marketMonths }: Statement): string[] {
  const blanks = Map.groupBy(
    markets.flatMap((market) => [...market.blanks]),
    ([blank]) => blank,
  );
  const untyped = countOf(marketMonths, (one) => one.untyped);
  return [
    "Rows with an amount of zero, and the value of open positions.",
    "The cash balance at the start of the period. Import the packs of earlier periods too, or enter the balance in the tool.",
    ...[...blanks]
      .sort(([a], [b]) => compareText(a, b))
      .map(([blank, counts]) => {
        const fills = countOf(counts, ([, number]) => number);
        return `PnL of ${counted(fills, "fill")}: it could not be calculated, because ${BLANKS[blank]}. It is unknown, not zero. The files include the fees of ${fills === 1 ? "this fill" : "these fills"}.`;
      }),
    ...(untyped === 0 ? [] : [`${counted(untyped, "fill")} that cannot be read as a trade: see exceptions.csv.`]),
  ];
}

const BEFORE: readonly string[] = [
  "Import the file unchanged. Do not open and save it in Excel or another spreadsheet first, because that cuts digits and rewrites dates.",
  "Do not also connect the venue to the tool by API, and do not import another export for the same time. Otherwise rows are counted twice.",
  "Import each file once. Then compare the tool's totals with the sums below.",
];

function dailyLines(files: readonly ImportMaker[], daily: readonly ImportMaker[]): string[] {
  return [
    "The same movements with fewer rows, because most tools charge by transaction. For each day (in the period's time zone), market and currency, there is one row for profits, one for losses, one for fees and one for funding.",
    "Import either the file here or the file in daily/, never both.",
    "Rebates are deducted from the fees of the same day and market. If they are larger than the fees, the row is a rebate. Funding paid and received on a day are netted in the same way.",
    "The time of these rows is 10:00 UTC, which is on the same day in all time zones from UTC-10 to UTC+13.",
    "Deposits and withdrawals stay single rows at their own times. For tools that would skip the second of two equal rows, equal transfers at the same time are added up in one row. Within a day, a tool may therefore show a lower balance than there was.",
    "The sums of each day and of the period are the same as in the file here.",
    ...files.map(
      ({ tool, rows }, at) => `${tool.file}: ${counted(rows, "row")} here, ${count(daily[at]?.rows ?? 0)} in daily/.`,
    ),
  ];
}

function fileSection({ tool, rows, merged, alike, totals }: ImportMaker): string {
  const counts = [`Rows: ${count(rows)}.`];
  if (merged > 0) {
    counts.push(
      `Movements added up with an equal movement in one row, because the tool could skip the second as a duplicate (same time, kind, amount and currency): ${count(merged)}.`,
    );
  }
  if (alike > 0) {
    counts.push(
      `Rows that differ from another row only in tag and text: ${count(alike)}. It is not known whether the tool skips them, so check its total.`,
    );
  }
  const sums = totals.map(
    ({ currency, in: received, out: sent }) =>
      `Sum in ${plain(currency)}: ${digitsOf(received)} in, ${digitsOf(sent)} out, ${digitsOf(received - sent)} in less out.`,
  );
  return section(`${tool.file}, for ${tool.name}`, [...tool.advice, tool.rebates, counts.join(" "), ...sums]);
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => wrapped(`- ${line}`))].join("\n");
}

const WIDTH = 100;

/** Breaks lines at spaces, for viewers that do not wrap. Further lines are indented. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = `  ${word}`;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join("\n");
}
