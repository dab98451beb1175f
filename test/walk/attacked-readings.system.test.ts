import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from "../../lambda/core/time.ts";
import { NOW } from "../support/job.ts";
import { type Answer, bookAt, bookOf, dated, narrowly, paged, plain, syncs, within } from "../support/odd-service.ts";
import { permutation, prng } from "../support/prng.ts";

// Services that an attacker of the two readings devised. Each of them once made a run lose fills, or send requests
// without end.

const WHOLE = { complete: true, lost: 0 };

/** Sessions of four hours, in the days before `until`. */
function sessionsOf(seed: number, [count, fills, days]: readonly [number, number, number], until = NOW): Fill[] {
  const random = prng(seed).next;
  const begins = Array.from({ length: count }, () => until - DAY_MS - random() * (days - 2) * DAY_MS);
  return bookAt(begins.flatMap((at) => Array.from({ length: fills }, () => Math.floor(at + random() * 4 * HOUR_MS))));
}

describe("the second reading", () => {
  // Finding A1.
  test.each([1, 2])("pages are filtered after they were cut, and only full ones have a cursor (%d)", async (seed) => {
    const all = sessionsOf(seed, [6, 300, 200]);
    const random = prng(seed).next;
    const hidden = new Set(all.filter(() => random() < 0.05));
    const isHidden = (fill: Fill) => hidden.has(fill);
    const answer: Answer = (request) => {
      const { rows = [], last } = paged(within(all, request), request);
      const shown = rows.filter((fill) => !isHidden(fill));
      return { rows: shown, ...(last !== undefined && shown.length === 100 ? { last } : {}) };
    };
    const book = all.filter((fill) => !isHidden(fill));
    expect(await syncs(book, [{ answer, from: NOW - 200 * DAY_MS }])).toMatchObject(WHOLE);
  });

  // Finding A2.
  test.each([1, 7])("ranges end now at the latest, and are then cut to their last %d days", async (days) => {
    const book = [...recent(5 * HOUR_MS), ...sessionsOf(5, [8, 40, days === 1 ? 400 : 2000])];
    const answer = dated(book, ({ from, to }) => lastDays({ from, to: Math.min(to, NOW) }, days));
    expect(await syncs(book, [{ answer, from: NOW - (days === 1 ? 400 : 2000) * DAY_MS }])).toMatchObject(WHOLE);
  });

  // Finding A3.
  test("an empty range shows the newest fills, and no dates mean 30 days: never complete without what was shown", async () => {
    const book = sessionsOf(3, [10, 40, 2000], NOW - 800 * DAY_MS);
    const answer: Answer = (request) => {
      const isUndated = request.startDate === undefined;
      const rows = within(book, isUndated ? { startDate: NOW - 30 * DAY_MS } : request);
      return rows.length === 0 && !isUndated ? { rows: book.slice(0, 100) } : paged(rows, request);
    };
    const { complete, lost } = await syncs(book, [{ answer }]);
    expect(complete && lost > 0).toBe(false);
  });

  test("an empty range shows the newest fills, and wide ranges are cut: dates that are heeded are not ignored", async () => {
    const book = sessionsOf(3, [12, 60, 400]);
    const answer: Answer = ({ startDate = 0, endDate = NOW, start }) => {
      const rows = within(book, { startDate, endDate: Math.min(endDate, startDate + 2 * DAY_MS) });
      return rows.length === 0 ? { rows: book.slice(0, 100) } : paged(rows, start === undefined ? {} : { start });
    };
    const { complete, lost } = await syncs(book, [{ answer, from: NOW - 400 * DAY_MS }]);
    expect(complete && lost > 0).toBe(false);
  });

  // Findings A10, A13.
  test.each([
    ["to the day, and the range ends in mid-day", bookOf(1800, 60), DAY_MS, 70 * 24, 9 * 24 + 10],
    ["to the hour, and nothing is known of the account", bookOf(2000, 1), HOUR_MS, 10.8, 10.2],
  ])("dates are truncated %s", async (_, book, unit, since, until) => {
    const answer = dated(book, (asked) => floored(asked, unit));
    const [from, to] = [NOW - since * HOUR_MS, NOW - until * HOUR_MS];
    expect(await syncs(book, [{ answer, from, to }])).toMatchObject(WHOLE);
  });

  // Finding A11.
  test("a period that looked empty is asked again when silence turns out to be cut to a day", async () => {
    const book = sessionsOf(7, [12, 40, 60]);
    const answer = dated(book, (asked) => lastDays(asked, 1));
    const [first] = book.toReversed() as [Fill];
    const period = { from: first.txCreated - DAY_MS, to: first.txCreated + 5 * DAY_MS };
    expect(
      await syncs(book, [
        { answer, ...period },
        { answer, from: NOW - 70 * DAY_MS },
      ]),
    ).toMatchObject(WHOLE);
  });

  // Finding A14.
  test("cursors are times, and a page ends with the first row of a millisecond", async () => {
    const at = NOW - 20 * DAY_MS;
    const times = [[49, at + 10] as const, [3, at] as const, [5, at - 10] as const, [1, at - 5 * DAY_MS] as const];
    const book = bookAt(times.flatMap(([count, time]) => Array.from({ length: count }, () => time)));
    const answer: Answer = (request) => {
      const left = within(book, request).filter(({ txCreated }) => txCreated < Number(request.start ?? NOW));
      const rows = left.slice(0, 50);
      return left.length > 50 ? { rows, last: String(rows.at(-1)?.txCreated) } : { rows };
    };
    expect(await syncs(book, [{ answer, from: NOW - 60 * DAY_MS }])).toMatchObject(WHOLE);
  });

  // Finding A16.
  test.each([1, 2, 3])("without an order, 20 rows a query, in pages of any size up to 20 (%d)", async (seed) => {
    const book = bookOf(800, 30);
    const rows = [...permutation(book.length, seed)].flatMap((index) => book[index] ?? []);
    const random = prng(seed).next;
    const answer: Answer = (request) => {
      const capped = within(rows, request).slice(0, 20);
      const at = Number(request.start ?? 0);
      const next = at + 1 + Math.floor(random() * 20);
      return { rows: capped.slice(at, next), ...(next < capped.length ? { last: String(next) } : {}) };
    };
    expect(await syncs(book, [{ answer, from: NOW - 60 * DAY_MS }])).toMatchObject(WHOLE);
  });

  // Finding A4.
  test("dates in the future are refused", async () => {
    const book = [...recent(5 * HOUR_MS), ...sessionsOf(5, [8, 40, 400])];
    const answer: Answer = (request) => narrowly((request.endDate ?? 0) > NOW, paged(within(book, request), request));
    const found = await syncs(book, [{ answer, job: { settleLagMs: 5 * MINUTE_MS } }]);
    expect(found).toMatchObject(WHOLE);
    expect(found.requests).toBeLessThan(500);
  });

  // Finding A5.
  test("the oldest fill has vanished before silence is measured", async () => {
    const book = sessionsOf(7, [30, 40, 400]);
    const plan = [{ answer: plain(book), pace: "once" as const }, { answer: plain(book.slice(0, -1)) }];
    const found = await syncs(book, plan);
    expect(found).toMatchObject(WHOLE);
    expect(found.requests).toBeLessThan(1000);
  });

  // Finding A6.
  test("runs that are cut short at 200 requests come to an end, though silence is cut to 7 days", async () => {
    const book = sessionsOf(7, [2, 40, 500]);
    const cut = dated(book, ({ from, to }) => ({ from, to: Math.min(to, from + 7 * DAY_MS) }));
    const answer: Answer = (request, asked) => {
      if (asked > 200) {
        throw new FillbookError("incomplete", "the service answered 503");
      }
      return cut(request, asked);
    };
    const run = { answer, from: NOW - 3650 * DAY_MS };
    expect(await syncs(book, [run, run, run, run, run, run])).toMatchObject(WHOLE);
  });

  // Finding A15.
  test("corrected times are no contradiction", async () => {
    const book = bookOf(3000, 60);
    const random = prng(5).next;
    const by = () => Math.floor((random() - 0.5) * 6 * DAY_MS);
    const corrected = book
      .map((fill, place) => (place % 20 === 0 && place > 1000 ? { ...fill, txCreated: fill.txCreated + by() } : fill))
      .toSorted((a, b) => b.txCreated - a.txCreated);
    const from = NOW - 70 * DAY_MS;
    const plan = [
      { answer: plain(book), from },
      { answer: plain(corrected), from, rechecksAll: true },
    ];
    expect(await syncs(book, plan)).toMatchObject({ ...WHOLE, problem: null });
  });
});

