import { blankCloses, type Cell, totalCell } from "../../accounting/cube/cell.ts";
import { lacksOf, type Scope, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import type { Holding } from "../../accounting/holdings.ts";
import { reasonText, remedyText } from "../../accounting/reasons.ts";
import { count, counted, firstOf, listed } from "../../core/text.ts";
import type { Point, Verdict } from "../../core/verdict.ts";
import { breakText } from "../make/break-text.ts";
import { lacking as accountsWithout, breaksOf, nameOf } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { cashDifferences } from "../tables/cash-text.ts";
import { isFlat } from "../tables/market-exceptions.ts";
import { fileName, shownName } from "./names.ts";

const MOST_BREAKS = 20;
const MOST_MARKETS = 5;
const MOST_CURRENCIES = 3;

export function verdictOf(context: PackContext, closing: Closing): Verdict {
  const { sums } = closing;
  const points = pointsOf(context, closing).flatMap(([number, point]) => (number === 0 ? [] : [point]));
  const unknown = blankCloses(totalCell(sums.cells));
  const them = unknown === 1 ? "it" : "them";
  const excluded =
    unknown === 0 ? "" : ` PnL could not be calculated for ${counted(unknown, "fill")}; totals exclude ${them}.`;
  const claim = ["Records complete", ...cashClaim(closing), pnlClaim(closing)].join("; ");
  const text = context.complete
    ? "Every fill the venue reports for this period was retrieved, with no gaps."
    : "Do not file from this statement. Fills may be missing, and every figure may change.";
  return { claim: context.complete ? claim : "INCOMPLETE", text: `${text}${excluded}`, points };
}

/** The markets with a fill or a break in the period, or a position at one of its ends. */
export function marketsIn(sums: Sums): readonly Scope[] {
  return scopesOf(sums, ["market"]).filter(
    ({ cell: { market, fills, untyped, breaks }, holdings }) =>
      market !== "" && (fills + untyped + breaks > 0 || !holdings.every(isFlat)),
  );
}

function cashClaim({ cash }: Closing): string[] {
  const names = [...new Set(cash.flatMap(({ result, currency }) => (result === "differs" ? [currency] : [])))];
  return names.length === 0 ? [] : [`cash differs in ${listed(names, MOST_CURRENCIES)}`];
}

/** Claims no more than what is known of PnL. */
function pnlClaim({ sums, proof }: Closing): string {
  const all = marketsIn(sums);
  const markets = counted(all.length, "market");
  const unknown = all.filter(({ cell }) => lacksOf(cell).length > 0);
  const missing = unknown.filter(({ cell }) => cell.closes === 0).length;
  const parts = [
    ...(missing > 0 ? [`missing for ${missing}`] : []),
    ...(unknown.length > missing ? [`partly missing for ${unknown.length - missing}`] : []),
  ];
  if (parts.length > 0) {
    return `PnL ${parts.join(" and ")} of ${markets}`;
  }
  if (blankCloses(totalCell(sums.cells)) > 0) {
    return "PnL missing for fills without a market";
  }
  return proof.fills + proof.declaredTrades === 0 ? "no fills in this period" : `PnL calculated for ${markets}`;
}

/** A point is shown if there is any of what it counts. */
type Counted = readonly [number: number, point: Point];

function note(number: number, text: string, see?: NonNullable<Point["see"]>): Counted {
  return [number, { about: "note", text, ...(see === undefined ? {} : { see }) }];
}

function pointsOf(context: PackContext, closing: Closing): readonly Counted[] {
  const { sums, exceptions, proof, cash } = closing;
  const all = totalCell(sums.cells);
  const { untyped, ties } = all;
  const lacking = scopesOf(sums, ["account", "market"]).filter(
    ({ cell }) => cell.market !== "" && lacksOf(cell).length > 0,
  );
  const markets = (isMeant: (holding: Holding) => boolean, what: string): Counted => {
    const { length } = marketsIn(sums).filter(({ holdings }) => holdings.some(isMeant));
    return note(length, `${what}: ${counted(length, "market")}.`);
  };
  const { late, changed, enriched } = proof.restatements;
  const restated = late + changed + enriched;
  const { vanished } = proof.assumed;
  return [
    ...(context.complete ? [] : [gapsPoint(context, closing)]),
    ...proof.noted.map((text) => note(1, `${text}.`)),
    ...cashDifferences(cash, context).map((text): Counted => [1, cashPoint(text)]),
    ...firstOf(
      breaksOf(context).map(
        (one) => `A break in ${shownName(nameOf(context, one))}: ${breakText(one)} Evidence: ${one.evidence}`,
      ),
      MOST_BREAKS,
      (left) => `${count(left)} more breaks: all are in ${fileName(context, "completeness.json")}.`,
    ).map((text) => note(1, text)),
    ...firstOf<Point>(
      lacking.map(({ cell }) => ({
        about: "pnl",
        text: whyUnknown(context, cell),
        remedy: remedyText(lacksOf(cell)),
        see: "results",
      })),
      MOST_MARKETS,
      (left) => ({
        about: "pnl",
        text: `${count(left)} more markets whose PnL is not fully known: ${fileName(context, "exceptions.csv")} says why.`,
      }),
    ).map((point): Counted => [1, point]),
    [
      untyped,
      {
        about: "pnl",
        text: `${counted(untyped, "fill")} cannot be read as a trade; no amount includes ${untyped === 1 ? "it" : "them"}.`,
        remedy: remedyText(["unreadable_fills"]),
        see: "exceptions",
      },
    ],
    ...(["funding", "transfers", "marks"] as const).map((file) => {
      const without = accountsWithout(context, file);
      return note(
        without.length,
        `No ${file}.csv was given for ${listed(without)}: figures have only that of the others.`,
      );
    }),
    note(vanished, `Fills of the account that the venue no longer reports: ${count(vanished)}.`, "basis"),
    markets(({ origin }) => origin === "assumed_flat", "Position before the account's first fill assumed to be nil"),
    markets(({ origin }) => origin === "declared", "Position at the start of the period declared by the user"),
    markets(
      ({ contractType }) => contractType === null,
      "Contract type not stated by the venue (treated as linear contracts)",
    ),
    note(exceptions.ofFills, `Exceptions about single fills: ${count(exceptions.ofFills)}.`, "exceptions"),
    note(
      ties,
      `Fills that share their time with a fill of the other side (order uncertain): ${counted(ties, "fill")}.`,
      "exceptions",
    ),
    note(
      restated,
      `Fills that arrived late or changed after their time had been read: ${counted(restated, "fill")}.`,
      "proof",
    ),
  ];
}

function gapsPoint(context: PackContext, { proof }: Closing): Counted {
  const { length } = proof.gaps;
  const text =
    length === 0
      ? "It was made although the records may not be complete."
      : `${counted(length, "range")} of time could not be read: see ${fileName(context, "completeness.json")}.`;
  return [1, { about: "records", text, remedy: "Read what is missing, and make the pack again." }];
}

/** `text`: of `cashDifferences`. */
function cashPoint(text: string): Point {
  const remedy = "Add what is missing to your files, or correct balances.csv, and make the pack again.";
  return { about: "cash", text: `Cash ${text}.`, remedy, see: "reconciliation" };
}

/** `BTC-USD: PnL of 3 fills could not be calculated, because its opening position is not known.` */
function whyUnknown(context: PackContext, cell: Cell): string {
  const fills = blankCloses(cell);
  const name = shownName(nameOf(context, { account: cell.account ?? "", market: cell.market ?? "" }));
  const what = fills === 0 ? "" : `PnL of ${counted(fills, "fill")} could not be calculated, because `;
  return `${name}: ${what}${[...new Set(lacksOf(cell).map(reasonText))].join(" and ")}.`;
}
