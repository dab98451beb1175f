import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { ZERO } from "../../../../lambda/core/amount.ts";
import type { Transfer } from "../../../../lambda/inputs/tables.ts";
import { histories } from "../../../accounting/draw.ts";
import { type Books, booksOf } from "../../../accounting/make.ts";
import { temporaryFolder } from "../../../leftovers.ts";
import { exactly, scaled, unitsText } from "../../../support/amounts.ts";
import { installPython } from "../../../support/python-tool.ts";
import { importsOf, movementsOf } from "../files.ts";
import { wordOf } from "../words.ts";

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
    const key = `${wordOf("bittytax.csv", kind, currency)}|fillbook main|${market}|${currency}`;
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
function completeTransfers({ booked, context: { period } }: Books, currency: string): Transfer[] {
  const moved = booked.flatMap(({ trade, realised }) => [scaled(realised?.gross ?? ZERO), -scaled(trade?.fee ?? ZERO)]);
  const lost = moved.reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n);
  const end = moved.reduce((sum, amount) => sum + amount, lost);
  const own = { currency, note: "" };
  return [
    { ...own, time: period.from, amount: exactly(unitsText(lost, 36)), line: 2 },
    { ...own, time: period.to - 1, amount: exactly(unitsText(-end, 36)), line: 3 },
  ];
}

describe("BittyTax's own importer", () => {
  test("warns of balances below zero without transfers, and not with complete ones", async ({ skip }) => {
    const [fills = []] = fc.sample(histories({ markets: ["BTC-USDT", "ETH-USDT"], most: 400 }), {
      numRuns: 1,
      seed: 4,
    });
    const books = booksOf(fills);
    const textFor = (transfers: readonly Transfer[] | null) => {
      const own = { ...books.own, transfers };
      const context = { ...books.context, accounts: [own] };
      return importsOf({ ...books, own, context }).texts.get("bittytax.csv") ?? "";
    };
    const bare = await importByBittytax(textFor(null), skip);
    expect(bare.negative).toBeGreaterThan(0);
    const transfers = completeTransfers(books, "USDT");
    const funded = await importByBittytax(textFor(transfers), skip);
    expect(funded).toMatchObject({ success: bare.success + transfers.length, failure: 0, negative: 0 });
    expect(Object.entries(funded.balances).map(([asset, text]) => [asset, exactly(text)])).toEqual([["USDT", ZERO]]);
  });

  test("imports every row of a drawn year, with all digits and times", async ({ skip }) => {
    const markets = ["BTC-USDT", "ETH-USDT", "1000PEPE-USD"];
    const [fills = []] = fc.sample(histories({ markets, most: 400 }), { numRuns: 1, seed: 4 });
    const time = Date.UTC(2025, 3, 5, 23, 30);
    const funding = [
      { time, market: "BTC-USDT", amount: exactly("-0.000000000000000001"), currency: "USDT" },
      { time, market: "BTC-USDT", amount: exactly("12345.678"), currency: "USDT" },
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
    const stampOf = (one: number) => one - (one % DAY) + 10 * 3_600_000;
    const stamps = new Set([...books.booked.map((one) => one.time), time].map(stampOf));
    expect(taken.times.filter((one) => !stamps.has(one))).toEqual([]);
  });
});
