import type { RestatementFile } from "../../archive/manifest.ts";
import { readRestatements, tradeTimesOf } from "../../archive/restatements.ts";
import { isWithin } from "../../core/ranges.ts";
import { DAY_MS } from "../../core/time.ts";
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
 * was asked for when the pack was made: such a fill comes later without being late. Each file is read once for
 * all packs; if the archive cannot hold more than a pack counts, nothing is read for it.
 */
export async function restatedSince(
  stores: Pick<AccountStores, "account" | "store">,
  { restatements, skewMs }: Pick<ArchiveView, "restatements" | "skewMs">,
  claims: readonly (Claim | null)[],
): Promise<(number | null)[]> {
  const read = rowReader(stores);
  const since: (number | null)[] = [];
  for (const claim of claims) {
    const told = claim === null || restatements === null ? null : await toldSince(claim, restatements, read);
    since.push(told === 0 && skewMs > MARGIN_MS ? null : told);
  }
  return since;
}

async function toldSince(
  { from, to, restatements: { late, changed, enriched } }: Claim,
  files: readonly RestatementFile[],
  read: ReturnType<typeof rowReader>,
): Promise<number | null> {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const touching = files.filter(({ firstTrade, lastTrade }) => firstTrade < range.to && lastTrade >= range.from);
  const most = touching.reduce((sum, { rows }) => sum + rows, 0);
  const counted = late + changed + enriched;
  if (most <= counted) {
    return most === counted ? 0 : null;
  }
  const known = (await read(touching))?.filter(({ times }) => times.some((time) => isWithin(range, time)));
  const told = known?.filter(({ isTold }) => isTold).length ?? 0;
  return known === undefined || known.length < counted || told < late + changed ? null : told - late - changed;
}

/** The parts of a restatement that are counted. */
interface Row {
  /** False for a version that only adds detail: it does not count as late or changed. */
  readonly isTold: boolean;
  /** The trade times of its versions. */
  readonly times: readonly number[];
}

/** Reads the rows of files, each file once. Null for files with which the limits would be exceeded: none is read. */
function rowReader({ store, account }: Pick<AccountStores, "account" | "store">) {
  const kept = new Map<RestatementFile, readonly Row[]>();
  let rowsKept = 0;
  return async (files: readonly RestatementFile[]): Promise<readonly Row[] | null> => {
    const more = files.filter((file) => !kept.has(file));
    const sum = more.reduce((rows, file) => rows + file.rows, rowsKept);
    if (kept.size + more.length > MAX_OBJECTS || sum > MAX_ROWS) {
      return null;
    }
    rowsKept = sum;
    await mapConcurrent(more, READS_AT_ONCE, async (file) => {
      const restated = await readRestatements(store, account, file);
      kept.set(
        file,
        restated.map((one) => ({ isTold: one.kind !== "enriched", times: tradeTimesOf(one) })),
      );
    });
    return files.flatMap((file) => kept.get(file) ?? []);
  };
}
