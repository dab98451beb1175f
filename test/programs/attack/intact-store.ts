import { isoTime } from "../../../lambda/core/time.ts";
import { type History, historyItems, historyOf } from "../../emulator/history.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { keysIn, readCurrent } from "../../support/published.ts";
import { bytes } from "../../support/store-text.ts";
import { endedIn, equal } from "./attack.ts";
import { accountHistory, EXPORT, FILLS, FROM, openBench, S3, SYNC, TO } from "./bench.ts";

/** Two accounts in one store, with every kind of object. */
export interface Intact {
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** The same objects, but the head contains only the manifest's name. */
  readonly unrepeated: ReadonlyMap<string, Uint8Array>;
  /** Whether the current manifest names the object, or the object is of a kind that manifests do not name. */
  readonly isCurrent: (key: string) => boolean;
  readonly history: History;
  /** The result of an export of the month. */
  readonly exported: Record<string, unknown>;
}

const INPUTS = {
  "opening-positions.csv": "market,quantity,average_price,as_of,evidence\n*,0,,2025-01-01,\n",
  "balances.csv": "time,currency,amount,note\n2025-01-01,USD,1000,\n",
};

/** More entries than a manifest holds itself. */
const PIECES = 72;

/** Reads the account in many small runs. They give so many windows that its index has nodes of its own. */
function pieces(): string[][] {
  const width = (TO - FROM) / PIECES;
  return Array.from({ length: PIECES }, (_, at) => {
    const from = FROM + at * width;
    return ["sync", "--from", isoTime(from), "--to", isoTime(from + width)];
  });
}

let made: Promise<Intact> | undefined;

/** Made once per process. */
export function intactStore(): Promise<Intact> {
  made ??= make();
  return made;
}

async function make(): Promise<Intact> {
  const store = memoryStore(S3);
  const history = accountHistory();
  for (const [account, whole] of [
    ["other", accountHistory(12, FILLS)],
    ["main", history],
  ] as const) {
    for (const [name, text] of Object.entries(INPUTS)) {
      store.put(`${account}/inputs/${name}`, bytes(text));
    }
    // A fee changes and a fill comes late. The second run files both as restatements.
    const items = [...historyItems(whole)];
    const early = items
      .filter((_, index) => index !== 5)
      .map((item, index) => (index === 9 ? { ...item, fees: "-0.123" } : item));
    const first = openBench({ store, history: historyOf(early) });
    for (const range of pieces()) {
      endedIn(await first.type(range, { account }), [0]);
    }
    const later = openBench({ store, history: whole });
    endedIn(await later.type([...SYNC, "--look-back", "365"], { account }), [0]);
    endedIn(await later.type(EXPORT, { account }), [0]);
  }
  const bench = openBench({ store, history });
  await bench.isWhole();
  const exported = endedIn(await bench.type(EXPORT), [0]);
  equal(endedIn(await bench.type(["verify"]), [0])["findings"], [], "findings of the intact archive");
  const objects = store.snapshot();
  const { nodes, ...rest } = await readCurrent(store, "main");
  const head = JSON.parse(Buffer.from(objects.get("main/head.json") ?? []).toString());
  const { seq, sha256 } = head.manifest;
  const named = new Set([...nodes, ...keysIn({ nodes, ...rest }), `main/manifests/${seq}-${sha256}.json`]);
  const unrepeated = new Map(objects).set("main/head.json", bytes(JSON.stringify({ ...head, current: null })));
  const isCurrent = (key: string) =>
    named.has(key) || !/^main\/(?:manifests|index|fills|pages|restatements)\//.test(key);
  return { objects, unrepeated, isCurrent, history, exported };
}
