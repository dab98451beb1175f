import type { Break } from "../../accounting/breaks.ts";
import type { AssumedRange, Manifest } from "../../archive/manifest.ts";
import { formatSetHash } from "../../archive/set-hash.ts";
import { formatUnits } from "../../core/decimal.ts";
import { localTime, type Period } from "../../core/period.ts";
import { intersection, overlaps, subtract } from "../../core/ranges.ts";
import { DAY_MS, isoTime, type TimeRange } from "../../core/time.ts";
import type { Closing, FileFacts, PackContext } from "../build/maker.ts";
import type { MonthTotals } from "../build/months.ts";
import { assumptionsOf, COMPLETENESS_NOTES } from "./assumptions.ts";
import { statedNets } from "./net.ts";

/** What a pack claims to hold, before it is written. Of the walk it has only what remains assumed. */
export interface CompletenessStatement {
  readonly account: string;
  readonly period: Period;
  readonly method: string;
  readonly complete: boolean;
  /** Covered within the period, by `txCreated`. */
  readonly coverage: readonly TimeRange[];
  readonly gaps: readonly TimeRange[];
  /**
   * Ranges without fills, in the period and the history it depends on, in which a clamp could have hidden
   * some.
   */
  readonly assumed: readonly AssumedRange[];
  readonly datesTrusted: boolean;
}

export function claimOf(
  manifest: Manifest,
  { account, period, method, complete }: Pick<CompletenessStatement, "account" | "period" | "method" | "complete">,
): Omit<CompletenessStatement, "assumed"> {
  return {
    account,
    period,
    method,
    complete,
    coverage: intersection(period, manifest.coverage),
    gaps: subtract(period, manifest.coverage),
    datesTrusted: manifest.checkpoint.datesTrusted,
  };
}

export const COMPLETENESS: FileFacts = {
  path: "completeness.json",
  description:
    "Completeness of the pack: coverage, gaps, declared breaks, totals and hashes of the period and of each month, opening positions, assumptions.",
  mediatype: "application/json",
};

export const COMPLETENESS_FORMAT = "fillbook-completeness/3";
/** Of accounts that were exported together. */
export const GROUP_FORMAT = "fillbook-group/2";

/** What completeness.json says besides the facts that other files use. */
export interface Foundations {
  /** Everything from here to the period is covered, ms UTC. -Infinity: since the account's beginning. */
  readonly since: number;
  /** The hash of the fills before the period from which the accounts come. */
  readonly historyHash: string;
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  readonly fillsWithExceptions: number;
  /** The number of cells in all files that got a leading apostrophe. */
  readonly escaped: number;
}

/**
 * completeness.json. It says nothing about the run that made it or the walk before it, so that the same fills
 * give the same text.
 */
export function completenessText(context: PackContext, closing: Closing, foundations: Foundations): string {
  const { account, period, methods, isMethodChosen, basis, complete, breaks } = context;
  const { proof, exceptions } = closing;
  const { coverage, gaps, assumed, fills, setHash, months, restatements } = proof;
  const { late, changed, enriched } = restatements;
  const document = {
    format: COMPLETENESS_FORMAT,
    account,
    period: period.name,
    from: isoTime(period.from),
    to: isoTime(period.to),
    zone: period.zone,
    local_from: localTime(period.from, period.zone),
    local_to: localTime(period.to, period.zone),
    first_day: period.firstDay,
    last_day: period.lastDay,
    method: methods.primary,
    method_chosen: isMethodChosen,
    basis,
    complete,
    breaks: breaks.map(breakText),
    totals: {
      fills,
      fills_with_exceptions: foundations.fillsWithExceptions,
      exceptions: exceptions.count,
      restatements: { late, changed, enriched },
      escaped_cells: foundations.escaped,
      set_hash: setHash,
    },
    coverage: coverage.map(rangeText),
    gaps: gaps.map(rangeText),
    assumed: assumed.map(assumedText),
    months: months.map((month) => monthRow(month, gaps)),
    accounts: accountsText(context, closing, foundations),
    assumptions: assumptionsOf(closing.proof),
    notes: COMPLETENESS_NOTES,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function accountsText(
  context: PackContext,
  { statement, converted }: Closing,
  { since, historyHash, inputs }: Foundations,
) {
  return {
    methods: [context.methods.primary, context.methods.reference],
    net_realised_pnl: statedNets(context, { statement, converted }),
    fundingIncluded: statement.marketMonths.some(({ funding }) => funding !== null),
    report_currency: converted?.currency ?? null,
    from_beginning: !Number.isFinite(since),
    covered_since: Number.isFinite(since) ? isoTime(since) : null,
    history_set_hash: historyHash,
    markets: statement.markets.map(({ market, origin, contractType, after }) => ({
      market,
      opening: origin,
      contract_type: contractType,
      pnl_unknown: after.blank,
    })),
    inputs: inputs.map(({ name, sha256 }) => ({ path: `inputs/${name}`, sha256 })),
  };
}

export function breakText({ market, from, to, quantity, price, evidence }: Break) {
  return {
    market,
    from: isoTime(from),
    to: isoTime(to),
    position: formatUnits(quantity),
    average_price: price === null ? null : formatUnits(price),
    evidence,
  };
}

export function assumedText(one: AssumedRange) {
  return { ...rangeText(one), width_days: one.widthMs / DAY_MS };
}

export function rangeText({ from, to }: TimeRange) {
  return { from: isoTime(from), to: isoTime(to) };
}

export function monthRow(month: MonthTotals, gaps: readonly TimeRange[]) {
  return {
    month: month.name,
    ...rangeText(month),
    covered: !gaps.some((gap) => overlaps(gap, month)),
    rows: month.rows,
    first: month.first === null ? null : isoTime(month.first),
    last: month.last === null ? null : isoTime(month.last),
    set_hash: formatSetHash(month.set),
  };
}
