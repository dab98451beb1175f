import type { RestatementFile } from "../../archive/manifest.ts";
import { readRestatements, tradeTimesOf } from "../../archive/restatements.ts";
import { isWithin } from "../../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../../core/time.ts";
import type { AccountStores, PackStatement } from "../packs.ts";
import type { ArchiveView } from "./archives.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 32;
/** For all packs of a page together: sixteen rounds of reads. */
const MAX_OBJECTS = 512;
/** For all of these objects together, because their rows are in memory at the same time. */
const MAX_ROWS = 200_000;

/** At least so far around its period an export reads. */
const MARGIN_MS = 7 * DAY_MS;

type Claim = Pick<PackStatement, "from" | "to" | "restatements">;

/**
 * For each pack's claim: how many fills of its period the archive knows to be late or changed, beyond those
 * that the pack counts. Null if there is no claim, if the pack counts fills that the archive does not know,
 * if too much would have to be read, or if a fill of the period may have been created outside the range that
 * was asked for when the pack was made: such a fill comes later without being late. Each commit appends a
 * file of restatements, and a pack counts what existed when it was made, so newer ones are at the end. Only
 * those files are read, and the files that reach over the ends of a pack's period; each file once for all
 * packs. If the archive cannot hold more than the pack counts, nothing is read.
 */
export async function restatedSince(
  stores: Pick<AccountStores, "account" | "store">,
  { restatements, skewMs }: Pick<ArchiveView, "restatements" | "skewMs">,
  claims: readonly (Claim | null)[],
): Promise<(number | null)[]> {
  const known = claims.filter((claim) => claim !== null);
  if (restatements === null || known.length === 0) {
    return claims.map(() => null);
  }
  const files = restatements.toSorted((a, b) => a.seq - b.seq);
  const rows = openRows(stores);
  const sides = known.map((claim) => sideOf(claim, files));
  const isAsked = skewMs <= MARGIN_MS;
  const counted = await rows.read(sides.map(unsureOf));
  const newest = sides.map((side, at) => (counted[at] === true ? newestOf(side, rows.of) : null));
  const read = await rows.read(newest.map((some) => some ?? []));
  const since = sides.map(({ range }, at) => {
    const some = read[at] === true ? (newest[at] ?? null) : null;
    const told = some?.flatMap((file) => rowsIn(range, rows.of(file))).filter(({ isTold }) => isTold).length ?? 0;
    return some === null || (told === 0 && !isAsked) ? null : told;
  });
  return claims.map((claim) => (claim === null ? null : (since[known.indexOf(claim)] ?? null)));
}

interface Side {
  readonly range: TimeRange;
  /** The restatements of all kinds that the pack counts. */
  readonly counted: number;
  /** The files that may hold restatements of its period. */
  readonly files: readonly RestatementFile[];
}

function sideOf(
  { from, to, restatements: { late, changed, enriched } }: Claim,
  files: readonly RestatementFile[],
): Side {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const touching = files.filter(({ firstTrade, lastTrade }) => firstTrade < range.to && lastTrade >= range.from);
  return { range, counted: late + changed + enriched, files: touching };
}

/** The most rows that can be of the period, known without reading. */
function mostOf({ files }: Side): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

/** The files that must be read to know how many of their rows are of the pack's period. */
function unsureOf(side: Side): readonly RestatementFile[] {
  return mostOf(side) <= side.counted ? [] : side.files.filter((file) => !liesWithin(side.range, file));
}

function liesWithin({ from, to }: TimeRange, { firstTrade, lastTrade }: RestatementFile): boolean {
  return from <= firstTrade && lastTrade < to;
}

/**
 * The files that were added after the pack was made; null if the older files do not add up to what the pack
 * counts.
 */
function newestOf(side: Side, rowsOf: (file: RestatementFile) => readonly Row[]): readonly RestatementFile[] | null {
  const { range, counted, files } = side;
  if (mostOf(side) <= counted) {
    return mostOf(side) === counted ? [] : null;
  }
  const countOf = (file: RestatementFile) => (liesWithin(range, file) ? file.rows : rowsIn(range, rowsOf(file)).length);
  let left = files.reduce((sum, file) => sum + countOf(file), 0) - counted;
  const newest: RestatementFile[] = [];
  for (const file of files.toReversed()) {
    const count = left > 0 ? countOf(file) : 0;
    if (count > 0) {
      newest.push(file);
      left -= count;
    }
  }
  return left === 0 ? newest : null;
}

/** The parts of a restatement that are counted. */
interface Row {
  /** False for a version that only adds detail: it does not count as late or changed. */
  readonly isTold: boolean;
  /** The trade times of its versions. */
  readonly times: readonly number[];
}

function rowsIn(range: TimeRange, rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ times }) => times.some((time) => isWithin(range, time)));
}

function openRows({ store, account }: Pick<AccountStores, "account" | "store">) {
  const kept = new Map<RestatementFile, readonly Row[]>();
  const asked = new Set<RestatementFile>();
  let rowsAsked = 0;
  return {
    /**
     * Reads the files of each list, each file once. False for a list that would exceed the limits: nothing is
     * read for it.
     */
    async read(lists: readonly (readonly RestatementFile[])[]): Promise<boolean[]> {
      const toRead: RestatementFile[] = [];
      const isTaken = lists.map((list) => {
        const more = list.filter((file) => !asked.has(file));
        const sum = more.reduce((rows, file) => rows + file.rows, rowsAsked);
        if (asked.size + more.length > MAX_OBJECTS || sum > MAX_ROWS) {
          return false;
        }
        rowsAsked = sum;
        for (const file of more) {
          asked.add(file);
          toRead.push(file);
        }
        return true;
      });
      await mapConcurrent(toRead, READS_AT_ONCE, async (file) => {
        const restated = await readRestatements(store, account, file);
        kept.set(
          file,
          restated.map((one) => ({ isTold: one.kind !== "enriched", times: tradeTimesOf(one) })),
        );
      });
      return isTaken;
    },
    /** The rows of a file that was read. */
    of: (file: RestatementFile): readonly Row[] => kept.get(file) ?? [],
  };
}
