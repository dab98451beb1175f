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

/** The parts of a restatement that are counted. */
interface Row {
  /** False for a version that only adds detail: it does not count as late or changed. */
  readonly isTold: boolean;
  /** The trade times of its versions. */
  readonly times: readonly number[];
}

/**
 * For each pack's claim: how many fills of its period the archive knows to be late or changed, beyond those
 * that the pack counts. Null if there is no claim, if the pack counts fills that the archive does not know,
 * if too much would have to be read, or if a fill of the period may have been created outside the range that
 * was asked for when the pack was made: such a fill comes later without being late. Each file is read once for
 * all packs; if the archive cannot hold more than a pack counts, nothing is read for it.
 */
export async function restatedSince(
  { store, account }: Pick<AccountStores, "account" | "store">,
  { restatements, skewMs }: Pick<ArchiveView, "restatements" | "skewMs">,
  claims: readonly (Claim | null)[],
): Promise<(number | null)[]> {
  const kept = new Map<RestatementFile, readonly Row[]>();
  const rowsIn = (files: readonly RestatementFile[]) => files.reduce((sum, { rows }) => sum + rows, 0);

  /** False: the limits would be exceeded, and none is read. */
  async function read(files: readonly RestatementFile[]): Promise<boolean> {
    const all = new Set([...kept.keys(), ...files]);
    if (all.size > MAX_OBJECTS || rowsIn([...all]) > MAX_ROWS) {
      return false;
    }
    const more = files.filter((file) => !kept.has(file));
    await mapConcurrent(more, READS_AT_ONCE, async (file) => {
      const rows = await readRestatements(store, account, file);
      kept.set(
        file,
        rows.map((one) => ({ isTold: one.kind !== "enriched", times: tradeTimesOf(one) })),
      );
    });
    return true;
  }

  async function toldSince({ from, to, restatements: { late, changed, enriched } }: Claim): Promise<number | null> {
    const range = { from: Date.parse(from), to: Date.parse(to) };
    const isNear = ({ firstTrade, lastTrade }: RestatementFile) => firstTrade < range.to && lastTrade >= range.from;
    const files = restatements?.filter(isNear) ?? null;
    const counted = late + changed + enriched;
    if (files === null || rowsIn(files) <= counted) {
      return files !== null && rowsIn(files) === counted ? 0 : null;
    }
    if (!(await read(files))) {
      return null;
    }
    const known = files
      .flatMap((file) => kept.get(file) ?? [])
      .filter(({ times }) => times.some((time) => isWithin(range, time)));
    const since = known.filter(({ isTold }) => isTold).length - late - changed;
    return known.length < counted || since < 0 ? null : since;
  }

  const since: (number | null)[] = [];
  for (const claim of claims) {
    const told = claim === null ? null : await toldSince(claim);
    since.push(told === 0 && skewMs > MARGIN_MS ? null : told);
  }
  return since;
}
