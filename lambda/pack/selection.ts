import type { Part } from "../archive/manifest.ts";
import { EMPTY_SET, type SetHash, setHashOf } from "../archive/set-hash.ts";
import { FillbookError } from "../errors.ts";
import { byTradeTime, type Fill, identityOf, tradeTime } from "../model/fill.ts";
import { isoTime, type TimeRange } from "../model/time.ts";

export type ReadPart = (part: Part) => Promise<readonly Fill[]>;

/** What of the archive a pack holds: decides its version. */
export interface Selection {
  /** In the order of their first trade. */
  readonly parts: readonly Part[];
  /** Of the fills of the period. */
  readonly setHash: SetHash;
}

/**
 * The parts with trades in the period, and the hash of the period's fills. Only parts that reach over its ends are read: what else they hold, and
 * how it changes, does not concern the pack.
 */
export async function selectParts(parts: readonly Part[], period: TimeRange, readPart: ReadPart): Promise<Selection> {
  const selected: Part[] = [];
  let setHash = EMPTY_SET;
  for (const part of parts.toSorted((a, b) => a.firstTrade - b.firstTrade)) {
    if (part.lastTrade < period.from || part.firstTrade >= period.to) {
      continue;
    }
    selected.push(part);
    const inside = part.firstTrade >= period.from && part.lastTrade < period.to;
    setHash = addSets(
      setHash,
      inside ? BigInt(`0x${part.setHash}`) : setHashOf((await readPart(part)).filter((fill) => isIn(period, fill))),
    );
  }
  return { parts: selected, setHash };
}

function addSets(a: SetHash, b: SetHash): SetHash {
  return BigInt.asUintN(256, a + b);
}

function isIn(period: TimeRange, fill: Fill): boolean {
  const time = tradeTime(fill);
  return period.from <= time && time < period.to;
}

/**
 * The period's fills by trade time, in batches of `batchRows` (the last is smaller). Parts are cut by `txCreated`, so their trade times may overlap:
 * what is held is the rows that a part not read yet may still precede, not the period. Throws `untrusted` when a fill is there twice.
 */
export async function* fillsOf(
  parts: readonly Part[],
  period: TimeRange,
  readPart: ReadPart,
  batchRows: number,
): AsyncGenerator<readonly Fill[]> {
  let pending: Fill[] = [];
  let ready: Fill[] = [];
  for (const [at, part] of parts.entries()) {
    pending = pending
      .concat(checked(part, await readPart(part)).filter((fill) => isIn(period, fill)))
      .sort(byTradeTime);
    refuseDoubles(pending);
    const settledBefore = parts[at + 1]?.firstTrade ?? Number.POSITIVE_INFINITY;
    const open = pending.findIndex((fill) => tradeTime(fill) >= settledBefore);
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

/** The order of the pack rests on what the manifest says of its parts. */
function checked(part: Part, fills: readonly Fill[]): readonly Fill[] {
  const stray = fills.find((fill) => tradeTime(fill) < part.firstTrade || tradeTime(fill) > part.lastTrade);
  if (stray !== undefined) {
    throw new FillbookError(
      "untrusted",
      `${part.key} holds a trade of ${isoTime(tradeTime(stray))}, outside of the times that its manifest gives`,
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
