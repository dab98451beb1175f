import type { Manifest } from "../archive/manifest.ts";
import { formatSetHash } from "../archive/set-hash.ts";
import { localTime, type Period } from "../model/period.ts";
import { intersection, overlaps, subtract } from "../model/ranges.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import { ASSUMPTIONS, COMPLETENESS_NOTES } from "./assumptions.ts";
import type { MonthTally, MonthTotals } from "./months.ts";
import type { RestatementTotals } from "./restatements.ts";
import type { TableTotals } from "./tables.ts";

/** What a pack claims to hold, before it is written: nothing of how the archive was walked. */
export interface Claim {
  readonly account: string;
  readonly period: Period;
  readonly method: string;
  readonly complete: boolean;
  /** Covered within the period, by `txCreated`. */
  readonly coverage: readonly TimeRange[];
  readonly gaps: readonly TimeRange[];
}

export function claimOf(
  manifest: Manifest,
  { account, period, method, complete }: Pick<Claim, "account" | "period" | "method" | "complete">,
): Claim {
  return {
    account,
    period,
    method,
    complete,
    coverage: intersection(period, manifest.coverage),
    gaps: subtract(period, manifest.coverage),
  };
}

/** What the files of a pack hold. */
export interface Totals {
  readonly tables: TableTotals;
  readonly tally: MonthTally;
  readonly restatements: RestatementTotals;
}

/** completeness.json: nothing of the run that made it or of the walk before it, so that the same fills give the same text. */
export function completenessText(claim: Claim, { tables, tally, restatements }: Totals): string {
  const { account, period, method, complete } = claim;
  const { late, changed, enriched } = restatements;
  const document = {
    format: "fillbook-completeness/2",
    account,
    period: period.name,
    from: isoTime(period.from),
    to: isoTime(period.to),
    zone: period.zone,
    local_from: localTime(period.from, period.zone),
    local_to: localTime(period.to, period.zone),
    first_day: period.firstDay,
    last_day: period.lastDay,
    method,
    complete,
    totals: {
      fills: tables.fills,
      fills_with_exceptions: tables.fillsWithExceptions,
      exceptions: tables.exceptions,
      restatements: { late, changed, enriched },
      neutralised_cells: tables.neutralised + restatements.neutralised,
      set_hash: formatSetHash(tally.set),
    },
    coverage: claim.coverage.map(rangeText),
    gaps: claim.gaps.map(rangeText),
    months: tally.months.map((month) => monthRow(month, claim.gaps)),
    assumptions: ASSUMPTIONS,
    notes: COMPLETENESS_NOTES,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function rangeText({ from, to }: TimeRange) {
  return { from: isoTime(from), to: isoTime(to) };
}

function monthRow(month: MonthTotals, gaps: readonly TimeRange[]) {
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
