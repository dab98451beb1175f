import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fc } from "@fast-check/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatAmount } from "../../../../../lambda/accounting/amount.ts";
import type { Transfer } from "../../../../../lambda/inputs/transfers.ts";
import { histories } from "../../../../accounting/draw.ts";
import { type Books, booksOf } from "../../../../accounting/make.ts";
import { parseAmount } from "../../../../accounting/rational.ts";
import { installPython } from "../../../../support/python-tool.ts";
import { importsOf } from "../files.ts";

const run = promisify(execFile);

/** What BittyTax imported from a file. */
interface Taken {
  readonly success: number;
  readonly failure: number;
  /** By type, wallet, note and asset. */
  readonly sums: Readonly<Record<string, string>>;
  /** ms UTC */
  readonly times: readonly number[];
  /** Audit warnings about a balance below zero. */
  readonly negative: number;
  /** By asset, after the last row. */
  readonly balances: Readonly<Record<string, string>>;
}

let folder = "";
let installed: Awaited<ReturnType<typeof installPython>> = { missing: "not tried" };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-bittytax-"));
  installed = await installPython(join(import.meta.dirname, "requirements.txt"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function importByBittytax(text: string, skip: (why: string) => never): Promise<Taken> {
  if ("missing" in installed) {
    return skip(`BittyTax is ${installed.missing}: its importer was NOT run`);
  }
  const file = join(folder, "bittytax.csv");
  await writeFile(file, text);
  const script = join(import.meta.dirname, "import_records.py");
  // BittyTax keeps its settings in the home folder.
  const { stdout } = await run(installed.python, [script, file], { env: { ...process.env, HOME: folder } });
  return JSON.parse(stdout);
}

/** Fees, rebates, gains, losses and funding of the books, under BittyTax's names. */
function sumsOf({ booked, context }: Books): Record<string, string> {
  const sums: Record<string, bigint> = {};
  const add = (type: string, market: string, asset: string, amount: bigint) => {
    const key = `${type}|fillbook main|${market}|${asset}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  };
  const addSigned = (words: readonly [string, string], market: string, asset: string, amount: bigint) => {
    if (amount !== 0n) {
      add(amount > 0n ? words[0] : words[1], market, asset, amount > 0n ? amount : -amount);
    }
  };
  for (const { trade, realised } of booked) {
    if (trade !== null) {
      addSigned(["Margin-Gain", "Margin-Loss"], trade.market, trade.currency, realised?.gross ?? 0n);
      addSigned(["Margin-Fee-Rebate", "Margin-Fee"], trade.market, trade.currency, -trade.fee);
    }
  }
  for (const { market, amount, currency } of context.funding ?? []) {
    addSigned(["Margin-Fee-Rebate", "Margin-Fee"], market, currency, amount);
  }
  return Object.fromEntries(Object.entries(sums).map(([key, amount]) => [key, formatAmount(amount)]));
}

/** Without trailing zeros. */
function plainSums(sums: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sums).map(([key, text]) => [key, text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")]),
  );
}

/** The movements of cash in a currency at each time, in the order of the rows; × 10^36. */
function cashOf({ booked }: Books, currency: string): Map<number, bigint[]> {
  const cash = new Map<number, bigint[]>();
  for (const { trade, realised, time } of booked.filter((one) => one.trade?.currency === currency)) {
    const movements = [realised?.gross ?? 0n, -(trade?.fee ?? 0n)];
    cash.set(time, [...(cash.get(time) ?? []), ...movements]);
  }
  return cash;
}

/** Deposits exactly what is missing whenever it is needed, and withdraws everything at the end. */
function completeTransfers(books: Books, currency: string): Transfer[] {
  const transfers: Transfer[] = [];
  let balance = 0n;
  const transfer = (time: number, amount: bigint) => {
    if (amount !== 0n) {
      transfers.push({ time, currency, amount, note: "", line: transfers.length + 2 });
      balance += amount;
    }
  };
  for (const [time, movements] of cashOf(books, currency)) {
    let [running, lowest] = [balance, 0n];
    for (const amount of movements) {
      running += amount;
      lowest = running < lowest ? running : lowest;
    }
    transfer(time, -lowest);
    balance += movements.reduce((sum, amount) => sum + amount, 0n);
  }
  transfer(books.context.period.to - 1, -balance);
  return transfers;
}

describe("BittyTax's own importer", () => {
  test("warns of balances below zero without transfers, and not with complete ones", async ({ skip }) => {
    const [fills = []] = fc.sample(histories({ markets: ["BTC-USDT", "ETH-USDT"], most: 400 }), {
      numRuns: 1,
      seed: 4,
    });
    const books = booksOf(fills);
    const textFor = (transfers: readonly Transfer[] | null) =>
      importsOf({ ...books, context: { ...books.context, transfers } }).texts.get("bittytax.csv") ?? "";
    const bare = await importByBittytax(textFor(null), skip);
    expect(bare.negative).toBeGreaterThan(0);
    const transfers = completeTransfers(books, "USDT");
    const funded = await importByBittytax(textFor(transfers), skip);
    expect(funded).toMatchObject({ success: bare.success + transfers.length, failure: 0, negative: 0 });
    expect(Object.entries(funded.balances).map(([asset, text]) => [asset, parseAmount(text)])).toEqual([["USDT", 0n]]);
  });

  test("ends with the same balances from the daily rows, which are fewer", async ({ skip }) => {
    const [fills = []] = fc.sample(histories({ markets: ["BTC-USDT", "ETH-USD"], most: 400 }), { numRuns: 1, seed: 4 });
    const books = booksOf(fills);
    const { texts, rows } = importsOf(books);
    const full = await importByBittytax(texts.get("bittytax.csv") ?? "", skip);
    const daily = await importByBittytax(texts.get("daily/bittytax.csv") ?? "", skip);
    expect(daily).toMatchObject({ success: rows.get("daily/bittytax.csv"), failure: 0 });
    expect(daily.success).toBeLessThan(full.success);
    const exact = ({ balances }: Taken) =>
      Object.entries(balances).map(([asset, text]) => [asset, parseAmount(text)] as const);
    expect(new Map(exact(daily))).toEqual(new Map(exact(full)));
  });

  test("imports every row of a drawn year, with all digits and times", async ({ skip }) => {
    const markets = ["BTC-USDT", "ETH-USDT", "1000PEPE-USD"];
    const [fills = []] = fc.sample(histories({ markets, most: 400 }), { numRuns: 1, seed: 4 });
    const time = Date.UTC(2025, 3, 5, 23, 30);
    const funding = [
      { time, market: "BTC-USDT", amount: -parseAmount("0.000000000000000001"), currency: "USDT" },
      { time, market: "BTC-USDT", amount: parseAmount("12345.678"), currency: "USDT" },
    ];
    const books = booksOf(fills, { funding });
    const { texts, rows } = importsOf(books);
    const taken = await importByBittytax(texts.get("bittytax.csv") ?? "", skip);
    expect(taken).toMatchObject({ success: rows.get("bittytax.csv"), failure: 0 });
    expect(taken.success).toBeGreaterThan(20);
    expect(plainSums(taken.sums)).toEqual(sumsOf(books));
    expect(Object.keys(taken.sums)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Margin-Gain/), expect.stringMatching(/^Margin-Loss/)]),
    );
    const times = new Set([...books.booked.map(({ time }) => time), time]);
    expect(taken.times.filter((one) => !times.has(one))).toEqual([]);
  });
});
