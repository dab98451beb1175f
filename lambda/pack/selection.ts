import type { Part } from "../archive/manifest.ts";
import { addSets, EMPTY_SET, type SetHash, setHashOf } from "../archive/set-hash.ts";
import { FillbookError } from "../errors.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { holds } from "../model/ranges.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import type { Basis } from "./basis.ts";

export type ReadPart = (part: Part) => Promise<readonly Fill[]>;

/** What of the archive counts in a time: decides a pack's version. */
export interface Selection {
  /** In the order of their first fill. */
  readonly parts: readonly Part[];
  /** Of the fills that count in that time. */
  readonly setHash: SetHash;
}

/**
 * The parts with fills that count in the time, and the hash of those. Only parts that reach over its ends are read: what else they hold, and how it
 * changes, does not concern the pack.
 */
export async function selectParts(
  parts: readonly Part[],
  range: TimeRange,
  basis: Basis,
  readPart: ReadPart,
): Promise<Selection> {
  const selected: Part[] = [];
  let setHash = EMPTY_SET;
  for (const part of parts.toSorted((a, b) => basis.firstOf(a) - basis.firstOf(b))) {
    const [first, last] = [basis.firstOf(part), basis.lastOf(part)];
    if (last < range.from || first >= range.to) {
      continue;
    }
    selected.push(part);
    const isInside = first >= range.from && last < range.to;
    const own = isInside
      ? BigInt(`0x${part.setHash}`)
      : setHashOf((await readPart(part)).filter((fill) => isIn(range, basis, fill)));
    setHash = addSets(setHash, own);
  }
  return { parts: selected, setHash };
}

function isIn(range: TimeRange, basis: Basis, fill: Fill): boolean {
  return holds([range], basis.timeOf(fill));
}

/**
 * The fills that count in the time, in order, in batches of `batchRows` (the last is smaller). Parts are cut by `txCreated`, so what they hold may
 * overlap by the other time: what is held is the rows that a part not read yet may still precede, not the period. Throws `untrusted` when a fill is
 * there twice.
 */
export async function* fillsOf(
  parts: readonly Part[],
  range: TimeRange,
  { basis, readPart, batchRows }: { readonly basis: Basis; readonly readPart: ReadPart; readonly batchRows: number },
): AsyncGenerator<readonly Fill[]> {
  let pending: Fill[] = [];
  let ready: Fill[] = [];
  for (const [at, part] of parts.entries()) {
    pending = pending
      .concat(checked(part, basis, await readPart(part)).filter((fill) => isIn(range, basis, fill)))
      .sort(basis.compare);
    refuseDoubles(pending);
    const next = parts[at + 1];
    const settledBefore = next === undefined ? Number.POSITIVE_INFINITY : basis.firstOf(next);
    const open = pending.findIndex((fill) => basis.timeOf(fill) >= settledBefore);
    const settled = open === -1 ? pending : pending.slice(0, open);
    pending = open === -1 ? [] : pending.slice(open);
    ready = ready.concat(settled);
    while (ready.length >= batchRows) {
      yield ready.slice(0, batchRows);
      ready = ready.slice(batchRows);
    }
  }
  if (ready.length > 0) {
    yield ready;
  }
}

/** Fills that count outside of the period by the basis, and inside by their other time: auditors test the cut-off. A part at a time. */
export async function* straysOf(
  parts: readonly Part[],
  period: TimeRange,
  basis: Basis,
  readPart: ReadPart,
): AsyncGenerator<readonly Fill[]> {
  for (const part of parts) {
    const isWithin = (first: number, last: number): boolean => period.from <= first && last < period.to;
    const isOutside = (first: number, last: number): boolean => last < period.from || first >= period.to;
    const trades = [part.firstTrade, part.lastTrade] as const;
    const created = [part.from, part.to - 1] as const;
    if ((isWithin(...trades) && isWithin(...created)) || (isOutside(...trades) && isOutside(...created))) {
      continue;
    }
    const strays = (await readPart(part)).filter(
      (fill) => !isIn(period, basis, fill) && holds([period], basis.otherTimeOf(fill)),
    );
    if (strays.length > 0) {
      yield strays.sort(basis.compare);
    }
  }
}

/** The order of the pack rests on what the manifest says of its parts. */
function checked(part: Part, basis: Basis, fills: readonly Fill[]): readonly Fill[] {
  const stray = fills.find(
    (fill) => basis.timeOf(fill) < basis.firstOf(part) || basis.timeOf(fill) > basis.lastOf(part),
  );
  if (stray !== undefined) {
    throw new FillbookError(
      "untrusted",
      `${part.key} holds a fill of ${isoTime(basis.timeOf(stray))}, outside of the times that its manifest gives`,
    );
  }
  return fills;
}

function refuseDoubles(fills: readonly Fill[]): void {
  const seen = new Set<string>();
  for (const fill of fills) {
    const identity = identityOf(fill);
    if (seen.has(identity)) {
      throw new FillbookError(
        "untrusted",
        `the archive holds a fill twice: match ${fill.matchId}, order ${fill.orderId}`,
        {
          hint: "nothing was published; run `fillbook verify` and keep the archive as it is",
        },
      );
    }
    seen.add(identity);
  }
}
