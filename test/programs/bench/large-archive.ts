import { readHead } from "../../../lambda/archive/head.ts";
import { dataFileKey, headKey, manifestKey, pagesKey, sha256Of } from "../../../lambda/archive/keys.ts";
import type { Manifest } from "../../../lambda/archive/manifest.ts";
import type { DataFile, WindowRecord } from "../../../lambda/archive/manifest-entries.ts";
import { halvesOf, MAX_DATA_FILE_ROWS, monthOf } from "../../../lambda/archive/partitioning.ts";
import { manifestBody, readArchive } from "../../../lambda/archive/read.ts";
import { EMPTY_SET, formatSetHash } from "../../../lambda/archive/set-hash.ts";
import { systemClock } from "../../../lambda/core/clock.ts";
import type { TimeRange } from "../../../lambda/core/time.ts";
import { SEGMENT_PAGES } from "../../../lambda/walk/chain.ts";
import type { MemoryStore } from "../../support/memory-store.ts";
import { PAGE_ROWS } from "./account-file.ts";

// An archive with a long history, whose older data files and windows exist only as entries in the index. The
// entries cost as much as if the files existed.

/**
 * Rows per object of raw responses, and per window, as in a first sync of an account whose order is known.
 */
const OBJECT_ROWS = SEGMENT_PAGES * PAGE_ROWS;
const WINDOW_ROWS = 2 * OBJECT_ROWS;

/**
 * Adds that many fills before what the archive holds, spread evenly over `range`. Both ends of `range` are
 * beginnings of months.
 */
export async function describeHistory(store: MemoryStore, account: string, fills: number, range: TimeRange) {
  const held = await readHead(store, account);
  const { manifest: recent, manifestIndex } = await readArchive(store, account);
  if (held === null) {
    throw new Error("there is no archive to which a history can be added");
  }
  const perMs = fills / (range.to - range.from);
  const windows = describedWindows(account, range, perMs);
  const dataFiles = describedDataFiles(account, range, perMs);
  const whole = await manifestIndex.change({ added: { dataFiles, windows } });
  const { root, sum } = await whole.seal({ clock: systemClock, epoch: held.head.epoch });
  const manifest: Manifest = {
    ...recent,
    seq: recent.seq + 1,
    fills: sum.fills,
    coverage: [{ from: range.from, to: recent.coverage.at(-1)?.to ?? range.to }],
    index: root,
  };
  const body = manifestBody(manifest);
  const sha256 = sha256Of(body);
  store.put(manifestKey(account, manifest.seq, sha256), body);
  const head = { ...held.head, seq: held.head.seq + 1, manifest: { seq: manifest.seq, sha256 }, current: manifest };
  store.put(headKey(account), new TextEncoder().encode(`${JSON.stringify(head)}\n`));
}

function describedDataFiles(account: string, range: TimeRange, perMs: number): DataFile[] {
  return cellsOf(range, perMs).map((cell) => {
    const { from, to } = cell;
    const sha256 = sha256Of(new TextEncoder().encode(`data file ${from}`));
    return {
      ...{
        key: dataFileKey(account, cell, sha256),
        sha256,
        bytes: 157 * rowsOf(cell, perMs),
        rows: rowsOf(cell, perMs),
      },
      ...{ from, to, first: from, last: to - 1, firstTrade: from, lastTrade: to - 1 },
      ...{ exceptions: 0, setHash: formatSetHash(EMPTY_SET) },
    };
  });
}

/** Keys of the objects with the raw responses of a window. */
function rawResponsesOf(account: string, { from, to }: TimeRange, perMs: number): string[] {
  const width = OBJECT_ROWS / perMs;
  const [first, end] = [Math.floor(from / width), Math.ceil(to / width)];
  return Array.from({ length: end - first }, (_, at) => rawResponsesKey(account, (first + at) * width, width));
}

function rawResponsesKey(account: string, start: number, width: number): string {
  const [from, to] = [Math.round(start), Math.round(start + width)];
  return pagesKey(account, { from, to }, 0, { epoch: 1, sha256: sha256Of(new TextEncoder().encode(`${from}`)) });
}

function cellsOf({ from, to }: TimeRange, perMs: number): TimeRange[] {
  const cells: TimeRange[] = [];
  for (let month = monthOf(from); month.from < to; month = monthOf(month.to)) {
    cells.push(...cut(month, perMs));
  }
  return cells;
}

function cut(cell: TimeRange, perMs: number): TimeRange[] {
  const halves = halvesOf(cell);
  return rowsOf(cell, perMs) <= MAX_DATA_FILE_ROWS || halves === null
    ? [cell]
    : halves.flatMap((half) => cut(half, perMs));
}

function rowsOf({ from, to }: TimeRange, perMs: number): number {
  return Math.round((to - from) * perMs);
}

function describedWindows(account: string, range: TimeRange, perMs: number): WindowRecord[] {
  const width = Math.max(1, Math.floor(WINDOW_ROWS / perMs));
  const windows: WindowRecord[] = [];
  for (let from = range.from; from < range.to; from += width) {
    const window = { from, to: Math.min(from + width, range.to) };
    const rows = rowsOf(window, perMs);
    const hash = sha256Of(new TextEncoder().encode(`window ${from}`));
    windows.push({
      ...{ ...window, pages: Math.ceil(rows / PAGE_ROWS), rows, duplicates: 0, first: from, last: window.to - 1 },
      ...{ ended: "order", setHash: hash, pagesHash: hash, rawResponses: rawResponsesOf(account, window, perMs) },
    });
  }
  return windows;
}
