import { asFillbookError, StoppedError } from "../core/errors.ts";
import { byTxCreated, identityOf, tradeTime } from "../core/fill.ts";
import { overlaps, union } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { verifyContracts } from "./contracts.ts";
import { readDataFile } from "./data-files.ts";
import { HeldTwice } from "./held-twice.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import type { Entries } from "./index/node.ts";
import { manifestKey, namedKeys, sha256InKey } from "./keys.ts";
import type { Manifest } from "./manifest.ts";
import type { DataFile, RestatementFile, WindowRecord } from "./manifest-entries.ts";
import { readContent } from "./objects.ts";
import type { Snapshot } from "./read.ts";
import { readRestatements, tradeTimesOf } from "./restatements.ts";
import { formatSetHash, setHashOf } from "./set-hash.ts";
import { summarise } from "./summary.ts";

export interface Findings {
  /** Objects that were hashed. */
  readonly checked: number;
  readonly findings: readonly string[];
}

/**
 * Reads every object that the manifest names and checks it: hashes, row counts, row order, that no identity
 * is held twice (in all data files, or in those of `range`), the sums of each window, that windows cover the
 * coverage, and the contract type records. Changes nothing. `range` limits the check to objects that touch
 * it. When `signal` aborts, rejects with StoppedError before the next object is read.
 */
export async function verifyArchiveObjects(
  store: Store,
  { manifest, manifestIndex, ref }: Snapshot,
  range: TimeRange | null,
  signal?: AbortSignal,
  onChecked: (objects: number, fills: number) => void = () => undefined,
): Promise<Findings> {
  const { account } = manifest;
  const isAsked = (one: TimeRange) => range === null || overlaps(one, range);
  const findings: string[] = [];
  let checked = 0;
  let fills = 0;
  const check = async (work: () => Promise<string[]>, rows = 0) => {
    stopIfAsked(signal);
    checked += 1;
    findings.push(...(await found(work)));
    fills += rows;
    onChecked(checked, fills);
  };
  if (ref !== null) {
    // Runs read the manifest from the head, so only this check reads its object.
    await check(() => verifyContent(store, manifestKey(account, ref.seq, ref.sha256)));
  }
  const whole = new Whole();
  const heldTwice = new HeldTwice(manifest.fills);
  const readAgain = async function* () {
    for await (const { dataFiles } of manifestIndex.leaves()) {
      for (const dataFile of dataFiles.filter(isAsked)) {
        stopIfAsked(signal);
        // An unreadable data file was already reported.
        yield { key: dataFile.key, fills: await readDataFile(store, dataFile).catch(() => []) };
      }
    }
  };
  const checkLeaves = async () => {
    for await (const leaf of manifestIndex.leaves()) {
      whole.add(leaf);
      const dataFiles = leaf.dataFiles.filter(isAsked);
      for (const dataFile of dataFiles) {
        await check(() => verifyDataFile(store, dataFile, heldTwice), dataFile.rows);
      }
      const windows = leaf.windows.filter(isAsked);
      for (const window of windows) {
        await check(() => verifyWindow(store, manifestIndex, window));
      }
      for (const key of whole.rawResponsesOf(account, dataFiles, windows)) {
        await check(() => verifyContent(store, key));
      }
      for (const file of leaf.restatements) {
        await check(() => verifyRestatements(store, file));
      }
    }
    return [...whole.findings(manifest), ...(await heldTwice.findings(readAgain))];
  };
  // If a unit of the index cannot be read, the check ends there: the rest is unknown.
  findings.push(...(await found(checkLeaves)));
  const contracts = await verifyContracts(store, account);
  return { checked: checked + contracts.checked, findings: [...findings, ...contracts.findings] };
}

function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new StoppedError();
  }
}

/** The findings of `work`, or the message of the error that ended it. */
async function found(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoppedError) {
      throw error;
    }
    return [asFillbookError(error).message];
  }
}

