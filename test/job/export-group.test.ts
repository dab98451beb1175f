import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportGroup } from "../../lambda/job/export-group.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { recordsOf } from "../support/rfc4180.ts";

// Several accounts in one pack: what each has, once, and sums that a second program makes from it.

const MARCH = parsePeriod("month-2025-03");
const REQUEST = {
  period: MARCH,
  method: "average",
  isMethodChosen: true,
  basis: "fill",
  allowIncomplete: false,
} as const;
const ITEM = makeHistory({ seed: 1, fills: 1, from: MARCH.from, to: MARCH.to, ties: 0 }).item(0);
const at = (days: number) => MARCH.from + days * DAY_MS;

function item(name: string, txCreated: number, more: Partial<CompletedOrder>): CompletedOrder {
  const { filledAt: _, ...rest } = ITEM;
  return { ...rest, matchId: name, orderId: name, txCreated, market: "BTC-USDT", ...more };
}

/** Both trade BTC-USDT: main gains 30 and pays 2 in fees, hedge loses 8 and pays 1. */
const MAIN = [
  item("m1", at(1), { orderType: "buy", quantity: "3", price: "100", fees: "1" }),
  item("m2", at(5), { orderType: "sell", quantity: "3", price: "110", fees: "1" }),
];
const HEDGE = [
  item("h1", at(2), { orderType: "sell", quantity: "2", price: "105", fees: "0.5" }),
  item("h2", at(4), { orderType: "buy", quantity: "2", price: "109", fees: "0.5" }),
  item("h3", at(6), { orderType: "buy", quantity: "1", price: "90", fees: "0", market: "ETH-USDT" }),
];

interface Accounts {
  readonly store: MemoryStore;
  readonly jobOf: (account: string) => Promise<RunContext>;
}

function accounts(histories: Readonly<Record<string, readonly CompletedOrder[]>>): Accounts {
  const store = memoryStore();
  return {
    store,
    jobOf: (account) => {
      const { job } = makeBench({ history: historyOf(histories[account] ?? []), job: { account, store } });
      return Promise.resolve(job);
    },
  };
}

function exportOf({ jobOf }: Accounts, name = "hedge_main", more: Partial<typeof REQUEST> = {}) {
  return exportGroup({ name, accounts: ["hedge", "main"] }, jobOf, { ...REQUEST, ...more });
}

async function textOf(store: MemoryStore, dir: string | null, path: string): Promise<string> {
  const body = await store.get(`${dir?.replace(`${store.location}/`, "")}/${path}`);
  return new TextDecoder().decode(body?.body);
}

const rowsOf = async (store: MemoryStore, dir: string | null, path: string) => recordsOf(await textOf(store, dir, path));

describe("two accounts in one pack", () => {
  test("hold each fill once, in one order, and add up to what each account's pack says", async () => {
    const both = accounts({ main: MAIN, hedge: HEDGE });
    const result = await exportOf(both);
    expect(result).toMatchObject({ account: "hedge_main", complete: true, problem: null });
    const fills = await rowsOf(both.store, result.dir, "fills.csv");
    expect(fills.map(({ account, match_id }) => [account, match_id])).toEqual([
      ["main", "m1"],
      ["hedge", "h1"],
      ["hedge", "h2"],
      ["main", "m2"],
      ["hedge", "h3"],
    ]);
    const [total] = await rowsOf(both.store, result.dir, "summary.csv");
    expect(total).toMatchObject({ currency: "USDT", fills: "5", fees_paid: "3", gross_pnl: "22", net_pnl: "19" });
    const lines = await rowsOf(both.store, result.dir, "summary-accounts.csv");
    expect(lines.map(({ account, currency, gross_pnl, net_pnl }) => [account, currency, gross_pnl, net_pnl])).toEqual([
      ["hedge", "USDT", "-8", "-9"],
      ["main", "USDT", "30", "28"],
    ]);
    const open = await rowsOf(both.store, result.dir, "open-positions.csv");
    expect(open.map(({ account, market, quantity }) => [account, market, quantity])).toEqual([
      ["hedge", "ETH-USDT", "1"],
    ]);
    const closes = await rowsOf(both.store, result.dir, "realised-pnl.csv");
    expect(closes.map(({ account, gross_pnl }) => [account, gross_pnl])).toEqual([
      ["hedge", "-8"],
      ["main", "30"],
    ]);
  });
});
