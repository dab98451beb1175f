import { asFillbookError, stopIfAborted } from "../core/errors.ts";
import { type Fill, identityOf, tradeTime } from "../core/fill.ts";
import { overlaps } from "../core/ranges.ts";
import { counted } from "../core/text.ts";
import type { TimeRange } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { readDataFile } from "./data-file.ts";
import { HeldTwice } from "./held-twice.ts";
import { dataFileKey, manifestKey, restatementsKey } from "./keys.ts";
import type { DataFile, Manifest, RestatementFile } from "./manifest.ts";
import { readContent } from "./objects.ts";
import { fillsOfUnit, openUnit, type Snapshot, unitsOf } from "./read.ts";
import { readRestatements, tradeTimesOf } from "./restatements.ts";
import { tableMonths, verifyTable } from "./table.ts";

export interface Findings {
  /** Objects that were hashed. */
  readonly checked: number;
  readonly findings: readonly string[];
}

/** True if `table/` is older than the archive, as a run leaves it that is killed: the next sync writes it. */
export function isTableBehind({ held = null, ref }: Snapshot): boolean {
  return held !== null && held.head.table !== (ref?.seq ?? null);
}

/** How far a check has come: objects, and the fills of data files. */
export interface Checked {
  readonly objects: number;
  readonly fills: number;
}

/**
 * Reads every object that the manifest names and checks it: hashes, counts, order, that no identity is held
 * twice, and `table/`, unless it is behind. Changes nothing. `range` limits the check to data files that touch it.
 * When `signal` aborts, rejects with StoppedError before the next object is read.
 */
export async function verifyArchiveObjects(
  store: Store,
  snapshot: Snapshot,
  range: TimeRange | null,
  signal?: AbortSignal,
  onChecked: (checked: Checked) => void = () => undefined,
): Promise<Findings> {
  const { manifest, ref } = snapshot;
  const { account, restatements } = manifest;
  const units = unitsOf(manifest).filter((unit) => range === null || overlaps(unit, range));
  const findings: string[] = [];
  const done = { objects: 0, fills: 0 };
  const check = async (work: () => Promise<readonly string[]>, fills = 0) => {
    stopIfAborted(signal);
    findings.push(...(await work().catch((error: unknown) => [asFillbookError(error).message])));
    done.objects += 1;
    done.fills += fills;
    onChecked({ ...done });
  };
  if (ref !== null) {
    await check(async () => {
      await readContent(store, manifestKey(account, ref.seq, ref.sha256), ref.sha256);
      return countsOf(manifest);
    });
  }
  const heldTwice = new HeldTwice();
  const readAndCheck = async (file: DataFile) => {
    let fills: readonly Fill[] = [];
    await check(async () => {
      fills = await readDataFile(store, account, file);
      return wrongIn(account, file, fills);
    }, file.fills);
    return fills;
  };
  for (const unit of units) {
    heldTwice.add(await fillsOfUnit(unit, readAndCheck)); // what two chains of a killed run brought is merged
  }
  const all = async function* () {
    for (const unit of units) {
      stopIfAborted(signal);
      const key = dataFileKey(account, unit.files[0] as DataFile);
      yield { key, fills: [...(await openUnit(store, manifest, unit).catch(() => []))] }; // reported already
    }
  };
  for (const { fill, keys, hint } of await heldTwice.doubles(all)) {
    const what = `the fill of matchId ${fill.matchId} and orderId ${fill.orderId}`;
    findings.push(`${keys.join(" and ")} both hold ${what}; ${hint}`);
  }
  for (const file of restatements) {
    await check(() => verifyRestatements(store, account, file));
  }
  for (const month of isTableBehind(snapshot) ? [] : tableMonths(manifest, range)) {
    await check(() => verifyTable(store, manifest, month));
  }
  // A damaged data file is also met where its month of table/ is compared.
  return { checked: done.objects, findings: [...new Set(findings)] };
}

function countsOf({ dataFiles, fills }: Manifest): string[] {
  const sum = dataFiles.reduce((all, file) => all + file.fills, 0);
  const parts = dataFiles.filter(({ kind }) => kind === "part");
  const isDisjoint = !parts.some((file, place) => parts.some((other, at) => at > place && overlaps(file, other)));
  return [
    ...unless(sum === fills, `the manifest says ${counted(fills, "fill")}, but its data files hold ${sum}`),
    ...unless(isDisjoint, "the ranges of two data files overlap"),
  ];
}

/** `readDataFile` checks hash, count, order and range. */
function wrongIn(account: string, file: DataFile, fills: readonly Fill[]): string[] {
  const trades = Float64Array.from(fills, tradeTime).sort();
  const key = dataFileKey(account, file);
  const isSame = trades.at(0) === file.firstTrade && trades.at(-1) === file.lastTrade;
  return [
    ...unless(isSame, `${key}: its trade times do not match the manifest`),
    ...unless(new Set(fills.map(identityOf)).size === fills.length, `${key} holds a fill twice`),
  ];
}

async function verifyRestatements(store: Store, account: string, file: RestatementFile): Promise<string[]> {
  const restated = await readRestatements(store, account, file);
  const key = restatementsKey(account, file);
  const says = `${key} holds ${counted(restated.length, "restatement")}, but the manifest says ${file.rows}`;
  const isInside = restated.flatMap(tradeTimesOf).every((time) => file.firstTrade <= time && time <= file.lastTrade);
  return [
    ...unless(restated.length === file.rows, says),
    ...unless(isInside, `${key}: its trade times do not match the manifest`),
  ];
}

function unless(isTrue: boolean, finding: string): string[] {
  return isTrue ? [] : [finding];
}
