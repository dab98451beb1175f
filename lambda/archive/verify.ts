import { asFillbookError, StoppedError } from "../errors.ts";
import { byTxCreated, identityOf, tradeTime } from "../model/fill.ts";
import { overlaps, union } from "../model/ranges.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import type { Store } from "../store/store.ts";
import { verifyContracts } from "./contracts.ts";
import { sha256InKey } from "./keys.ts";
import type { Manifest, Part, RestatementFile, WindowRecord } from "./manifest.ts";
import { readContent } from "./objects.ts";
import { readPart } from "./parts.ts";
import { readRestatements, tradeTimesOf } from "./restatements.ts";
import { summarise } from "./session.ts";
import { formatSetHash, setHashOf } from "./set-hash.ts";

export interface Findings {
  /** objects hashed */
  readonly checked: number;
  readonly findings: readonly string[];
}

/**
 * Reads every object that the manifest names and checks it against what the manifest says: hashes, row counts, order, identities, the sums of each
 * window, and that coverage is held by windows; and what is known of contract types. Nothing is changed. `range` limits it to what touches those times.
 * Rejects with StoppedError when `signal` aborts, before it reads another object.
 */
export async function verifyArchiveObjects(
  store: Store,
  manifest: Manifest,
  range: TimeRange | null,
  signal?: AbortSignal,
): Promise<Findings> {
  const isAsked = (one: TimeRange) => range === null || overlaps(one, range);
  const findings: string[] = [];
  let checked = 0;
  const check = async (work: () => Promise<string[]>) => {
    if (signal?.aborted === true) {
      throw new StoppedError();
    }
    checked += 1;
    try {
      findings.push(...(await work()));
    } catch (error) {
      findings.push(asFillbookError(error).message);
    }
  };
  const parts = manifest.parts.filter(isAsked);
  for (const part of parts) {
    await check(() => verifyPart(store, part));
  }
  const windows = manifest.windows.filter(isAsked);
  for (const window of windows) {
    await check(() => verifyWindow(store, manifest.parts, window));
  }
  for (const key of new Set([...windows.flatMap(({ evidence }) => evidence), ...parts.flatMap(({ pages }) => pages)])) {
    await check(() => verifyEvidence(store, key));
  }
  for (const file of manifest.restatements) {
    await check(() => verifyRestatements(store, file));
  }
  const contracts = await verifyContracts(store, manifest.account);
  findings.push(...contracts.findings, ...verifyCells(manifest.parts), ...verifySums(manifest));
  return { checked: checked + contracts.checked, findings };
}

async function verifyPart(store: Store, part: Part): Promise<string[]> {
  const fills = await readPart(store, part);
  const findings: string[] = [];
  const setHash = formatSetHash(setHashOf(fills));
  if (setHash !== part.setHash) {
    findings.push(`${part.key}: its set-hash is ${setHash}, the manifest says ${part.setHash}`);
  }
  if (new Set(fills.map(identityOf)).size !== fills.length) {
    findings.push(`${part.key} holds a fill twice`);
  }
  if (fills.some(({ txCreated }) => txCreated < part.from || txCreated >= part.to)) {
    findings.push(`${part.key} holds a fill from outside its cell`);
  }
  if (fills.some((fill, index) => index > 0 && byTxCreated(fills[index - 1] ?? fill, fill) > 0)) {
    findings.push(`${part.key} is not in the order of tx_created`);
  }
  const trades = fills.map(tradeTime);
  const first = trades.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = trades.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (first !== part.firstTrade || last !== part.lastTrade) {
    findings.push(`${part.key}: its trade times are not those that the manifest says`);
  }
  return findings;
}

/** A fill is in one part only because no two cells hold its time. */
function verifyCells(parts: readonly Part[]): string[] {
  const sorted = parts.toSorted((a, b) => a.from - b.from);
  return sorted.flatMap((part, index) => {
    const before = sorted[index - 1];
    return before !== undefined && part.from < before.to ? [`${part.key} overlaps ${before.key}`] : [];
  });
}

async function verifyWindow(store: Store, parts: readonly Part[], window: WindowRecord): Promise<string[]> {
  const held = await summarise({ store }, parts, window);
  const name = `window [${isoTime(window.from)}, ${isoTime(window.to)})`;
  return held.rows < window.rows ? [`${name}: the parts hold ${held.rows} fills, ${window.rows} were walked`] : [];
}

async function verifyEvidence(store: Store, key: string): Promise<string[]> {
  await readContent(store, key, sha256InKey(key));
  return [];
}

async function verifyRestatements(store: Store, file: RestatementFile): Promise<string[]> {
  const restated = await readRestatements(store, file);
  const findings: string[] = [];
  if (restated.length !== file.rows) {
    findings.push(`${file.key} holds ${restated.length} restatements, the manifest says ${file.rows}`);
  }
  const trades = restated.flatMap(tradeTimesOf);
  if (trades.some((time) => time < file.firstTrade || time > file.lastTrade)) {
    findings.push(`${file.key}: its trade times are not those that the manifest says`);
  }
  return findings;
}

function verifySums(manifest: Manifest): string[] {
  const findings: string[] = [];
  const rows = manifest.parts.reduce((sum, part) => sum + part.rows, 0);
  if (rows !== manifest.fills) {
    findings.push(`the manifest says ${manifest.fills} fills, its parts hold ${rows}`);
  }
  const walked = union(manifest.windows);
  if (JSON.stringify(walked) !== JSON.stringify(union(manifest.coverage))) {
    findings.push("the coverage is not what the walked windows add up to");
  }
  return findings;
}
