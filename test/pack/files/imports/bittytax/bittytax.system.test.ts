import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fc } from "@fast-check/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatAmount } from "../../../../../lambda/accounting/amount.ts";
import { histories } from "../../../../accounting/draw.ts";
import { type Books, booksOf } from "../../../../accounting/make.ts";
import { parseAmount } from "../../../../accounting/rational.ts";
import { installPython } from "../../../../support/python-tool.ts";
import { importsOf } from "../files.ts";

const run = promisify(execFile);

/** What BittyTax took from a file. */
interface Taken {
  readonly success: number;
  readonly failure: number;
  /** By type, wallet, note and asset. */
  readonly sums: Readonly<Record<string, string>>;
  /** ms UTC */
  readonly times: readonly number[];
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
  // It keeps its settings in the home folder.
  const { stdout } = await run(installed.python, [script, file], { env: { ...process.env, HOME: folder } });
  return JSON.parse(stdout);
}

/** Fees, rebates, gains, losses and funding that the books say, under BittyTax's names. */
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
      addSigned(["Margin-Gain", "Margin-Loss"], trade.market, trade.currency, realised?.primary.gross ?? 0n);
      addSigned(["Margin-Fee-Rebate", "Margin-Fee"], trade.market, trade.currency, -trade.fee);
    }
  }
  for (const { market, amount, currency } of context.funding ?? []) {
    addSigned(["Margin-Fee-Rebate", "Margin-Fee"], market, currency, amount);
  }
  return Object.fromEntries(Object.entries(sums).map(([key, amount]) => [key, formatAmount(amount)]));
}

/** Without zeros at the end. */
function plainSums(sums: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sums).map(([key, text]) => [key, text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")]),
  );
}

describe("BittyTax's own importer", () => {
  test("takes every row of a drawn year, with all digits and times", async ({ skip }) => {
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
