import { FillbookError } from "../core/errors.ts";
import { overlaps } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { CELL_COLUMNS, cellsOf, rowOf } from "../formats/fill-columns.ts";
import { metadataOf, ParquetFile } from "../formats/parquet.ts";
import type { Store } from "../storage/store.ts";
import { monthName, monthOf, sha256Of, tableKey, tablePrefix } from "./keys.ts";
import type { Manifest } from "./manifest.ts";
import { tryReplace } from "./objects.ts";
import { openUnit, type Unit, unitsOf } from "./read.ts";

/**
 * `table/`: the current fills, typed, one Parquet file a month, for engines. It is made from the data files
 * and can be made again at any time: each file names the manifest and the digest of what it was made from.
 */

/** The path has the account. */
const COLUMNS = CELL_COLUMNS.filter(({ name }) => name !== "account");
const MANIFEST = "fillbook.manifest";
const DIGEST = "fillbook.digest";
const MOST_TRIES = 5;

interface Month {
  /** ms UTC */
  readonly from: number;
  readonly key: string;
  readonly units: readonly Unit[];
  /** Of the contents of its data files. */
  readonly digest: string;
}

/** The months of `table/` that touch a range, or all. */
export function tableMonths(manifest: Manifest, range: TimeRange | null): readonly Month[] {
  const units = unitsOf(manifest);
  const begins = [...new Set(units.map(({ from }) => monthOf(from).from))];
  const asked = begins.filter((from) => range === null || overlaps(monthOf(from), range));
  return asked.map((from) => {
    const own = units.filter((unit) => overlaps(unit, monthOf(from)));
    const digest = sha256Of(own.flatMap(({ files }) => files.map(({ sha256 }) => sha256)).join("\n"));
    return { from, key: tableKey(manifest.account, monthName(from)), units: own, digest };
  });
}

/**
 * Writes the files of the months that have changed (`months`: their beginnings, ms UTC, or all months) and
 * those that are missing, and removes those of months without fills.
 */
export async function writeTable(store: Store, manifest: Manifest, months: ReadonlySet<number> | "all"): Promise<void> {
  const extra = new Set(await Array.fromAsync(store.list(tablePrefix(manifest.account)), ({ key }) => key));
  for (const month of tableMonths(manifest, null)) {
    if (!extra.delete(month.key) || months === "all" || months.has(month.from)) {
      await writeMonth(store, manifest, month);
    }
  }
  for (const key of extra) {
    const madeFrom = metadataOf((await store.get(key))?.body ?? Buffer.of())?.[MANIFEST] ?? 0;
    if (Number(madeFrom) <= manifest.seq) {
      await store.remove(key);
    }
  }
}

/** A sentence if the file of a month is not what the data files say. Rejects if these cannot be read. */
export async function verifyTable(store: Store, manifest: Manifest, month: Month): Promise<readonly string[]> {
  const where = `${store.location}/${month.key}`;
  const stored = await store.get(month.key);
  if (stored === null) {
    return [`${where} is missing; the next sync writes it again`];
  }
  const seq = Number(metadataOf(stored.body)?.[MANIFEST] ?? 0);
  const isSame = Buffer.compare(stored.body, await fileOf(store, manifest, { month, seq })) === 0;
  return isSame || seq > manifest.seq
    ? []
    : [`${where} is not what the data files say: delete it; the next sync writes it again`];
}

async function writeMonth(store: Store, manifest: Manifest, month: Month): Promise<void> {
  const { key } = month;
  let body: Uint8Array | null = null;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const stored = await store.get(key);
    const before = stored === null ? null : metadataOf(stored.body);
    if (before?.[DIGEST] === month.digest || Number(before?.[MANIFEST] ?? 0) > manifest.seq) {
      return;
    }
    body ??= await fileOf(store, manifest, { month, seq: manifest.seq });
    if ((await tryReplace(store, key, body, stored?.tag ?? null)) !== null) {
      return;
    }
  }
  throw new FillbookError("incomplete", `cannot write ${store.location}/${key}`, {
    hint: "the archive itself is whole: the next sync writes this file again",
  });
}

async function fileOf(
  store: Store,
  manifest: Manifest,
  { month, seq }: { readonly month: Month; readonly seq: number },
): Promise<Uint8Array> {
  const file = new ParquetFile(COLUMNS, { [MANIFEST]: String(seq), [DIGEST]: month.digest });
  const groups: Uint8Array[] = [];
  for (const unit of month.units) {
    for (const fill of await openUnit(store, manifest, unit)) {
      file.add(cellsOf(rowOf(manifest.account, fill), COLUMNS));
    }
    groups.push(file.take());
  }
  file.end();
  return Buffer.concat([...groups, file.take()]);
}
