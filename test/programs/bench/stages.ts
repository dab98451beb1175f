import { DataFileEncoder } from "../../../lambda/archive/data-file-format.ts";
import { MAX_DATA_FILE_ROWS } from "../../../lambda/archive/partitioning.ts";
import type { RawResponse } from "../../../lambda/archive/raw-responses.ts";
import { setHashOf } from "../../../lambda/archive/set-hash.ts";
import { systemClock } from "../../../lambda/core/clock.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import type { TimeRange } from "../../../lambda/core/time.ts";
import { mergeFills } from "../../../lambda/fills/merge.ts";
import { PageDecoder } from "../../../lambda/service/decode.ts";
import { SEGMENT_PAGES, walkChain } from "../../../lambda/walk/chain.ts";
import { freshWindow } from "../../../lambda/walk/window.ts";
import { encodePages } from "../../support/evidence.ts";
import { AccountFile, accountReader, PAGE_ROWS, pageBodies, YEAR } from "./account-file.ts";
import { ACCOUNT, type CaseInput, type Measured } from "./case.ts";
import type { Meter } from "./meter.ts";

const decoder = new PageDecoder();
const encoder = new DataFileEncoder();

// The stages from pages to an archive, each alone: what comes before it in a run is done aside, what comes after is left out.

/** The unit, P: nothing but JSON.parse of the pages. */
export function parsePages({ dir }: CaseInput, meter: Meter): Measured {
  let rows = 0;
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    rows += JSON.parse(body).completedOrders.length;
  }
  return { facts: { rows } };
}

/** JSON.parse, and every field of every row checked. */
export function decodePages({ dir }: CaseInput, meter: Meter): Measured {
  let rows = 0;
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    rows += decoder.decode(body).rows.length;
  }
  return { facts: { rows } };
}

/** The chains of a run: cursors, order, repeats, in windows of so many pages as a run gives a chain. Pages are decoded aside. */
export async function followChains({ dir }: CaseInput, meter: Meter): Promise<Measured> {
  const account = new AccountFile(dir);
  const reader = accountReader(account, meter, { decodesAside: true });
  const facts = { pages: 0, rows: 0 };
  const ports = {
    reader,
    clock: systemClock,
    signal: new AbortController().signal,
    emit: ({ fills }: { readonly fills: readonly Fill[] }) => {
      facts.rows += fills.length;
    },
    settle: () => Promise.resolve(),
    onPage: () => {
      facts.pages += 1;
    },
  };
  for (const window of windowsOf(account)) {
    const end = await walkChain(ports, freshWindow(window));
    if (end.kind !== "ended") {
      throw new Error(`a chain ended with ${end.kind}`);
    }
  }
  return { facts };
}

const CHAIN_ROWS = 2 * SEGMENT_PAGES * PAGE_ROWS;

function* windowsOf(account: AccountFile): Generator<TimeRange> {
  let { to } = YEAR as TimeRange;
  for (let place = CHAIN_ROWS; to > YEAR.from; place += CHAIN_ROWS) {
    const from = place < account.rows ? account.timeOf(place) : YEAR.from;
    if (from < to) {
      yield { from, to };
    }
    to = from;
  }
}

/** Rows of a commit into its cell: each identity once, by time. */
export function mergeRows({ dir }: CaseInput, meter: Meter): Measured {
  return ofBatches(dir, meter, (fills) => mergeFills([], fills).fills.length);
}

export function hashSets({ dir }: CaseInput, meter: Meter): Measured {
  return ofBatches(dir, meter, (fills) => {
    setHashOf(fills);
    return fills.length;
  });
}

/** A whole part: exceptions looked for, the set-hash, and Parquet. */
export function encodeParts({ dir }: CaseInput, meter: Meter): Measured {
  let bytes = 0;
  const measured = ofBatches(dir, meter, (fills) => {
    bytes += encoder.encode(ACCOUNT, fills).bytes.byteLength;
    return fills.length;
  });
  return { facts: { ...measured.facts, bytes } };
}

/** The answers as they came, compressed. */
export function keepEvidence({ dir }: CaseInput, meter: Meter): Measured {
  const facts = { pages: 0, bytes: 0 };
  for (const pages of segmentsOf(dir, meter)) {
    facts.pages += pages.length;
    facts.bytes += encodePages(pages).byteLength;
  }
  return { facts };
}

/** All of these, one after another in one process, without the walk, the store and the manifests. */
export function allStages({ dir }: CaseInput, meter: Meter): Measured {
  const facts = { rows: 0, bytes: 0 };
  let pending: Fill[] = [];
  const file = (incoming: readonly Fill[]) => {
    const { fills } = mergeFills([], incoming);
    facts.bytes += encoder.encode(ACCOUNT, fills).bytes.byteLength;
    facts.rows += fills.length;
  };
  for (const pages of segmentsOf(dir, meter)) {
    for (const { body } of pages) {
      pending.push(...decoder.decode(body).rows.flatMap((row) => ("fill" in row ? [row.fill] : [])));
    }
    facts.bytes += encodePages(pages).byteLength;
    if (pending.length >= MAX_DATA_FILE_ROWS) {
      file(pending);
      pending = [];
    }
  }
  file(pending);
  return { facts };
}

/** As many rows at once as a part has at most. */
function ofBatches(dir: string, meter: Meter, work: (fills: readonly Fill[]) => number): Measured {
  let rows = 0;
  let pending: Fill[] = [];
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    meter.aside(() => pending.push(...decoder.decode(body).rows.flatMap((row) => ("fill" in row ? [row.fill] : []))));
    if (pending.length >= MAX_DATA_FILE_ROWS) {
      rows += work(pending);
      pending = [];
    }
  }
  rows += work(pending);
  return { facts: { rows } };
}

function* segmentsOf(dir: string, meter: Meter): Generator<RawResponse[]> {
  let pages: RawResponse[] = [];
  let place = 0;
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    pages.push({ request: { startDate: YEAR.from, endDate: YEAR.to, start: String(place) }, body });
    place += PAGE_ROWS;
    if (pages.length === SEGMENT_PAGES) {
      yield pages;
      pages = [];
    }
  }
  if (pages.length > 0) {
    yield pages;
  }
}
