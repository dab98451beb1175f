import { totalCell } from "../../accounting/cube/cell.ts";
import { METHOD_NAMES, METHOD_STATEMENTS } from "../../accounting/method.ts";
import { REASONS } from "../../accounting/reasons.ts";
import { localTime } from "../../core/period.ts";
import { count, counted, listed } from "../../core/text.ts";
import { isoTime, MINUTE_MS } from "../../core/time.ts";
import { isGiven, lacking } from "../make/given.ts";
import type { Cash, Closing, ExceptionSummary, PackContext } from "../make/maker.ts";
import { byCurrency, unknownText } from "../tables/cash-text.ts";
import { fileName, shownName } from "./names.ts";
import { isConverted, settledScopes } from "./net.ts";
import { marketsIn } from "./verdict.ts";

// What the report and the workbook's cover say of a pack, in plain text.

export type Fact = readonly [label: string, text: string];

/** This many currencies are named. */
const MOST_NAMED = 8;

const BASES: Readonly<Record<PackContext["basis"], string>> = {
  fill: "the time of the fill (filled_at), or of its transaction (tx_created) if the venue gave no filled_at",
  transaction: "the time of the transaction (tx_created)",
};

/** Whose the pack is, its period, and what its figures are. */
export function statementFacts(context: PackContext, closing: Closing): readonly Fact[] {
  const { accounts, period, methods, basis, named } = context;
  const { proof, exceptions, sums } = closing;
  const settled = listed(
    settledScopes(sums).map(({ cell }) => shownName(cell.currency ?? "")),
    MOST_NAMED,
  );
  const declared = proof.declaredTrades === 0 ? "" : ` and ${counted(proof.declaredTrades, "declared trade")}`;
  const without = lacking(context, "funding");
  const names = [
    ["Client", named.client],
    ["Prepared by", named.preparer],
    ["Reference", named.reference],
    ["Venue", named.venue],
  ] as const;
  const [from, to] = [period.from, period.to].map((ms) => [localText(ms, period.zone), `${clock(ms)} UTC`] as const);
  return [
    ...names.flatMap(([label, name]): Fact[] => (name === null ? [] : [[label, name]])),
    [accounts.length === 1 ? "Account" : "Accounts", listed(accounts.map(({ account }) => account))],
    ["Period", `from ${from?.[0]} up to ${to?.[0]}, ${period.zone} (${from?.[1]} up to ${to?.[1]})`],
    [
      "Currency",
      sums.currency === null
        ? `settled in ${settled || "none"}; nothing is converted, and amounts in different currencies are never added`
        : `${sums.currency}${isConverted(sums) ? `, converted from ${settled}` : ""}`,
    ],
    ["Method", `${METHOD_STATEMENTS[methods.primary]} ${METHOD_NAMES[methods.reference]} is shown for comparison.`],
    ["Period cut-off based on", BASES[basis]],
    [
      "Fills",
      `${count(proof.fills)}${declared} in ${counted(marketsIn(sums).length, "market")}; exceptions: ${exceptionCounts(exceptions)}`,
    ],
    [
      "Funding",
      isGiven(context, "funding")
        ? `${counted(accounts.flatMap(({ funding }) => funding ?? []).length, "payment")} from the user's funding.csv, in the totals above${without.length === 0 ? "" : `; no funding.csv for ${listed(without)}`}`
        : "not included: the venue's fill data has no funding payments",
    ],
  ];
}

/** `2025-01-01 00:00 −05:00`. Seconds are shown unless they are zero. */
function localText(ms: number, zone: string): string {
  const text = localTime(ms, zone);
  const offset = text.slice(23);
  return `${clock(ms, text)} ${offset === "+00:00" ? "UTC" : offset.replace("-", "−")}`;
}

function clock(ms: number, iso = isoTime(ms)): string {
  return iso.slice(0, ms % MINUTE_MS === 0 ? 16 : 23).replace("T", " ");
}

/** Rows about fills and notes about markets are different things and never one number. */
export function exceptionCounts({ count: all, ofFills }: ExceptionSummary): string {
  const notes = all - ofFills;
  return `${ofFills === 0 ? "none" : counted(ofFills, "row")} about single fills, ${notes === 0 ? "no notes" : counted(notes, "note")} about markets`;
}

/** What was checked, and how. */
export function proofFacts(context: PackContext, { proof, cash }: Closing): readonly Fact[] {
  const fills = counted(proof.fills, "fill");
  const file = (name: string) => fileName(context, name);
  return [
    [
      "Records",
      context.complete
        ? `the venue's answers for the whole period were read twice, in two different ways, and agree; ${fills}, each kept once.`
        : `not complete; ${fills} so far, each kept once.`,
    ],
    [
      "Controls",
      `the pack's own sums of positions, cash and fees were compared with each other, market by market, wherever both sides are known (${file("control-totals.csv")}). If a control fails, no pack is made.`,
    ],
    cashFact(context, cash),
    ["Files", `${file("SHA256SUMS")} has the hash of every file. SHA-256 of ${file("fills.csv")}: ${proof.sha256}`],
  ];
}

