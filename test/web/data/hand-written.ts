import { hash } from "node:crypto";
import type { Store } from "../../../lambda/storage/store.ts";
import { findVersions, openPack } from "../../../lambda/web/data/pack-files.ts";
import { packPeriods, versionsByPeriod } from "../../../lambda/web/data/versions.ts";
import type { AccountStores, PackDetails, PackEntry } from "../../../lambda/web/packs.ts";
import type { MemoryStore } from "../../support/memory-store.ts";

/** A readable completeness.json, with these fields in place of the default ones. */
export function completeness(period: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    format: "fillbook-completeness/6",
    account: "main",
    period,
    from: "2025-03-01T00:00:00.000Z",
    to: "2025-04-01T00:00:00.000Z",
    zone: "UTC",
    method: "fifo",
    method_chosen: true,
    basis: "fill",
    of: ["main"],
    accounts: { report_currency: null, net_realised_pnl: [], inputs: [] },
    assumed: { silence_days: null, vanished_fills: 0 },
    totals: { fills: 3, exceptions: 0, restatements: { late: 0, changed: 0, enriched: 0 } },
    verdict: { claim: "Records complete; PnL calculated for 1 market", text: "With no gaps.", points: [] },
    gaps: [],
    ...fields,
  });
}

export interface HandWritten {
  readonly account?: string;
  readonly period: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A pack's objects by key, in fillbook's layout. */
function packByHand({ account = "main", period, version, files }: HandWritten): readonly [string, Buffer][] {
  const mark = version.endsWith("-INCOMPLETE") ? "INCOMPLETE-" : "";
  const sums = Object.entries(files).map(([path, text]) => `${hash("sha256", text, "hex")}  ${path}\n`);
  return [...Object.entries(files), [`${mark}SHA256SUMS`, sums.join("")] as const].map(([path, text]) => [
    `${account}/packs/${period}/${version}/${path}`,
    Buffer.from(text),
  ]);
}

/** Writes a pack from these texts. Returns its folder. */
export async function writeByHand(store: Store, pack: HandWritten): Promise<string> {
  for (const [key, body] of packByHand(pack)) {
    await store.createNew(key, body);
  }
  return `${pack.account ?? "main"}/packs/${pack.period}/${pack.version}`;
}

/** The same into a store in memory. */
export function putPack(store: MemoryStore, pack: HandWritten): void {
  for (const [key, body] of packByHand(pack)) {
    store.put(key, body);
  }
}

export function latestText(version: string): Buffer {
  return Buffer.from(`${JSON.stringify({ format: "fillbook-pack/4", version, sums: {} }, null, 2)}\n`);
}

/** The stores of an account that has only one store. */
export function storesIn(store: Store, account = "main"): AccountStores {
  return { account, store, packs: store };
}

/** All versions of all periods. */
export async function listAll(stores: AccountStores): Promise<readonly PackEntry[]> {
  return (await versionsByPeriod(stores, await packPeriods(stores))).flat();
}

/** Null if the period has no such version. */
export async function findPack(stores: AccountStores, period: string, version: string): Promise<PackDetails | null> {
  const found = (await findVersions(stores, period)).find((one) => one.version === version);
  return found === undefined ? null : await openPack(stores, found);
}