/** Checks that concern all entries together. Entries come in time order. */
class Whole {
  readonly #findings: string[] = [];
  #rows = 0;
  #walked: readonly TimeRange[] = [];
  #last: DataFile | null = null;
  #rawResponses: ReadonlySet<string> = new Set();

  add({ dataFiles, windows }: Entries): void {
    for (const dataFile of dataFiles) {
      // Partitions must not overlap: that keeps each fill in one data file.
      if (this.#last !== null && dataFile.from < this.#last.to) {
        this.#findings.push(`${dataFile.key} overlaps ${this.#last.key}`);
      }
      this.#last = dataFile;
      this.#rows += dataFile.rows;
    }
    this.#walked = union([...this.#walked, ...windows]);
  }

  /**
   * The keys of a leaf's raw responses, without those that the previous leaf named too. A divided chain
   * belongs to neighbouring windows.
   */
  rawResponsesOf(account: string, dataFiles: readonly DataFile[], windows: readonly WindowRecord[]): readonly string[] {
    const own = new Set(dataFiles.map(({ key }) => key));
    const before = this.#rawResponses;
    this.#rawResponses = new Set([...namedKeys(account, [dataFiles, windows])].filter((key) => !own.has(key)));
    return [...this.#rawResponses].filter((key) => !before.has(key));
  }

  findings({ fills, coverage }: Manifest): string[] {
    const sums =
      this.#rows === fills ? [] : [`the manifest says ${fills} fills, but its data files hold ${this.#rows}`];
    const isCovered = JSON.stringify(this.#walked) === JSON.stringify(union(coverage));
    return [...this.#findings, ...sums, ...(isCovered ? [] : ["the coverage does not match the walked windows"])];
  }
}

async function verifyDataFile(store: Store, dataFile: DataFile, heldTwice: HeldTwice): Promise<string[]> {
  const fills = await readDataFile(store, dataFile);
  heldTwice.add(fills);
  const findings: string[] = [];
  const setHash = formatSetHash(setHashOf(fills));
  if (setHash !== dataFile.setHash) {
    findings.push(`${dataFile.key}: its set-hash is ${setHash}, but the manifest says ${dataFile.setHash}`);
  }
  if (new Set(fills.map(identityOf)).size !== fills.length) {
    findings.push(`${dataFile.key} holds a fill twice`);
  }
  if (fills.some(({ txCreated }) => txCreated < dataFile.from || txCreated >= dataFile.to)) {
    findings.push(`${dataFile.key} holds a fill outside its partition`);
  }
  if (fills.some((fill, index) => index > 0 && byTxCreated(fills[index - 1] ?? fill, fill) > 0)) {
    findings.push(`${dataFile.key} is not sorted by tx_created`);
  }
  const trades = Float64Array.from(fills, tradeTime).sort();
  if (trades.at(0) !== dataFile.firstTrade || trades.at(-1) !== dataFile.lastTrade) {
    findings.push(`${dataFile.key}: its trade times do not match the manifest`);
  }
  return findings;
}

async function verifyWindow(store: Store, manifestIndex: ManifestIndex, window: WindowRecord): Promise<string[]> {
  const held = await summarise({ store }, manifestIndex, window);
  const name = `window [${isoTime(window.from)}, ${isoTime(window.to)})`;
  return held.rows < window.rows
    ? [`${name}: the data files hold ${held.rows} fills, but ${window.rows} were walked`]
    : [];
}

async function verifyContent(store: Store, key: string): Promise<string[]> {
  await readContent(store, key, sha256InKey(key));
  return [];
}

async function verifyRestatements(store: Store, file: RestatementFile): Promise<string[]> {
  const restated = await readRestatements(store, file);
  const findings: string[] = [];
  if (restated.length !== file.rows) {
    findings.push(`${file.key} holds ${restated.length} restatements, but the manifest says ${file.rows}`);
  }
  const trades = restated.flatMap(tradeTimesOf);
  if (trades.some((time) => time < file.firstTrade || time > file.lastTrade)) {
    findings.push(`${file.key}: its trade times do not match the manifest`);
  }
  return findings;
}
