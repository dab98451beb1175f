import { expect } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench, NOW } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { Athena } from "./athena.ts";

// An archive that also has everything a reader must not see: replaced data files, and data files of killed
// runs.

const FROM = Date.UTC(2025, 10, 1);
const MIDDLE = Date.UTC(2025, 11, 20);
const TO = NOW - DAY_MS;

/**
 * Amounts that no column can hold, each in a fill of its own. The account has thousands of fills that fit.
 */
const UNTYPED: readonly Partial<CompletedOrder>[] = [
  { fees: "0.1234567890123456789" },
  { quantity: "123456789012345678901" },
  { price: "1e3" },
  { price: "100000000000", quantity: "10000000000" },
];

function itemsOf(seed: number, fills: number): CompletedOrder[] {
  const history = makeHistory({ seed, fills, from: FROM, to: TO, markets: 6, ties: 20 });
  const items = [...historyItems(history)];
  return items.map((item, index) => ({ ...item, ...(index % 97 === 13 ? UNTYPED[((index / 97) % 4) | 0] : {}) }));
}

/** What the service showed first: some fills were still missing, and some had another fee. */
function earlier(items: readonly CompletedOrder[]): CompletedOrder[] {
  return items
    .filter((_, index) => index % 7 !== 3)
    .map((item, index) => (index % 11 === 5 ? { ...item, fees: "0.777" } : item));
}

/** Two accounts in one place, as Athena reads them. */
export interface Book {
  readonly athena: Athena;
  readonly store: MemoryStore;
  /** The service's final fills of an account. */
  readonly truth: (account: string) => readonly CompletedOrder[];
}

export const ACCOUNTS = ["main", "second"] as const;

export async function makeBook(): Promise<Book> {
  const store = memoryStore();
  const accounts = new Map([
    ["main", await build(store, "main", itemsOf(21, 2000))],
    ["second", await build(store, "second", itemsOf(22, 700))],
  ]);
  const athena = await Athena.open(store, ACCOUNTS);
  return { athena, store, truth: (account) => accounts.get(account) ?? [] };
}

/** A job for an account with these fills. */
export function jobFor(store: MemoryStore, account: string, items: readonly CompletedOrder[]) {
  const { job, emulator } = makeBench({ history: historyOf(items), switches: { pageLimit: 50 } });
  const own: RunContext = { ...job, account, store, deltaLog: true, lookBackMs: 365 * DAY_MS };
  return { job: own, truth: () => [...emulator.truth().values()] };
}

async function build(
  store: MemoryStore,
  account: string,
  items: readonly CompletedOrder[],
): Promise<readonly CompletedOrder[]> {
  const before = jobFor(store, account, earlier(items)).job;
  for (const to of [FROM + 10 * DAY_MS, MIDDLE]) {
    let heads = 0;
    const dying = faultyStore(store, ({ method, key }) => {
      heads += method === "replaceIf" && key.endsWith("head.json") ? 1 : 0;
      return heads === 2 ? "kill-before" : "ok";
    });
    await syncArchive({ ...before, store: dying }, { from: FROM, to }).catch(() => undefined);
  }
  expect(await syncArchive(before, { from: FROM, to: MIDDLE })).toMatchObject({
    complete: true,
    deltaLogProblem: null,
  });
  const { job, truth } = jobFor(store, account, items);
  const done = await syncArchive(job, { from: FROM });
  expect(done).toMatchObject({ complete: true, deltaLogProblem: null, fills: items.length });
  expect(done.restated).toBeGreaterThan(50);
  return truth();
}
