import { countOf } from "../../../accounting/aggregate.ts";
import type { UnknownReason } from "../../../accounting/booked.ts";
import { METHOD_STATEMENTS } from "../../../accounting/method.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { compareText } from "../../../core/text.ts";
import type { Closing, FileMaker, PackContext } from "../../build/maker.ts";
import { digitsOf } from "./cash.ts";
import type { ImportMaker } from "./import-maker.ts";
import { plain } from "./plain.ts";

const BLANKS: Readonly<Record<UnknownReason, string>> = {
  opening_unknown: "the position before the first fill is not known",
  quantity_known_cost_unknown: "the price of the declared opening position is not known",
  break_declared: "fills of the market are missing, as opening-positions.csv declares",
  market_incomplete: "a fill of the market that cannot be typed came before",
  unsupported_contract_type: "the contract is not linear",
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
  readonly description = "How to import the files of imports/, and what is not in them. Plain text.";
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
      section("How each format is known, as of November 2026", [
        "Vendors change their templates without notice, and none of these files has been imported in an account of the vendor. Try a file in a trial account first.",
        ...files.map(({ tool }) => `${tool.file}: ${tool.status}`),
      ]),
    ];
    return `${paragraphs.join("\n\n")}\n`;
  }

  #title(): string {
    const { account, period, complete } = this.#context;
    const title = `Import files for tax tools: account ${account}, ${period.name} (${period.firstDay} to ${period.lastDay}, ${period.zone})`;
    return complete ? title : `${title}\n\nINCOMPLETE: not all of the period was read. Do not file from these files.`;
  }

  #contents(): string[] {
    const { methods, basis, funding, transfers } = this.#context;
    const time = basis === "fill" ? "filled_at, or else tx_created" : "tx_created";
    const [ofFunding, plusFunding] =
      funding === null
        ? [
            "Every sum excludes funding: the venue's fill data has no funding payments, and no funding.csv was given.",
            "",
          ]
        : ["A row for each payment of your funding.csv: the sums include funding.", " + funding"];
    const [ofTransfers, plusTransfers] =
      transfers === null
        ? [
            "No deposits and withdrawals: no transfers.csv was given. A tool that adds up balances may show them below zero, by what was deposited.",
            "",
          ]
        : [
            "A row for each deposit and withdrawal of your transfers.csv, so that the tool can match it with the other side, in your bank account or wallet.",
            " + deposits - withdrawals",
          ];
    return [
      "Each file has the same movements of cash in the words of one tool: these tools do not calculate the PnL of perpetual futures from trades.",
      `A row for the PnL, before fees, of each fill that closes something. ${METHOD_STATEMENTS[methods.primary]}`,
      "A row of its own for the fee or the rebate of each fill, at its time: no PnL has fees in it, so nothing is counted twice.",
      ofFunding,
      ofTransfers,
      `In each file and currency, what comes in less what goes out is PnL before fees - fees${plusFunding}${plusTransfers}, exactly. Currencies are never added to each other.`,
      `Times are UTC (${time}), cut to whole seconds where a tool keeps no finer ones. Amounts are positive and have all their digits.`,
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
    "Rows of zero; the value of open positions; the cash that was there when the period began: import the packs of earlier periods too, or enter it in the tool.",
    ...[...blanks]
      .sort(([a], [b]) => compareText(a, b))
      .map(([blank, counts]) => {
        const fills = countOf(counts, ([, count]) => count);
        return `What ${fills} ${fills === 1 ? "fill" : "fills"} gained or lost, where they closed anything: ${BLANKS[blank]}. It is blank, not zero; their fees are in the files.`;
      }),
    ...(untyped === 0
      ? []
      : [`Fills that cannot be typed: ${untyped}. They are in no import file; exceptions.csv lists them.`]),
  ];
}

const BEFORE: readonly string[] = [
  "Import a file as it is. Do not open it in Excel or another spreadsheet first: saving it there cuts digits and rewrites dates.",
  "Do not connect the venue to the tool by API as well, and do not import another export of the same time: rows would be counted twice.",
  "Import each file once. Compare the tool's total with the sums below.",
];

function dailyLines(files: readonly ImportMaker[], daily: readonly ImportMaker[]): string[] {
  return [
    "The same movements with fewer rows, as most tools charge by transaction: for each day of the period's zone, market and currency one row for profits, one for losses, one for fees, one for funding.",
    "Import either the file here or the one of daily/, never both.",
    "Rebates of a day and market are taken off its fees; where they are more than the fees, the row is a rebate. So are payments of funding set off against each other.",
    "The rows of a day are at 10:00 UTC, which is that day in all zones from UTC-10 to UTC+13. Deposits and withdrawals stay single, at their own times (equal ones of one time are one row with their sum in tools that would drop the second): within a day, a tool may show less than was there.",
    "The sums are the same, of each day and of the period.",
    ...files.map(({ tool, rows }, at) => `${tool.file}: ${rows} rows here, ${daily[at]?.rows} in daily/.`),
  ];
}

function fileSection({ tool, rows, merged, alike, totals }: ImportMaker): string {
  const counts = [`Rows: ${rows}.`];
  if (merged > 0) {
    counts.push(
      `Movements added into the row of another: ${merged}, which the tool could have taken for the same row: equal in time, kind, amount and currency.`,
    );
  }
  if (alike > 0) {
    counts.push(
      `Rows that differ from another only in tag and text: ${alike}. It is not known whether the tool skips them: check its total.`,
    );
  }
  const sums = totals.map(
    ({ currency, in: received, out: sent }) =>
      `Sum in ${plain(currency)}: in ${digitsOf(received)}, out ${digitsOf(sent)}, in less out ${digitsOf(received - sent)}.`,
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
