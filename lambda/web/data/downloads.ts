import { monthName } from "../../archive/keys.ts";
import { FillbookError } from "../../core/errors.ts";
import { fieldsIn } from "../../core/record.ts";
import { isoTime } from "../../core/time.ts";
import type { AccountStores } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const FORMAT = "fillbook-download/1";
const AT_ONCE = 32;

export interface DownloadRecord {
  readonly at: number;
  readonly user: string;
  readonly account: string;
  readonly period: string;
  readonly version: string;
  /** A file's path, or `*` for the whole pack as one ZIP. */
  readonly path: string;
}

/**
 * Records who downloads what, before the first byte is sent: a download that cannot be recorded is refused.
 * Each record is an immutable object, `<account>/downloads/<month>/<time>-<id>.json`, in the archive's store,
 * and is never collected. It is never in the pack store, where it could be locked for years. `id`: a name
 * that no other record has.
 */
export async function recordDownload({ store }: AccountStores, record: DownloadRecord, id: string): Promise<void> {
  const time = isoTime(record.at).replaceAll(/[-:]/g, "");
  const key = `${prefixOf(record.account)}${monthName(record.at)}/${time}-${id}.json`;
  const body = Buffer.from(`${JSON.stringify({ format: FORMAT, ...record })}\n`);
  if ((await store.createNew(key, body)) === "exists") {
    throw new FillbookError("fault", `${store.location}/${key} exists already`);
  }
}

/** The newest records, at most so many, newest first: their keys sort by time. Throws `untrusted` for what is none. */
export async function recentDownloads({ store, account }: AccountStores, most: number): Promise<DownloadRecord[]> {
  const months = (await Array.fromAsync(store.folders(prefixOf(account)))).reverse();
  const keys: string[] = [];
  for (const month of months) {
    const listed = keys.length < most ? await Array.fromAsync(store.list(`${prefixOf(account)}${month}/`)) : [];
    keys.push(...listed.map(({ key }) => key).reverse());
  }
  return await mapConcurrent(keys.slice(0, most), AT_ONCE, async (key) => {
    const stored = await store.get(key);
    const { format, ...record } = fieldsIn(Buffer.from(stored?.body ?? []).toString());
    if (format !== FORMAT || record["account"] !== account) {
      throw new FillbookError("untrusted", `${store.location}/${key} is not a download record of fillbook`, {
        hint: "records never change: find out who changed this one, or move it away",
      });
    }
    return record as unknown as DownloadRecord; // of this format
  });
}

function prefixOf(account: string): string {
  return `${account}/downloads/`;
}
