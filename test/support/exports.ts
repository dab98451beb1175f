import { type Period, parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportGroup } from "../../lambda/job/export-group.ts";
import type { ExportRequest } from "../../lambda/job/export-pack.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { makeBench } from "./job.ts";
import { memoryStore } from "./memory-store.ts";
import { recordsOf } from "./rfc4180.ts";

/** Requests a pack of the period by average cost, as the user's own choice. */
export function exportRequest(period: Period) {
  return { period, method: "average", isMethodChosen: true, basis: "fill", allowIncomplete: false } as const;
}

export const MARCH = parsePeriod("month-2025-03");
/** A pack of March. */
export const OF_MARCH = exportRequest(MARCH);

const { filledAt: _, ...ITEM } = makeHistory({ seed: 1, fills: 1, from: 0, to: 1, ties: 0 }).item(0);

/** A fill as the service sends it, whose two ids are its name, without a fee and without `filledAt`. */
export function plainItem(name: string, txCreated: number, more: Partial<CompletedOrder> = {}): CompletedOrder {
  return { ...ITEM, matchId: name, orderId: name, txCreated, market: "BTC-USDT", fees: "0", ...more };
}

/** The same so many days after the beginning of March. */
export function marchItem(name: string, day: number, more: Partial<CompletedOrder>): CompletedOrder {
  return plainItem(name, MARCH.from + day * DAY_MS, more);
}

/** A bench for each account over one store, and the pack of all of them. */
export function groupBench(histories: Readonly<Record<string, readonly CompletedOrder[]>>, store = memoryStore()) {
  const accounts = Object.keys(histories).sort();
  const jobOf = (account: string): Promise<RunContext> =>
    Promise.resolve(makeBench({ history: historyOf(histories[account] ?? []), job: { account, store } }).job);
  const exported = (request: ExportRequest, jobs = jobOf) =>
    exportGroup({ name: accounts.join("_"), accounts }, jobs, request);
  return { store, jobOf, exported };
}

/** Writes files by their keys. */
export async function putAll(store: Store, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, text] of Object.entries(files)) {
    await store.createNew(key, Buffer.from(text));
  }
}

/** A file of a pack. `dir`: as an export names it. */
export async function packText(store: Store, dir: string | null, path: string): Promise<string> {
  const body = await store.get(`${dir?.replace(`${store.location}/`, "")}/${path}`);
  return new TextDecoder().decode(body?.body);
}

/** The rows of a CSV file of a pack. */
export async function packRows(store: Store, dir: string | null, path: string): Promise<Record<string, string>[]> {
  return recordsOf(await packText(store, dir, path));
}

/** The cells of the named columns, row by row. */
export async function packCells(store: Store, dir: string | null, path: string, names: readonly string[]) {
  return (await packRows(store, dir, path)).map((row) => names.map((name) => row[name]));
}