function recent(age: number): Fill[] {
  return bookAt([NOW - age]).map((fill) => ({ ...fill, matchId: "recent" }));
}

function floored({ from, to }: TimeRange, unit: number): TimeRange {
  return { from: Math.floor(from / unit) * unit, to: Math.floor(to / unit) * unit };
}

function lastDays({ from, to }: TimeRange, days: number): TimeRange {
  return { from: Math.max(from, to - days * DAY_MS), to };
}

test.each([
  ["begins", -500, { from: NOW - 30 * HOUR_MS, to: NOW - 10 * HOUR_MS }],
  ["ends", 500, { from: NOW - 31 * HOUR_MS, to: NOW - 20 * HOUR_MS + 1 }],
])(
  "a range %s in a fill's millisecond, and another fill of it is dated by a filledAt %d ms off",
  async (_, ms, range) => {
    const book = bookAt([30, 30, 26, 24, 20, 20].map((hours) => NOW - hours * HOUR_MS));
    const asOther = new Set(["m-1", "m-4"]);
    const dateOf = ({ matchId, txCreated }: Fill) => txCreated + (asOther.has(matchId) ? ms : 0);
    const answer: Answer = ({ startDate = 0, endDate = NOW }) => ({
      rows: book.filter((fill) => startDate <= dateOf(fill) && dateOf(fill) <= endDate),
    });
    expect(await syncs(book, [{ answer, ...range }])).toMatchObject(WHOLE);
  },
);
