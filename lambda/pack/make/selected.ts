import { createHash } from "node:crypto";
import type { Coverage } from "../../archive/manifest.ts";
import { union } from "../../core/ranges.ts";
import { DATE_BY } from "./date-by.ts";
import type { PackRequest, PackSource } from "./request.ts";
import { restatementsIn } from "./restatements.ts";
import { cutOffFillsOf, hashOfFills, hashOfRows } from "./selection.ts";

/** The part of an account's archive that a pack is made from. It decides the pack's version. */
export interface Selected extends PackSource {
  /** Everything from here to the period was read twice, ms UTC. -Infinity: since the account's beginning. */
  readonly since: number;
  /**
   * Of the fills from there to the period's end, those outside the period whose other time lies in it, and
   * everything in restatements.csv.
   */
  readonly hash: string;
}

/** Texts about each account. In a pack of several accounts, each says whose it is. */
export function ofEach(selected: readonly Selected[], textsOf: (one: Selected) => readonly string[]): string[] {
  return selected.flatMap((one) =>
    textsOf(one).map((text) => (selected.length === 1 ? text : `${one.account}: ${text}`)),
  );
}

export async function selectContents(source: PackSource, request: PackRequest): Promise<Selected> {
  const { period, beginning } = request;
  const basis = DATE_BY[request.basis];
  const since = coveredSince(source.manifest.coverage, period.from, beginning);
  const hash = createHash("sha256");
  hash.update(await hashOfFills(source, { from: since, to: period.to }, basis));
  for await (const fills of cutOffFillsOf(source, period, basis)) {
    hash.update(hashOfRows(fills));
  }
  for await (const restated of restatementsIn(period, source)) {
    for (const { kind, before, after, seenAt } of restated) {
      hash.update(`${kind} ${seenAt}\n${before?.row ?? ""}\n${after.row}\n`);
    }
  }
  return { ...source, since, hash: hash.digest("hex") };
}

/** Since when all up to a time was read twice, ms UTC; -Infinity: since the beginning. */
function coveredSince(coverage: readonly Coverage[], until: number, beginning: number): number {
  const last = union(coverage.filter(({ readings }) => readings === 2)).find(
    ({ from, to }) => from < until && until <= to,
  );
  if (last === undefined) {
    return until;
  }
  return last.from <= beginning ? Number.NEGATIVE_INFINITY : last.from;
}
