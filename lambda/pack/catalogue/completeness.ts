import type { Coverage, Known } from "../../archive/manifest.ts";
import { localTime, type Period } from "../../core/period.ts";
import { covers, intersection, overlaps, subtract, union } from "../../core/ranges.ts";
import { DAY_MS, isoTime, type TimeRange } from "../../core/time.ts";
import { breaksOf, isGiven } from "../make/given.ts";
import type { Assumed, Closing, FileFacts, PackContext, Proof } from "../make/maker.ts";
import type { PackRequest } from "../make/request.ts";
import type { Selected } from "../make/selection.ts";
import { MADE_BY } from "../make/version.ts";
import { assumptionsOf, COMPLETENESS_NOTES } from "./assumptions.ts";
import { statedNets } from "./net.ts";
import { verdictOf } from "./verdict.ts";

/** What a pack claims to hold, before it is written. Of the walk it has only what remains assumed. */
export interface CompletenessStatement extends Pick<Proof, "complete" | "coverage" | "gaps" | "assumed"> {
  readonly name: string;
  readonly period: Period;
  readonly method: string;
}

/** A time was read as often as in the account where it was read least. */
export function claimOf(
  { name, period, method, allowIncomplete }: Pick<PackRequest, "name" | "period" | "method" | "allowIncomplete">,
  selected: readonly Pick<Selected, "manifest" | "since">[],
): CompletenessStatement {
  const all = selected.map(({ manifest: { coverage, known }, since }) => ({
    gaps: subtract(period, union(coverage)),
    once: coverage.filter(({ readings }) => readings === 1),
    assumed: assumedOf(
      // The history that the pack depends on begins at `since`.
      coverage.filter((one) => overlaps(one, { from: since, to: period.to })),
      known,
    ),
  }));
  const days = all.flatMap(({ assumed }) => assumed.silenceDays ?? []);
  return {
    name,
    period,
    method,
    complete: !allowIncomplete,
    ...coverageOf(period, { gaps: union(all.flatMap(({ gaps }) => gaps)), once: all.flatMap(({ once }) => once) }),
    assumed: {
      silenceDays: days.length === 0 ? null : Math.max(...days),
      vanished: all.reduce((sum, { assumed }) => sum + assumed.vanished, 0),
    },
  };
}

export function assumedOf(coverage: readonly Coverage[], { vanished }: Known): Assumed {
  const widest = coverage.reduce((most, { silentIn }) => Math.max(most, silentIn ?? 0), 0);
  return { silenceDays: widest === 0 ? null : Math.ceil((widest * 10) / DAY_MS) / 10, vanished: vanished.length };
}

/** How often each part of a period was read: twice, unless it was read once, or not at all. */
function coverageOf(
  period: TimeRange,
  { gaps, once }: { readonly gaps: readonly TimeRange[]; readonly once: readonly TimeRange[] },
): Pick<Proof, "coverage" | "gaps"> {
  const read = subtract(period, gaps);
  const single = union(once);
  const coverage = read.flatMap((range) => [
    ...subtract(range, single).map((one) => ({ ...one, readings: 2 as const })),
    ...intersection(range, single).map((one) => ({ ...one, readings: 1 as const })),
  ]);
  return { gaps, coverage: coverage.sort((a, b) => a.from - b.from) };
}

/** Whether all of a range was read twice. */
function isReadTwice(coverage: Proof["coverage"], range: TimeRange): boolean {
  return covers(
    coverage.filter(({ readings }) => readings === 2),
    range,
  );
}

export const COMPLETENESS: FileFacts = {
  path: "completeness.json",
  description:
    "Completeness of the pack: what was read and how often, gaps, declared breaks, totals of the period and of each month, opening positions, assumptions.",
  mediatype: "application/json",
};

export const COMPLETENESS_FORMAT = "fillbook-completeness/6";

/** What completeness.json says besides the facts that other files use. */
export interface Foundations {
  /** Everything from here to the period is covered, ms UTC. -Infinity: since the accounts' beginning. */
  readonly since: number;
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  readonly fillsWithExceptions: number;
  /** The number of cells in all files that got a leading apostrophe. */
  readonly escaped: number;
}

/** completeness.json, as the page reads it. */
export type Completeness = ReturnType<typeof completenessOf>;

/**
 * completeness.json. It says nothing about the run that made it, and of the walk before it only when it ended, so
 * that the same archive gives the same text.
 */
export function completenessOf(
  context: PackContext,
  closing: Closing,
  { since, inputs, fillsWithExceptions, escaped }: Foundations,
) {
  const { name, accounts, period, methods, isMethodChosen, basis, complete } = context;
  const { proof, exceptions, sums } = closing;
  const { assumed, restatements } = proof;
  return {
    format: COMPLETENESS_FORMAT,
    made_by: MADE_BY,
    read_twice_at: proof.readTwiceAt === null ? null : isoTime(proof.readTwiceAt),
    account: name,
    of: accounts.map(({ account }) => account),
    period: period.name,
    ...rangeText(period),
    zone: period.zone,
    local_from: localTime(period.from, period.zone),
    local_to: localTime(period.to, period.zone),
    first_day: period.firstDay,
    last_day: period.lastDay,
    method: methods.primary,
    method_chosen: isMethodChosen,
    basis,
    complete,
    verdict: verdictOf(context, closing),
    breaks: breaksOf(context).map(({ account, market, quantity, price, evidence, ...range }) => ({
      account,
      market,
      ...rangeText(range),
      position: String(quantity),
      average_price: textOf(price, String),
      evidence,
    })),
    totals: {
      fills: proof.fills,
      fills_with_exceptions: fillsWithExceptions,
      exceptions: exceptions.count,
      restatements: { late: restatements.late, changed: restatements.changed, enriched: restatements.enriched },
      escaped_cells: escaped,
    },
    coverage: proof.coverage.map(({ readings, ...range }) => ({ ...rangeText(range), readings })),
    gaps: proof.gaps.map(rangeText),
    assumed: { silence_days: assumed.silenceDays, vanished_fills: assumed.vanished },
    months: proof.months.map((month) => ({
      month: month.name,
      ...rangeText(month),
      covered: isReadTwice(proof.coverage, month),
      rows: month.rows,
      first: textOf(month.first, isoTime),
      last: textOf(month.last, isoTime),
    })),
    accounts: {
      methods: [methods.primary, methods.reference],
      net_realised_pnl: statedNets(context, closing),
      fundingIncluded: isGiven(context, "funding"),
      report_currency: sums.currency,
      from_beginning: !Number.isFinite(since),
      covered_since: Number.isFinite(since) ? isoTime(since) : null,
      markets: sums.holdings.map(({ account, market, origin, contractType, after }) => ({
        account,
        market,
        opening: origin,
        contract_type: contractType,
        pnl_unknown: after.blank,
      })),
      inputs: inputs.map(({ name: path, sha256 }) => ({ path: `inputs/${path}`, sha256 })),
    },
    assumptions: assumptionsOf(proof),
    notes: COMPLETENESS_NOTES,
  };
}

function rangeText({ from, to }: TimeRange) {
  return { from: isoTime(from), to: isoTime(to) };
}

function textOf<T>(value: T | null, of: (value: T) => string): string | null {
  return value === null ? null : of(value);
}
