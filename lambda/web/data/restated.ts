import type { RestatementFile } from "../../archive/manifest-entries.ts";
import { readRestatements, tradeTimesOf } from "../../archive/restatements.ts";
import { firstMargin } from "../../core/period-margin.ts";
import { isWithin } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores, PackStatement } from "../packs.ts";
import type { ArchiveView } from "./archives.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 32;
/** For all packs of a page together: sixteen times as many as are read at once. */
const MAX_OBJECTS = 512;
/** Of these together: they are in memory at the same time. */
const MAX_ROWS = 200_000;

type Claim = Pick<PackStatement, "from" | "to" | "restatements">;

/**
 * Of each claim of a pack: how many fills of its time the archive knows to be late or changed beyond those
 * that the pack counts; null where it counts what the archive does not know, where too much would be to
 * read, where there is no claim, or where a fill of its time may have been created further from it than was
 * asked for when it was made, and come without being late. Each commit adds a file at the end of the
 * archive's, and a pack counts what was there when it was made, so what came since is at the end. That is
 * read, with what reaches over a pack's ends, once for all packs; where no more can be there than the pack
 * counts, nothing is.
 */
export async function restatedSince(
  { store }: Pick<AccountStores, "store">,
  { restatements, maxSkewMs }: Pick<ArchiveView, "restatements" | "maxSkewMs">,
  claims: readonly (Claim | null)[],
): Promise<(number | null)[]> {
  const known = claims.filter((claim) => claim !== null);
  if (restatements === null || known.length === 0) {
    return claims.map(() => null);
  }
  const from = Math.min(...known.map((claim) => Date.parse(claim.from)));
  const to = Math.max(...known.map((claim) => Date.parse(claim.to)));
  const files = await restatements({ from, to });
  const rows = openRows(store);
  const sides = known.map((claim) => sideOf(claim, files));
  const isAsked = sides.map(({ range }) => maxSkewMs <= firstMargin(range));
  const counted = await rows.read(sides.map(unsureOf));
  const newest = sides.map((side, at) => (counted[at] === true ? newestOf(side, rows.of) : null));
  const read = await rows.read(newest.map((some) => some ?? []));
  const since = sides.map(({ range }, at) => {
    const some = read[at] === true ? (newest[at] ?? null) : null;
    const told = some?.flatMap((file) => rowsIn(range, rows.of(file))).filter(({ isTold }) => isTold).length ?? 0;
    return some === null || (told === 0 && isAsked[at] !== true) ? null : told;
  });
  return claims.map((claim) => (claim === null ? null : (since[known.indexOf(claim)] ?? null)));
}

interface Side {
  readonly range: TimeRange;
  /** Restatements that the pack counts, of all kinds. */
  readonly counted: number;
  /** Those that may be of its time. */
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

/** Without reading. */
function mostOf({ files }: Side): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

/** What must be read to know how much of it is of the pack's time. */
function unsureOf(side: Side): readonly RestatementFile[] {
  return mostOf(side) <= side.counted ? [] : side.files.filter((file) => !liesWithin(side.range, file));
}

function liesWithin({ from, to }: TimeRange, { firstTrade, lastTrade }: RestatementFile): boolean {
  return from <= firstTrade && lastTrade < to;
}

/** Those that came after the pack was made; null: what was there before them is not what the pack counts. */
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

/** One restatement, as far as it counts. */
interface Row {
  /** What only says more than before is no restatement to speak of. */
  readonly isTold: boolean;
  /** Of its versions. */
  readonly times: readonly number[];
}

function rowsIn(range: TimeRange, rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ times }) => times.some((time) => isWithin(range, time)));
}

function openRows(store: Store) {
  const kept = new Map<string, readonly Row[]>();
  const asked = new Set<string>();
  let rowsAsked = 0;
  return {
    /** Reads the files of each list, each once; false: with this list it would be too much, and none of it was read for it. */
    async read(lists: readonly (readonly RestatementFile[])[]): Promise<boolean[]> {
      const toRead: RestatementFile[] = [];
      const isTaken = lists.map((list) => {
        const more = list.filter(({ key }) => !asked.has(key));
        const sum = more.reduce((rows, file) => rows + file.rows, rowsAsked);
        if (asked.size + more.length > MAX_OBJECTS || sum > MAX_ROWS) {
          return false;
        }
        rowsAsked = sum;
        for (const file of more) {
          asked.add(file.key);
          toRead.push(file);
        }
        return true;
      });
      await mapConcurrent(toRead, READS_AT_ONCE, async (file) => {
        const restated = await readRestatements(store, file);
        kept.set(
          file.key,
          restated.map((one) => ({ isTold: one.kind !== "enriched", times: tradeTimesOf(one) })),
        );
      });
      return isTaken;
    },
    /** Of a file that was read. */
    of: ({ key }: RestatementFile): readonly Row[] => kept.get(key) ?? [],
  };
}
