import { openUnit, readArchive, unitsOf } from "../../lambda/archive/read.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { type Fill, identityOf } from "../../lambda/core/fill.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { RunContext, SyncRequest, SyncResult } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { PageAnswer, PageRequest } from "../../lambda/service/service.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { makeBench, NOW } from "./job.ts";
import { makeFill } from "./make-fill.ts";
import { prng } from "./prng.ts";

// Services for which the emulator has no switch. Each test writes out how the service answers from a whole
// book of rows.

interface Given {
  readonly rows?: readonly Fill[];
  readonly last?: string;
  /** The dates or the cursor are refused; `slow`: as by a 504 for a wide range. */
  readonly refused?: "dates" | "cursor" | "slow";
}

/** `asked` counts from 1. */
export type Answer = (request: PageRequest, asked: number) => Given;

function jobOf(answer: Answer, more: Partial<RunContext> = {}) {
  const counts = { requests: 0, refused: 0 };
  const completedOrders = async (request: PageRequest): Promise<PageAnswer> => {
    counts.requests += 1;
    await Promise.resolve();
    return pageOf(answer(request, counts.requests));
  };
  const reader = stubReader({ completedOrders, counts });
  return makeBench({ history: [], job: { reader, ...more } });
}

function pageOf({ rows = [], last, refused }: Given): PageAnswer {
  if (refused === "cursor") {
    return { kind: "cursor-refused", status: 400 };
  }
  if (refused !== undefined) {
    const kind = refused === "slow" ? "incomplete" : "usage";
    return { kind: "range-refused", problem: new FillbookError(kind, "the dates were refused") };
  }
  return {
    kind: "page",
    body: "[]",
    rows: rows.map((fill) => ({ fill: made(fill) })),
    ...(last === undefined ? {} : { last }),
  };
}

const MADE = new WeakMap<Fill, Fill>();

/** The fill with the row that says the same: tests change fields alone. */
function made(fill: Fill): Fill {
  const known = MADE.get(fill) ?? makeFill(fill);
  MADE.set(fill, known);
  return known;
}

/** A sync, at `now` (ms), of a service that answers so. */
export interface OddSync extends SyncRequest {
  readonly answer: Answer;
  readonly now?: number;
  readonly job?: Partial<RunContext>;
}

/** Syncs of one archive, one after another, and the last one's result. `lost`: fills of its range that are not held. */
export async function syncs(book: readonly Fill[], plan: readonly OddSync[]) {
  const { store } = jobOf(() => ({})).job;
  const ends: Pick<SyncResult, "complete" | "requests" | "fills" | "problem" | "from" | "to">[] = [];
  for (const { answer, now, job: more, ...request } of plan) {
    const { job } = jobOf(answer, { store, ...more });
    const clock = { ...job.clock, now: () => now ?? 0, monotonic: () => (now ?? 0) - NOW };
    const own = now === undefined ? job : { ...job, clock, lookBackMs: 7 * DAY_MS };
    ends.push(await syncArchive(own, { pace: "hurry", ...request }));
  }
  const last = ends.at(-1) ?? { complete: false, requests: 0, fills: 0, problem: null, from: 0, to: 0 };
  const inside = book.filter(({ txCreated }) => last.from <= txCreated && txCreated < last.to);
  return { ...last, ends, lost: inside.length - (await heldOf(store, inside)) };
}

async function heldOf(store: Store, book: readonly Fill[]): Promise<number> {
  const names = new Set(book.map(identityOf));
  const { manifest } = await readArchive(store, "main");
  const held = new Set<string>();
  for (const unit of unitsOf(manifest)) {
    for (const fill of await openUnit(store, manifest, unit)) {
      held.add(identityOf(fill));
    }
  }
  return [...held].filter((name) => names.has(name)).length;
}

/** Fills spread evenly over the days, each in its own millisecond, newest first. */
export function bookOf(fills: number, days: number): Fill[] {
  return bookAt(
    Array.from({ length: fills }, (_, index) => NOW - Math.floor(((index + 1) * days * DAY_MS) / (fills + 1))),
  );
}

/** Newest first. */
export function bookAt(times: readonly number[]): Fill[] {
  return times
    .toSorted((a, b) => b - a)
    .map((txCreated, index) => makeFill({ matchId: `m-${index}`, txCreated, filledAt: null }));
}

/** For each part of `shape`: that many fills between `from` and `to` days ago. Newest first. */
export function unevenBook(
  seed: number,
  shape: readonly (readonly [fills: number, from: number, to: number])[],
): Fill[] {
  const random = prng(seed).next;
  return bookAt(
    shape.flatMap(([fills, from, to]) =>
      Array.from({ length: fills }, () => NOW - Math.floor((from + random() * (to - from)) * DAY_MS)),
    ),
  );
}

export function within(
  book: readonly Fill[],
  { startDate = 0, endDate = Number.POSITIVE_INFINITY }: PageRequest,
): Fill[] {
  return book.filter(({ txCreated }) => startDate <= txCreated && txCreated <= endDate);
}

/** Answers from the book as if the request had these other dates. */
export function dated(book: readonly Fill[], change: (asked: TimeRange) => TimeRange): Answer {
  return (request) => {
    const { startDate = 0, endDate = NOW } = request;
    const { from, to } = change({ from: startDate, to: endDate });
    return paged(within(book, { startDate: from, endDate: to }), request);
  };
}

export function plain(book: readonly Fill[]): Answer {
  return (request) => paged(within(book, request), request);
}

export function narrowly(isRefused: boolean, given: Given): Given {
  return isRefused ? { refused: "dates" } : given;
}

/** Pages of a hundred rows, with cursors that count rows. */
export function paged(rows: readonly Fill[], { start = "0" }: PageRequest): Given {
  const at = Number(start);
  const page = rows.slice(at, at + 100);
  return at + 100 < rows.length ? { rows: page, last: String(at + 100) } : { rows: page };
}

/**
 * Pages of a hundred rows. The cursor is the key of the last row, and the next page begins strictly below it.
 */
export function pagedBy(rows: readonly Fill[], key: (fill: Fill) => number, { start }: PageRequest): Given {
  const all = rows.filter((fill) => start === undefined || key(fill) < Number(start));
  const page = all.slice(0, 100);
  const last = page.at(-1);
  return all.length > 100 && last !== undefined ? { rows: page, last: String(key(last)) } : { rows: page };
}