/** What the user's statements of cash show: no more than was compared. */
export function cashFact({ accounts }: PackContext, cash: readonly Cash[]): Fact {
  if (cash.every(({ opening, closing }) => opening === null && closing === null)) {
    return ["Statements of cash", "none were given for this period, so cash was not compared with the venue's."];
  }
  const kinds = Map.groupBy(byCurrency(cash), kindOf);
  const nameOf = (rows: readonly Cash[]) => {
    const { account = "", currency = "", missing = null } = rows[0] ?? {};
    const name = currency === "" ? "a currency that is not known" : shownName(currency);
    const unknown = kindOf(rows) === "not compared" ? missing : unknownText(rows);
    return `${name}${accounts.length === 1 ? "" : ` of ${account}`}${unknown === null ? "" : ` (${unknown})`}`;
  };
  const texts = KINDS.flatMap((kind) => {
    const own = kinds.get(kind)?.map(nameOf) ?? [];
    return own.length === 0 ? [] : [`${kind} in ${listed(own, MOST_CURRENCIES)}`];
  });
  return ["Statements of cash (balances.csv)", `${texts.join("; ")}.`];
}

/** The sheet to sign names this many currencies of a kind. */
const MOST_CURRENCIES = 5;

const KINDS = ["differ", "not compared", "agree for part of the period", "agree"] as const;

function kindOf(rows: readonly Cash[]): (typeof KINDS)[number] {
  const some = (result: Cash["result"]) => rows.some((row) => row.result === result);
  if (some("differs")) {
    return "differ";
  }
  if (!(some("no statement") || some("not known"))) {
    return "agree";
  }
  return some("agrees") ? "agree for part of the period" : "not compared";
}

/** How the figures were made: enough to calculate them again in another way. */
export function basisFacts(context: PackContext, { sums }: Closing): readonly Fact[] {
  const { period, methods, basis } = context;
  const [hasFunding, hasMarks] = [isGiven(context, "funding"), isGiven(context, "marks")];
  const file = (name: string) => fileName(context, name);
  return [
    ["Method", `${METHOD_STATEMENTS[methods.primary]} For comparison: ${METHOD_STATEMENTS[methods.reference]}`],
    [
      "Matching",
      `${counted(totalCell(sums.cells).closes, "fill")} closed a position or part of one, with known PnL. ${file("realised-pnl.csv")} lists each closing fill with the fills that opened the position.`,
    ],
    [
      "Order",
      `Fills are sorted by ${basis === "fill" ? "filled_at (or tx_created if the venue gave no filled_at), then by " : ""}tx_created, match_id and order_id. A fill that closes a position and opens the opposite one counts as two parts, and its fee is divided by quantity.`,
    ],
    [
      "Time zone",
      `The period, its months and its days are in ${period.zone}, as are the times in the workbook. Other times are UTC unless a time zone is given. When clocks are set back, one hour occurs twice.`,
    ],
    [
      "Rounding",
      "In the report, amounts are rounded half even to the smallest unit of their currency. Its tooltips have the exact amounts, and the CSV files are the record. Quantities and prices have all their digits, average prices 8 places. The calculation itself is exact, with one exception: the share of a cost or fee at a partial close, or of the fee of a fill that closes one position and opens another, is rounded half even to 18 places. The remainder is calculated by subtraction, so shares add up to the whole.",
    ],
    [
      "Sources",
      `The venue's completed orders, as archived, and the user's own files, which are under inputs/ in the pack.${hasMarks ? ` Market prices are those of the user, and value open positions only: ${file("open-positions.csv")} has them.` : " No market prices are used."}`,
    ],
    [
      "Not included",
      `${hasFunding ? "Funding, unless a figure says incl. funding. " : "Funding (the venue's fill data has none). "}Deposits, withdrawals, interest, and liquidation charges beyond the fee of a fill. ${hasMarks ? "" : "Unrealised PnL. "}No tax treatment is chosen, and closes are matched by the method alone: not by a country's own rules, such as the same-day and 30-day rules of the United Kingdom or wash sales in the United States.`,
    ],
  ];
}

export const PARTIAL_MEANING =
  "Partial total: excludes what is not known or not given. Given funding is in it, even of a row whose PnL is not known.";

/** Codes and signs in the files of a pack. */
export const CODES: readonly Fact[] = [
  [
    "+ −",
    "PnL: + is a gain, − is a loss. Position: + is long, − is short. A fee without a sign was paid; a negative fee is a rebate.",
  ],
  ["not known", "The figure could not be calculated. It is not zero. In CSV files and the workbook its cell is empty."],
  ["†", PARTIAL_MEANING],
  [
    "maker, taker",
    "As reported by the venue. maker: the order waited in the order book. taker: the order was filled against orders in the book.",
  ],
  ["assumed_flat", "The position before the account's first fill is assumed to be nil."],
  ["declared", "The position at the start of the period comes from the user's opening-positions.csv."],
  ...Object.entries(REASONS).map(([code, { sentence }]): Fact => [code, sentence]),
];
