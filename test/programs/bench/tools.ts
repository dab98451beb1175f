import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { Decimal } from "decimal.js";
import { DAY_MS, HOUR_MS } from "../../../lambda/core/time.ts";
import { NODE_FLAGS } from "../../cli/child.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { readPublished } from "../../support/published.ts";
import { installPython } from "../../support/python-tool.ts";
import type { Command } from "./run.ts";

const execute = promisify(execFile);
const HERE = import.meta.dirname;

/** What a tool is given: the service's address, and its own folder. */
export interface Place {
  readonly accountUrl: string;
  readonly token: string;
  /** The account's first day, midnight UTC, ms. */
  readonly sinceMs: number;
  readonly folder: string;
}

/** A tool that reads an account. `kept`: what it kept, read without the tool's own code. */
export interface Reader {
  readonly name: string;
  command(place: Place): Command;
  kept(place: Place): Promise<readonly KeptRow[]>;
}

/** A year up to the last hour but one, ms UTC. */
export function yearUntilNow(): { readonly from: number; readonly to: number } {
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
  return { from: Math.floor(to / DAY_MS) * DAY_MS - 365 * DAY_MS, to };
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A command of fillbook, with all defaults but these. Its store is the place's. */
export function fillbook(place: Place, args: readonly string[]): Command {
  const cli = join(HERE, "../../../lambda/cli/package-entry.mjs");
  return {
    program: process.execPath,
    args: [...NODE_FLAGS, cli, ...args, "--json", "--quiet"],
    environment: {
      FILLBOOK_ACCOUNT_URL: place.accountUrl,
      FILLBOOK_TOKEN: place.token,
      FILLBOOK_STORE: join(place.folder, "store"),
    },
  };
}

/** `once`: the first reading alone. */
export function fillbookReader(name: string, flag: "--once" | "--hurry"): Reader {
  return {
    name,
    command: (place) =>
      fillbook(place, ["sync", flag, "--concurrency", "16", "--from", new Date(place.sinceMs).toISOString()]),
    kept: ({ folder }) => archiveRows(join(folder, "store")),
  };
}

export const PLAIN_LOOP: Reader = {
  name: "plain loop",
  command: (place) => node("plain-loop.ts", serviceOf(place)),
  kept: (place) => Promise.resolve(rowsOf(outOf(place))),
};

/** With its defaults, or with the limits raised as its manual says. */
export function ccxtReader(packageDir: string, isRaised: boolean): Reader {
  const raised = isRaised ? "yes" : "no";
  return {
    name: isRaised ? "ccxt, raised" : "ccxt",
    command: (place) => node("ccxt-run.mjs", { ...serviceOf(place), CCXT: packageDir, RAISED: raised }),
    kept: (place) => Promise.resolve(rowsOf(outOf(place))),
  };
}

/** dlt as its documentation says for rows that come late or change. */
export function dltReader(python: string): Reader {
  const script = join(HERE, "dlt_run.py");
  return {
    name: "dlt, raised",
    command: (place) => ({
      program: python,
      args: [script, "load", place.folder],
      environment: { ...serviceOf(place), RUNTIME__DLTHUB_TELEMETRY: "false" },
    }),
    async kept(place) {
      await execute(python, [script, "dump", place.folder, outOf(place)]);
      return rowsOf(outOf(place));
    },
  };
}

/** The archive's rows, read by its published format: head, manifest, data files. */
async function archiveRows(store: string): Promise<readonly KeptRow[]> {
  const { manifest } = JSON.parse(readFileSync(join(store, "main/head.json"), "utf8"));
  const text = (key: string) => readFileSync(join(store, key), "utf8");
  const { dataFiles } = await readPublished(text, `main/manifests/${manifest.seq}-${manifest.sha256}.json`);
  return dataFiles.flatMap(({ key }) => {
    const lines = zstdDecompressSync(readFileSync(join(store, key)))
      .toString()
      .split("\n");
    return lines.flatMap((line) => {
      const { matchId, orderId, txCreated, price, quantity, fees } = JSON.parse(line || "{}");
      return line === "" ? [] : [[matchId, orderId, String(txCreated), price, quantity, fees]];
    });
  });
}

function node(script: string, environment: Readonly<Record<string, string>>): Command {
  return { program: process.execPath, args: [join(HERE, script)], environment };
}

function serviceOf(place: Place): Record<string, string> {
  return {
    SERVICE_URL: place.accountUrl,
    SERVICE_TOKEN: place.token,
    SINCE: String(place.sinceMs),
    OUT: outOf(place),
  };
}

function outOf({ folder }: Place): string {
  return join(folder, "rows.jsonl");
}

/** Reads one JSON array of texts per line. Without a file, nothing was kept. */
function rowsOf(path: string): readonly KeptRow[] {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Where other tools are installed: git and `npm ci` ignore it. */
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache");
export const CCXT_VERSION = "4.5.84";

/** The folder of ccxt's package. */
export async function installCcxt(): Promise<string> {
  const folder = join(CACHE, `fillbook-ccxt-${CCXT_VERSION}`);
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true });
    const own = await mkdtemp(join(CACHE, "new-ccxt-"));
    const wanted = ["--prefix", own, "--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
    await promisify(execFile)("npm", ["install", ...wanted, `ccxt@${CCXT_VERSION}`]);
    await rename(own, folder);
  }
  return join(folder, "node_modules/ccxt");
}

/** The interpreter that has the packages of a requirements file; its path is relative to test/. */
export async function pythonWith(requirements: string): Promise<string> {
  const installed = await installPython(join(import.meta.dirname, "../..", requirements));
  if ("missing" in installed) {
    throw new Error(`${requirements}: ${installed.missing}`);
  }
  return installed.python;
}

/**
 * A row that a tool kept, as the texts that it kept: `matchId`, `orderId`, `txCreated` in ms, price, quantity, fees.
 */
type KeptRow = readonly string[];

/**
 * What is wrong with the kept rows: `right`, or how many of the service's fills are lost, doubled, changed, and how
 * many rows belong to none. Times and amounts are compared as exact decimals.
 */
export function verdictOn(rows: readonly KeptRow[], truth: Iterable<CompletedOrder>): string {
  const fills = new Map([...truth].map((fill) => [`${fill.matchId} ${fill.orderId}`, fill]));
  const seen = new Set<string>();
  const counts = { lost: 0, doubled: 0, changed: 0, invented: 0 };
  for (const [matchId, orderId, ...values] of rows) {
    const key = `${matchId} ${orderId}`;
    const fill = fills.get(key);
    if (fill === undefined) {
      counts.invented += 1;
    } else if (seen.has(key)) {
      counts.doubled += 1;
    } else {
      const { txCreated, price, quantity, fees } = fill;
      counts.changed += [txCreated, price, quantity, fees].every((one, at) => isSame(values[at] ?? "", one)) ? 0 : 1;
    }
    seen.add(key);
  }
  counts.lost = [...fills.keys()].filter((key) => !seen.has(key)).length;
  const wrong = Object.entries(counts).filter(([, count]) => count > 0);
  return wrong.length === 0
    ? "right"
    : wrong.map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");
}

/** decimal.js reads any number of digits exactly, and refuses texts that are not numbers. */
function isSame(kept: string, given: string | number): boolean {
  try {
    return new Decimal(kept).equals(given);
  } catch {
    return false;
  }
}
