import { addSets, EMPTY_SET, type SetHash, setHashOf } from "../../archive/set-hash.ts";
import type { TimeRange } from "../../core/time.ts";
import { DATE_BY } from "./date-by.ts";
import type { PackRequest } from "./request.ts";
import { hashRestatements, restatementsIn } from "./restatements.ts";
import { cutOffFillsOf, setHashIn } from "./selection.ts";

/** The part of the archive that a pack is made from. It decides the pack's version. */
export interface Selected {
  /** Of the fills of the period. */
  readonly fills: SetHash;
  /** The fills before the period, from which the accounts come. */
  readonly history: SetHash;
  /** Everything from here to the period is covered, ms UTC. -Infinity: since the account's beginning. */
  readonly since: number;
  /** Fills outside the period whose other time lies in it. */
  readonly cutOff: SetHash;
  /** A hash over everything in restatements.csv. */
  readonly restatements: string;
}

export async function selectContents(request: PackRequest): Promise<Selected> {
  const { manifest, manifestIndex, period, readDataFile, beginning } = request;
  const basis = DATE_BY[request.basis];
  let cutOff = EMPTY_SET;
  for await (const fills of cutOffFillsOf(manifestIndex, period, basis, readDataFile)) {
    cutOff = addSets(cutOff, setHashOf(fills));
  }
  const since = coveredSince(manifest.coverage, period.from, beginning);
  return {
    fills: await setHashIn(manifestIndex, period, basis, readDataFile),
    history: await setHashIn(manifestIndex, { from: since, to: period.from }, basis, readDataFile),
    since,
    cutOff,
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
