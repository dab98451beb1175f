import type { RestatementFile } from "../../archive/manifest.ts";
import { readRestatements, tradeTimesOf } from "../../archive/restatements.ts";
import { isWithin } from "../../core/ranges.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Completeness } from "../../pack/catalogue/completeness.ts";
import type { AccountStores } from "../packs.ts";
import type { ArchiveView } from "./archives.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 32;
/** For a pack: sixteen rounds of reads, and rows that are in memory at the same time. */
const MAX_OBJECTS = 512;
const MAX_ROWS = 50_000;

/** At least so far around its period an export reads. */
const MARGIN_MS = 7 * DAY_MS;

/**
 * How many fills of a pack's period the archive knows to be late or changed, beyond those that the pack counts.
 * Null if the pack counts fills that the archive does not know, if too much would have to be read, or if a fill
 * of the period may have been created outside the range that was asked for when the pack was made: such a fill
 * comes later without being late. If the archive cannot hold more than the pack counts, nothing is read.
 */
export async function restatedSince(
  { store, account }: Pick<AccountStores, "account" | "store">,
  { restatements, skewMs }: Pick<ArchiveView, "restatements" | "skewMs">,
  {
    from,
    to,
    totals,
  }: Pick<Completeness, "from" | "to"> & { readonly totals: Pick<Completeness["totals"], "restatements"> },
): Promise<number | null> {
  const { late, changed, enriched } = totals.restatements;
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const isNear = ({ firstTrade, lastTrade }: RestatementFile) => firstTrade < range.to && lastTrade >= range.from;
  const files = restatements?.filter(isNear) ?? [];
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const counted = late + changed + enriched;
  if (restatements === null || rows < counted || files.length > MAX_OBJECTS || rows > MAX_ROWS) {
    return null;
  }
  const isRead = rows > counted;
  const read = isRead
    ? await mapConcurrent(files, READS_AT_ONCE, (file) => readRestatements(store, account, file))
    : [];
  const known = read.flat().filter((one) => tradeTimesOf(one).some((time) => isWithin(range, time)));
  // A version that only adds detail does not count as late or changed.
  const since = isRead ? known.filter(({ kind }) => kind !== "enriched").length - late - changed : 0;
  const isUnknown = (isRead && known.length < counted) || since < 0 || (since === 0 && skewMs > MARGIN_MS);
  return isUnknown ? null : since;
}
