import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { DAY_MS, HOUR_MS } from "../../../lambda/core/time.ts";
import { NODE_FLAGS } from "../../cli/child.ts";
import { readPublished } from "../../support/published.ts";
import type { KeptRow } from "./kept.ts";
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
