import { getHeapStatistics } from "node:v8";
import { DataFileEncoder } from "../../../lambda/archive/data-file-format.ts";
import { MAX_DATA_FILE_ROWS } from "../../../lambda/archive/partitioning.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { mergeFills } from "../../../lambda/fills/merge.ts";
import { PageDecoder } from "../../../lambda/service/decode.ts";
import { createEmulator } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { PAGE_ROWS, YEAR } from "../bench/account-file.ts";

const decoder = new PageDecoder();
const encoder = new DataFileEncoder();

// Prints the bytes per fill that each stage allocates on V8's heap. It needs a new space so large that
// nothing is collected meanwhile: see allocations.system.test.ts.

const ROUNDS = 12; // enough rounds that all code is compiled

const items = [
  ...createEmulator({ history: makeHistory({ seed: 1, fills: MAX_DATA_FILE_ROWS, ...YEAR }) }).truthItems(),
];
const pages = Array.from({ length: MAX_DATA_FILE_ROWS / PAGE_ROWS }, (_, page) => ({
  completedOrders: items.slice(PAGE_ROWS * page, PAGE_ROWS * (page + 1)),
}));
const usual = pages.map((page) => JSON.stringify(page));
const spaced = pages.map((page) => JSON.stringify(page, null, 1));

function decoded(bodies: readonly string[]): Fill[] {
  return bodies.flatMap((body) => decoder.decode(body).rows.flatMap((row) => ("fill" in row ? [row.fill] : [])));
}

function bytesOf<T>(work: () => T): { readonly bytes: number; readonly made: T } {
  const before = getHeapStatistics().used_heap_size;
  const made = work();
  return { bytes: (getHeapStatistics().used_heap_size - before) / MAX_DATA_FILE_ROWS, made };
}

function measured(): Readonly<Record<string, number>> {
  globalThis.gc?.({ type: "minor" }); // a major collection would also discard compiled code
  const anyJson = bytesOf(() => decoded(spaced));
  const page = bytesOf(() => decoded(usual));
  const merge = bytesOf(() => mergeFills([], page.made).fills);
  const dataFile = bytesOf(() => encoder.encode("main", merge.made));
  return { anyJson: anyJson.bytes, page: page.bytes, merge: merge.bytes, dataFile: dataFile.bytes };
}

for (let round = 1; round < ROUNDS; round += 1) {
  measured();
}
process.stdout.write(JSON.stringify(measured()));
