import { addSets, EMPTY_SET, type SetHash, setHashOf } from "../../archive/set-hash.ts";
import type { TimeRange } from "../../core/time.ts";
import { DATE_BY } from "./date-by.ts";
import type { PackRequest } from "./request.ts";
import { hashRestatements, restatementsIn } from "./restatements.ts";
import { setHashIn, straysOf } from "./selection.ts";

/** What of the archive a pack is made from: decides its version. */
export interface Selected {
  /** Of the fills of the period. */
  readonly fills: SetHash;
  /** Of those before it, which the accounts come from. */
  readonly history: SetHash;
  /** Since when all up to the period is covered, ms UTC; -Infinity: since the account's beginning. */
  readonly since: number;
  /** Of the fills outside of the period whose other time is in it. */
  readonly strays: SetHash;
  /** A hash over all that restatements.csv says. */
  readonly restatements: string;
}

export async function selectContents(request: PackRequest): Promise<Selected> {
  const { manifest, manifestIndex, period, readDataFile, beginning } = request;
  const basis = DATE_BY[request.basis];
  let strays = EMPTY_SET;
  for await (const fills of straysOf(manifestIndex, period, basis, readDataFile)) {
    strays = addSets(strays, setHashOf(fills));
  }
  const since = coveredSince(manifest.coverage, period.from, beginning);
  return {
    fills: await setHashIn(manifestIndex, period, basis, readDataFile),
    history: await setHashIn(manifestIndex, { from: since, to: period.from }, basis, readDataFile),
    since,
    strays,
    restatements: await hashRestatements(restatementsOf(request)),
  };
}

export function restatementsOf({ period, manifestIndex, readRestatements }: PackRequest) {
  return restatementsIn(period, manifestIndex, readRestatements);
}

/** Since when all up to a time is covered, ms UTC; -Infinity: since the beginning. */
export function coveredSince(coverage: readonly TimeRange[], until: number, beginning: number): number {
  const last = coverage.find(({ from, to }) => from < until && until <= to);
  if (last === undefined) {
    return until;
  }
  return last.from <= beginning ? Number.NEGATIVE_INFINITY : last.from;
}
