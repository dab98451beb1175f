import type { Manifest, WindowRecord } from "../archive/manifest.ts";
import { formatSetHash, type SetHash } from "../archive/set-hash.ts";
import { localTime, type Period } from "../model/period.ts";
import { intersection, overlaps, subtract } from "../model/ranges.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import { ASSUMPTIONS, COMPLETENESS_NOTES } from "./assumptions.ts";
import type { TableTotals } from "./tables.ts";

/** What a pack claims to hold: what completeness.json says, without its totals. */
export interface Claim {
  readonly account: string;
  readonly period: Period;
  readonly method: string;
  readonly complete: boolean;
  /** Covered within the period, by `txCreated`. */
  readonly coverage: readonly TimeRange[];
  readonly gaps: readonly TimeRange[];
  /** The walks that reach into the period. */
  readonly windows: readonly WindowRecord[];
  readonly setHash: SetHash;
}

export function claimOf(
  manifest: Manifest,
  { account, period, method, complete, setHash }: Pick<Claim, "account" | "period" | "method" | "complete" | "setHash">,
): Claim {
  return {
    account,
    period,
    method,
    complete,
    coverage: intersection(period, manifest.coverage),
    gaps: subtract(period, manifest.coverage),
    windows: manifest.windows.filter((window) => overlaps(window, period)),
    setHash,
  };
}

/** completeness.json: nothing of the run that made it, so that the same archive gives the same text. */
export function completenessText(claim: Claim, totals: TableTotals): string {
  const { account, period, method, complete } = claim;
  const document = {
    format: "fillbook-completeness/1",
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
      fills: totals.fills,
      fills_with_exceptions: totals.fillsWithExceptions,
      exceptions: totals.exceptions,
      neutralised_cells: totals.neutralised,
      set_hash: formatSetHash(claim.setHash),
    },
    coverage: claim.coverage.map(rangeText),
    gaps: claim.gaps.map(rangeText),
    windows: claim.windows.map(windowRow),
    assumptions: ASSUMPTIONS,
    notes: COMPLETENESS_NOTES,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function rangeText({ from, to }: TimeRange) {
  return { from: isoTime(from), to: isoTime(to) };
}

function windowRow(window: WindowRecord) {
  return {
    ...rangeText(window),
    pages: window.pages,
    rows: window.rows,
    duplicates: window.duplicates,
    first: window.first === null ? null : isoTime(window.first),
    last: window.last === null ? null : isoTime(window.last),
    ended: window.ended,
    set_hash: window.setHash,
    pages_hash: window.pagesHash,
  };
}
