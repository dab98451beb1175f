import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { type History, historyItems, makeHistory } from "../../emulator/history.ts";
import { startEmulator } from "../../emulator/server.ts";
import { type Cost, costOf } from "./run.ts";
import { dayOf, fillbook, yearUntilNow } from "./tools.ts";

export interface StepResult extends Cost {
  readonly what: string;
  /** Multiples of P. */
  readonly ratio: number;
  /** By which the store has grown. */
  readonly bytesMade: number;
}

/** The cost of the commands from pages to a pack; and of DuckDB, which writes the same rows as Parquet. */
export async function costOfFills(fills: number, folder: string): Promise<readonly StepResult[]> {
  const { from, to } = yearUntilNow();
  const history = makeHistory({ seed: 1, fills, from, to });
  const running = await startEmulator({ history });
  const place = { ...running, token: SAMPLE_TOKEN, sinceMs: from, folder: await mkdtemp(join(folder, "fills-")) };
  const store = join(place.folder, "store");
  const unit = parseSeconds(history);
  const results: StepResult[] = [];
  const measure = async (what: string, command: Parameters<typeof costOf>[0]) => {
    const before = await bytesIn(place.folder);
    const cost = await costOf(command, place.folder);
    const bytesMade = (await bytesIn(place.folder)) - before;
    results.push({ what, ...cost, ratio: cost.cpuSeconds / unit, bytesMade });
  };
  const sync = (pace: string) =>
    fillbook(place, ["sync", pace, "--concurrency", "16", "--from", new Date(from).toISOString()]);
  try {
    await measure("pages → archive and `table/`, one reading", sync("--once"));
    await rm(join(store, "table"), { recursive: true });
    await measure("archive → `table/`", sync("--once"));
    await measure("the second reading", sync("--hurry"));
    await mkdir(join(store, "main/inputs"), { recursive: true });
    const nothingOpen = `market,quantity,average_price,as_of,evidence\n*,0,,${dayOf(from)},\n`;
    await writeFile(join(store, "main/inputs/opening-positions.csv"), nothingOpen);
    const period = ["--from", dayOf(from), "--to", dayOf(to), "--method", "fifo"];
    await measure("archive → pack", fillbook(place, ["export", ...period]));
    const script = join(import.meta.dirname, "duckdb-table.ts");
    await measure("DuckDB: archive → Parquet", { program: process.execPath, args: [script, place.folder] });
    return results;
  } finally {
    await running.close();
    await rm(place.folder, { recursive: true });
  }
}

/** The unit P: the CPU of only JSON.parse of all pages. */
function parseSeconds(history: History): number {
  let micros = 0;
  for (let at = 0; at < history.count; at += 100) {
    const page = [...historyItems(history, at, Math.min(at + 100, history.count))];
    const body = JSON.stringify({ completedOrders: page });
    const before = process.cpuUsage();
    JSON.parse(body);
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  return micros / 1e6;
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(join(parentPath, name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
}
