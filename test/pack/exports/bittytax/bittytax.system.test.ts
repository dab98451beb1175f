import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { ZERO } from "../../../../lambda/core/amount.ts";
import type { Transfer } from "../../../../lambda/inputs/tables.ts";
import { histories } from "../../../accounting/draw.ts";
import { type Books, booksOf } from "../../../accounting/make.ts";
import { temporaryFolder } from "../../../leftovers.ts";
import { exactly, scaled, unitsText } from "../../../support/amounts.ts";
import { installPython } from "../../../support/python-tool.ts";
import { importsOf, movementsOf } from "../files.ts";
import { wordOf } from "../tools.ts";

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

const folder = temporaryFolder();
const installed = await installPython(join(import.meta.dirname, "requirements.txt"));

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

/** The expected movements, added up under BittyTax's names. */
function sumsOf(books: Books): Record<string, string> {
  const sums: Record<string, bigint> = {};
  for (const { kind, market, currency, amount } of movementsOf(books)) {
    const key = `${wordOf("bittytax.csv", kind, currency)}|fillbook main|${market ?? ""}|${currency}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  }
  return Object.fromEntries(Object.entries(sums).map(([key, amount]) => [key, unitsText(amount, 36)]));
}

const DAY = 86_400_000;

/** Without trailing zeros. */
function plainSums(sums: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sums).map(([key, text]) => [key, text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")]),
  );
}

/** Deposits at the beginning of the period what can be lost, and withdraws everything at the end. */
function completeTransfers({ booked, own: { funding }, context: { period } }: Books, currency: string): Transfer[] {
  const traded = booked.filter(({ trade }) => trade?.currency === currency);
  const moved = [
    ...traded.flatMap(({ trade, realised }) => [scaled(realised?.gross ?? ZERO), -scaled(trade?.fee ?? ZERO)]),
    ...(funding ?? []).filter((one) => one.currency === currency).map(({ amount }) => scaled(amount)),
  ];
  const lost = moved.reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n);
  const end = moved.reduce((sum, amount) => sum + amount, lost);
  const same = { currency, note: "" };
  return [
    { ...same, time: period.from, amount: exactly(unitsText(lost, 36)), line: 2 },
    { ...same, time: period.to - 1, amount: exactly(unitsText(-end, 36)), line: 3 },
  ];
}

test("BittyTax's own importer imports every row of a drawn year, with all digits and times", async ({ skip }) => {
  const markets = ["BTC-USDT", "ETH-USDT", "1000PEPE-USD"];
  const [fills = []] = fc.sample(histories({ markets, most: 400 }), { numRuns: 1, seed: 4 });
  const time = Date.UTC(2025, 3, 5, 23, 30);
  const funding = [
    { time, market: "BTC-USDT", amount: exactly("-0.000000000000000001"), currency: "USDT" },
    { time, market: "BTC-USDT", amount: exactly("12345.678"), currency: "USDT" },
  ];
  const bare = booksOf(fills, { funding });
  const transfers = ["USDT", "USD"].flatMap((currency) => completeTransfers(bare, currency));
  const books = booksOf(fills, { funding, transfers });
  const imported = (own: Books) => importByBittytax(importsOf(own).texts.get("bittytax.csv") ?? "", skip);
  const [taken, withoutTransfers] = [await imported(books), await imported(bare)];
  expect(taken).toMatchObject({ success: importsOf(books).rows.get("bittytax.csv"), failure: 0, negative: 0 });
  expect(taken.success).toBe(withoutTransfers.success + transfers.length);
  expect(withoutTransfers.negative).toBeGreaterThan(0);
  expect(taken.success).toBeGreaterThan(20);
  expect(plainSums(taken.sums)).toEqual(sumsOf(books));
  expect(Object.values(taken.balances).map(exactly)).toEqual([ZERO, ZERO]);
  expect(Object.keys(taken.sums)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Margin-Gain/), expect.stringMatching(/^Margin-Loss/)]),
  );
  const stampOf = (one: number) => one - (one % DAY) + 10 * 3_600_000;
  const traded = [...books.booked.map((one) => one.time), time].map(stampOf);
  const stamps = new Set([...traded, ...transfers.map((one) => one.time)]);
  expect(taken.times.filter((one) => !stamps.has(one))).toEqual([]);
});
