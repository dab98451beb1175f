import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { NODE_FLAGS } from "../../cli/child.ts";
import { readPublished } from "../../support/published.ts";
import type { HeldRow } from "./count.ts";

const execute = promisify(execFile);

/** What a tool is given: the service's address, and its own folder, which is kept between runs. */
export interface Place {
  readonly accountUrl: string;
  readonly token: string;
  /** ms UTC, the account's first midnight */
  readonly sinceMs: number;
  readonly folder: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A tool that a user could choose. `command` is one run of it. `held` returns what it kept afterwards, read
 * without the tool's own code.
 */
export interface Tool {
  readonly name: string;
  command(place: Place): Command;
  held(place: Place): Promise<readonly HeldRow[]>;
}

const HERE = import.meta.dirname;
const PRELOAD = join(HERE, "preload.ts");
const CLI = join(HERE, "../../../lambda/cli/package-entry.mjs");

export const FILLBOOK: Tool = fillbook("fillbook", () => []);

/** The other tools are told when the account began. This is fillbook with the same information. */
export const FILLBOOK_FROM: Tool = fillbook("fillbook `--from`", ({ sinceMs }) => [
  "--from",
  new Date(sinceMs).toISOString().slice(0, 10),
]);

export const PLAIN_LOOP: Tool = {
  name: "plain loop",
  command: (place) => node(join(HERE, "plain-loop.ts"), [], serviceOf(place)),
  held: (place) => Promise.resolve(rowsOf(outOf(place))),
};

/**
 * ccxt's two pagination helpers for lists of trades, each with its defaults and with the limits raised as its
 * manual says.
 */
export function ccxtTools(packageDir: string): readonly Tool[] {
  const tool = (helper: "cursor" | "dynamic", tuned: boolean): Tool => ({
    name: `ccxt ${helper}${tuned ? ", raised" : ""}`,
    command: (place) =>
      node(join(HERE, "ccxt-run.ts"), [], {
        ...serviceOf(place),
        CCXT: packageDir,
        HELPER: helper,
        TUNED: tuned ? "yes" : "no",
      }),
    held: (place) => Promise.resolve(rowsOf(outOf(place))),
  });
  return [tool("cursor", false), tool("cursor", true), tool("dynamic", false), tool("dynamic", true)];
}

/**
 * dlt's REST API source with its defaults, and configured as its documentation says for rows that come late
 * or change.
 */
export function dltTools(python: string): readonly Tool[] {
  const script = join(HERE, "dlt_run.py");
  const tool = (load: "append" | "merge"): Tool => ({
    name: load === "append" ? "dlt" : "dlt, raised",
    command: (place) => ({
      program: python,
      args: [script, "load", place.folder],
      environment: {
        ...serviceOf(place),
        LOAD: load,
        HOME: place.folder,
        RUNTIME__DLTHUB_TELEMETRY: "false",
      },
    }),
    async held(place) {
      await execute(python, [script, "dump", place.folder, outOf(place)]);
      return rowsOf(outOf(place));
    },
  });
  return [tool("append"), tool("merge")];
}

function fillbook(name: string, more: (place: Place) => readonly string[]): Tool {
  const store = ({ folder }: Place) => join(folder, "store");
  return {
    name,
    command(place) {
      const { program, args, environment } = node(CLI, ["sync", "--hurry", "--json", "--quiet", ...more(place)], {
        FILLBOOK_ACCOUNT_URL: place.accountUrl,
        FILLBOOK_TOKEN: place.token,
        FILLBOOK_STORE: store(place),
      });
      return { program, args: [...NODE_FLAGS, ...args], environment };
    },
    held: (place) => archiveRows(join(store(place), "main"), store(place)),
  };
}

/** The archive's rows, read by its published format: head, manifest, data files. */
async function archiveRows(account: string, store: string): Promise<readonly HeldRow[]> {
  const head = join(account, "head.json");
  const manifest = existsSync(head) ? JSON.parse(readFileSync(head, "utf8")).manifest : null;
  if (manifest === null) {
    return [];
  }
  const text = (key: string) => readFileSync(join(store, key), "utf8");
  const { dataFiles } = await readPublished(text, `main/manifests/${manifest.seq}-${manifest.sha256}.json`);
  const rows = [...new Set(dataFiles.map(({ key }) => key))].flatMap((key) => {
    const lines = zstdDecompressSync(readFileSync(join(store, key))).toString();
    return lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  });
  const held = rows.map(({ matchId, orderId, txCreated, price, quantity, fees }) =>
    heldRow([matchId, orderId, txCreated, price, quantity, fees].map(String)),
  );
  return [...new Map(held.map((row) => [`${row.matchId} ${row.orderId}`, row])).values()]; // a later file is newer
}

function node(script: string, args: readonly string[], environment: Readonly<Record<string, string>>): Command {
  return { program: process.execPath, args: ["--import", PRELOAD, script, ...args], environment };
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
function rowsOf(path: string): readonly HeldRow[] {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => heldRow(JSON.parse(line)));
}

function heldRow(cells: readonly string[]): HeldRow {
  const [matchId = "", orderId = "", txCreated = "", price = "", quantity = "", fees = ""] = cells;
  return { matchId, orderId, txCreated, price, quantity, fees };
}
