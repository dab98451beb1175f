import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { historyItems, historyOf, makeHistory } from "../../emulator/history.ts";
import { startEmulator } from "../../emulator/server.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { type Cost, costOf } from "./run.ts";
import { dayOf, fillbook, pythonWith } from "./tools.ts";

/** Ends a tool that takes much longer than fillbook. */
const MOST_SECONDS = 3600;

export interface PackResult {
  readonly what: string;
  /** Null: it did not end in an hour. */
  readonly cost: Cost | null;
}

/** Of a year whose fills are settled, so that no pack reads the service. */
const SETTLED_MS = 60 * DAY_MS;

/** A year's pack of a book that rp2 and BittyTax can express, and what these take for the same book. */
export async function costOfPacks(fills: number, folder: string): Promise<readonly PackResult[]> {
  const to = Math.floor((Date.now() - SETTLED_MS) / DAY_MS) * DAY_MS;
  const book = longBook(fills, to - 365 * DAY_MS, to);
  return [
    { what: "fillbook export", cost: await exportCost(book, join(folder, "book"), to) },
    { what: "rp2", cost: await rp2Cost(book, join(folder, "rp2")) },
    { what: "BittyTax", cost: await bittytaxCost(book, join(folder, "bittytax")) },
  ];
}

/** Fills of one market, never short, each with a fee. */
function longBook(fills: number, from: number, to: number): readonly CompletedOrder[] {
  const plain = { boundaries: false, selfTrades: 0, ties: 0, unlisted: 0, filledAt: "none" } as const;
  const history = makeHistory({ seed: 1, fills, from, to, markets: 1, ...plain });
  let open = 0;
  return [...historyItems(history)].map((item) => {
    const size = Math.round(Number(item.quantity) * 1e8);
    const isSale = item.orderType === "sell" && size <= open;
    open += isSale ? -size : size;
    return { ...item, market: "BTC-GBP", orderType: isSale ? "sell" : "buy", fees: item.fees.replace("-", "") };
  });
}

async function exportCost(book: readonly CompletedOrder[], folder: string, to: number): Promise<Cost> {
  await mkdir(folder);
  const running = await startEmulator({ history: historyOf(book) });
  const place = { accountUrl: running.accountUrl, token: SAMPLE_TOKEN, sinceMs: to - 365 * DAY_MS, folder };
  try {
    await costOf(fillbook(place, ["sync", "--hurry"]), folder);
    const period = ["--from", dayOf(to - 365 * DAY_MS), "--to", dayOf(to)];
    return await costOf(fillbook(place, ["export", ...period, "--method", "fifo"]), folder);
  } finally {
    await running.close();
  }
}

/** Its command for the United States, from a spreadsheet to its reports. */
async function rp2Cost(book: readonly CompletedOrder[], folder: string): Promise<Cost | null> {
  await mkdir(folder);
  const python = await pythonWith("programs/bench/rp2-requirements.txt");
  const lines = book.map(({ orderType: side, quantity, price, fees: fee, txCreated }) =>
    JSON.stringify({ side, quantity, price, fee, time: new Date(txCreated).toISOString() }),
  );
  writeFileSync(join(folder, "book.jsonl"), lines.join("\n"));
  await costOf({ program: python, args: [join(import.meta.dirname, "rp2_input.py"), "book.jsonl"] }, folder);
  const main = "from rp2.plugin.country.us import rp2_entry; rp2_entry()";
  return await limited(python, ["-c", main, "-o", "reports", "-m", "fifo", "rp2.ini", "book.ods"], folder);
}

const RECORD =
  "Type,Buy Quantity,Buy Asset,Buy Value in GBP,Sell Quantity,Sell Asset,Sell Value in GBP,Fee Quantity,Fee Asset,Fee Value in GBP,Wallet,Timestamp,Note";

/** Its import and calculation for the United Kingdom. */
async function bittytaxCost(book: readonly CompletedOrder[], folder: string): Promise<Cost | null> {
  await mkdir(folder);
  const python = await pythonWith("pack/exports/bittytax/requirements.txt");
  const lines = book.map(({ orderType, quantity, price, fees, txCreated }) => {
    const value = (Number(quantity) * Number(price)).toFixed(6);
    const sides =
      orderType === "buy" ? [quantity, "BTC", "", value, "GBP", ""] : [value, "GBP", "", quantity, "BTC", ""];
    const time = new Date(txCreated).toISOString().replace("T", " ").replace("Z", " UTC");
    return ["Trade", ...sides, fees, "GBP", "", "venue", time, ""].join(",");
  });
  writeFileSync(join(folder, "records.csv"), [RECORD, ...lines, ""].join("\n"));
  return await limited(python, [join(import.meta.dirname, "bittytax_run.py"), "records.csv"], folder);
}

/** Null: it was ended. */
async function limited(program: string, args: readonly string[], folder: string): Promise<Cost | null> {
  const command = { program: "timeout", args: [String(MOST_SECONDS), program, ...args] };
  return await costOf(command, folder).catch((error: unknown) => {
    if (/ended with 124/.test(String(error))) {
      return null;
    }
    throw error;
  });
}
