import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { compareText } from "../../lambda/core/text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lambda/core/time.ts";
import type { RunContext, SyncRequest } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import { NOW } from "../support/job.ts";
import {
  type Answer,
  bookAt,
  bookOf,
  type Given,
  heldOf,
  jobOf,
  paged,
  pagedBy,
  runs,
  synced,
  unevenBook,
  within,
} from "../support/odd-service.ts";
import { hash32, permutation, prng } from "../support/prng.ts";

// Services that an attacker devised without knowing the tests. Each of them once made a run lose fills, file
// another trader's fills, or send requests without end.

const WHOLE = { complete: true, lost: 0 };

describe("a cap on the rows of a query, which keeps the newest and sends them oldest first", () => {
  test.each([500, 1000])("%d rows, few recent fills and many older ones", async (cap) => {
    const book = unevenBook(1, [
      [1.5 * cap, 0, 300],
      [5 * cap, 300, 360],
    ]);
    const answer: Answer = (request) => paged(within(book, request).slice(0, cap).toReversed(), request);
    expect(await synced(book, answer)).toMatchObject(WHOLE);
  });

  test("the reverse: it keeps the oldest and sends them newest first", async () => {
    const book = unevenBook(1, [
      [5000, 40, 100],
      [1500, 100, 400],
    ]);
    expect(await synced(book, (request) => paged(within(book, request).slice(-1000), request))).toMatchObject(WHOLE);
  });

  test("a day of 3,000 fills after nights in which no answer was cut", async () => {
    const old = bookOf(5000, 300);
    const random = prng(1).next;
    const busy = bookAt(Array.from({ length: 3000 }, () => NOW + Math.floor(random() * DAY_MS)));
    const all = [...busy.map((fill) => ({ ...fill, matchId: `busy-${fill.matchId}` })), ...old];
    const answerOf =
      (run: number): Answer =>
      (request) =>
        paged(
          within(run === 0 ? old : all, request)
            .slice(0, 1000)
            .toReversed(),
          request,
        );
    const { ends, lost } = await runs(
      all,
      answerOf,
      [0, 1, 2, 3].map((day) => ({ now: NOW + day * DAY_MS + day })),
    );
    expect([ends.map(({ complete }) => complete), lost]).toEqual([[true, true, true, true], 0]);
  });
});

describe("cursors", () => {
  test.each(["descending", "ascending"])("that are page numbers within the token's latest query: %s", async (order) => {
    const book = unevenBook(1, [
      [2500, 0, 28],
      [60, 28, 200],
      [4000, 200, 260],
    ]);
    const rows = order === "descending" ? book : book.toReversed();
    let current: readonly Fill[] = [];
    const answer: Answer = (request) => {
      current = request.start === undefined ? within(rows, request) : current;
      return paged(current, request);
    };
    expect(await synced(book, answer)).toMatchObject(WHOLE);
  });

  test.each([
    [SECOND_MS, 1],
    [SECOND_MS, -1],
    [10, 1],
    [10, -1],
  ])(
    "that are times in units of %d ms, direction %d: the other rows in the last row's unit never come",
    async (unit, way) => {
      const random = prng(3).next;
      const times = new Set<number>();
      while (times.size < 4000) {
        const start = Math.floor((NOW - random() * 300 * DAY_MS) / unit) * unit;
        for (let more = Math.floor(random() * 4); more >= 0; more -= 1) {
          times.add(start + Math.floor(random() * unit));
        }
      }
      const book = bookAt([...times]).toSorted((a, b) => way * (b.txCreated - a.txCreated));
      const key = ({ txCreated }: Fill) => way * Math.floor(txCreated / unit);
      expect(await synced(book, (request) => pagedBy(within(book, request), key, request))).toMatchObject(WHOLE);
    },
  );

  test.each(["descending", "unordered"])(
    "that can be used once, and come with every page that has rows: %s",
    async (order) => {
      const book = bookOf(3000, 300);
      const rows =
        order === "descending" ? book : [...permutation(book.length, 5)].flatMap((index) => book[index] ?? []);
      const live = new Map<string, number>();
      let given = 0;
      const answer: Answer = (request) => {
        const from = request.start === undefined ? 0 : live.get(request.start);
        live.delete(request.start ?? "");
        const page = within(rows, request).slice(from, (from ?? 0) + 100);
        if (from === undefined || page.length === 0) {
          return from === undefined ? { refused: "cursor" } : {};
        }
        given += 1;
        live.set(`c${given}`, from + page.length);
        return { rows: page, last: `c${given}` };
      };
      expect(await synced(book, answer)).toMatchObject(WHOLE);
    },
  );
});

describe("dates older than 90 days are refused", () => {
  const BOOK = unevenBook(1, [[300, 0, 170]]);
  const THEN = NOW - 20 * DAY_MS;
  const answerAt =
    (now: number): Answer =>
    (request) =>
      (request.startDate ?? NOW) < now - 90 * DAY_MS
        ? { refused: "dates" }
        : paged(
            within(BOOK, request).filter(({ txCreated }) => txCreated < now),
            request,
          );

  test.each([2, 8])("a sync of the last 89 days, and another one %d days later", async (pause) => {
    const nows = [THEN, THEN + pause * DAY_MS];
    const plan = nows.map((now) => ({ now, from: now - 89 * DAY_MS }));
    const { ends } = await runs([], (run) => answerAt(nows[run] ?? 0), plan);
    expect(ends[1]).toMatchObject({ complete: true });
    expect(ends[1]?.requests).toBeLessThan(100);
  });

  test("nights with a fixed beginning, all of it covered: each is complete", async () => {
    const nows = [0, 1, 2, 8, 9].map((day) => THEN + day * DAY_MS);
    const plan = nows.map((now) => ({ now, from: THEN - 89 * DAY_MS }));
    const { ends } = await runs([], (run) => answerAt(nows[run] ?? 0), plan);
    expect(ends.map(({ complete }) => complete)).toEqual(nows.map(() => true));
  });
});

describe("narrow ranges are refused", () => {
  const isNarrow = ({ startDate, endDate = NOW }: PageRequest, leastMs: number) =>
    startDate !== undefined && endDate - startDate < leastMs;

  test.each([SECOND_MS, MINUTE_MS])("of less than %d ms: each run is complete", async (leastMs) => {
    const book = bookOf(500, 300);
    const answer: Answer = (request) => narrowly(isNarrow(request, leastMs), paged(within(book, request), request));
    const { ends, lost } = await runs(
      book,
      () => answer,
      [0, 1, 2].map((day) => ({ now: NOW + day * DAY_MS })),
    );
    expect([ends.map(({ complete }) => complete), lost]).toEqual([[true, true, true], 0]);
  });

  test("another trader's token is recognised nevertheless", async () => {
    const mine = unevenBook(9, [[400, 0, 200]]);
    const other = foreign(unevenBook(10, [[400, 0, 200]]));
    const answerOf =
      (run: number): Answer =>
      (request) =>
        narrowly(isNarrow(request, SECOND_MS), paged(within(run === 0 ? mine : other, request), request));
    const { ends } = await runs(mine, answerOf, [{ now: NOW }, { now: NOW + DAY_MS }]);
    expect(ends[1]).toMatchObject({ complete: false, fills: 400 });
  });
});

test("a range of more than 90 days gives its newest 30, and earlier requests were narrower", async () => {
  for (const seed of [1, 2, 3]) {
    const book = unevenBook(seed, [[150, 1, 400]]);
    const answer: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      const isWide = endDate - startDate > 90 * DAY_MS;
      return paged(within(book, isWide ? { startDate: endDate - 30 * DAY_MS, endDate } : request), request);
    };
    const plan = [{ now: NOW - DAY_MS, from: NOW - 62 * DAY_MS }, { now: NOW }];
    const { ends, lost } = await runs(book, () => answer, plan);
    expect({ seed, complete: ends[1]?.complete, lost }).toEqual({ seed, complete: true, lost: 0 });
  }
});

// A second attack, on the two readings.

/** Sessions of four hours, in the days before `until`. */
function sessionsOf(seed: number, [count, fills, days]: readonly [number, number, number], until = NOW): Fill[] {
  const random = prng(seed).next;
  const begins = Array.from({ length: count }, () => until - DAY_MS - random() * (days - 2) * DAY_MS);
  return bookAt(begins.flatMap((at) => Array.from({ length: fills }, () => Math.floor(at + random() * 4 * HOUR_MS))));
}

/** Syncs one after another. `lost`: fills of the last one's range that are not held. */
async function syncs(
  book: readonly Fill[],
  plan: readonly (SyncRequest & { readonly answer: Answer; readonly job?: Partial<RunContext> })[],
) {
  const { store } = jobOf(() => ({})).job;
  let last = { complete: false, requests: 0, lost: 0, problem: undefined as string | undefined };
  for (const { answer, job: more, ...request } of plan) {
    const { job } = jobOf(answer, { store, ...more });
    const { complete, requests, problem, from, to } = await syncArchive(job, { pace: "hurry", ...request });
    const inside = book.filter(({ txCreated }) => from <= txCreated && txCreated < to);
    last = { complete, requests, lost: inside.length - (await heldOf(store, inside)), problem: problem?.message };
  }
  return last;
}

const plain =
  (book: readonly Fill[]): Answer =>
  (request) =>
    paged(within(book, request), request);

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
    const answer: Answer = (request) => {
      const endDate = Math.min(request.endDate ?? NOW, NOW);
      return paged(
        within(book, { startDate: Math.max(request.startDate ?? 0, endDate - days * DAY_MS), endDate }),
        request,
      );
    };
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

  // Finding A10.
  test("dates are truncated to the day, and the range ends in mid-day", async () => {
    const book = bookOf(1800, 60);
    const answer: Answer = (request) => paged(within(book, floored(request, DAY_MS)), request);
    const to = NOW - 10 * DAY_MS + 14 * HOUR_MS;
    expect(await syncs(book, [{ answer, from: NOW - 70 * DAY_MS, to }])).toMatchObject(WHOLE);
  });

  // Finding A13.
  test("dates are truncated to the hour, and nothing is known of the account", async () => {
    const book = bookOf(2000, 1);
    const answer: Answer = (request) => paged(within(book, floored(request, HOUR_MS)), request);
    const [from, to] = [NOW - 10.8 * HOUR_MS, NOW - 10.2 * HOUR_MS];
    expect(await syncs(book, [{ answer, from, to }])).toMatchObject(WHOLE);
  });

  // Finding A11.
  test("a period that looked empty is asked again when silence turns out to be cut to a day", async () => {
    const book = sessionsOf(7, [12, 40, 60]);
    const answer: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      return paged(within(book, { startDate: Math.max(startDate, endDate - DAY_MS), endDate }), request);
    };
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
    const answer: Answer = (request, asked) => {
      if (asked > 200) {
        throw new FillbookError("incomplete", "the service answered 503");
      }
      const { startDate = 0, endDate = NOW } = request;
      return paged(within(book, { startDate, endDate: Math.min(endDate, startDate + 7 * DAY_MS) }), request);
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
    expect(await syncs(book, plan)).toMatchObject({ ...WHOLE, problem: undefined });
  });
});

describe("a third attack", () => {
  test.each([
    [90, 30],
    [31, 90],
    [7, 30],
  ])("ranges of more than %d days get the newest %d days", async (most, days) => {
    const book = bookOf(2796, 699);
    const answer: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      const isWide = endDate - startDate > most * DAY_MS;
      return paged(within(book, isWide ? { startDate: NOW - days * DAY_MS, endDate: NOW } : request), request);
    };
    expect(await synced(book, answer)).toMatchObject(WHOLE);
  });

  test("one row that can never be filed: all else is read twice, and late fills are found", async () => {
    const book = bookOf(600, 60);
    const late = book.filter((_, place) => place === 40);
    const bad: Fill = { ...(book[500] as Fill), matchId: "ahead", txCreated: NOW + 40 * DAY_MS };
    const with_ =
      (rows: readonly Fill[]): Answer =>
      (request) => {
        const { startDate = 0, endDate = NOW } = request;
        const at = book[500]?.txCreated ?? 0;
        return paged([...(startDate <= at && at <= endDate ? [bad] : []), ...within(rows, request)], request);
      };
    const from = NOW - 70 * DAY_MS;
    const nights = [
      { answer: with_(book.filter((fill) => !late.includes(fill))), from },
      { answer: with_(book), from },
    ];
    const again = nights.map((night) => ({ ...night, job: { lookBackMs: 7 * DAY_MS, alwaysLooksBack: true } }));
    expect(await syncs(book, again)).toMatchObject({ complete: false, lost: 0 });
  });

  test("a service that cuts ranges to a day since its last visit, a year ago", async () => {
    const random = prng(3).next;
    const sessions = Array.from({ length: 13 }, () => NOW + random() * 300 * DAY_MS).flatMap((at) =>
      Array.from({ length: 30 }, () => Math.floor(at + random() * 3 * HOUR_MS)),
    );
    const book = bookAt([...bookOf(400, 200).map(({ txCreated }) => txCreated), ...sessions]);
    const cut: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      return paged(within(book, { startDate, endDate: Math.min(endDate, startDate + DAY_MS) }), request);
    };
    const later = NOW + 365 * DAY_MS;
    const answerOf = (run: number) => (run === 0 ? plain(book.filter(({ txCreated }) => txCreated < NOW)) : cut);
    const from = NOW - 300 * DAY_MS;
    const plan = [
      { now: NOW, from },
      { now: later, from },
    ];
    const { ends, lost } = await runs(book, answerOf, plan);
    expect([ends[1]?.complete, lost]).toEqual([true, 0]);
  });

  test("the clock was forty days ahead in one run", async () => {
    const times = Array.from({ length: 600 }, (_, place) => NOW - 20 * DAY_MS + place * 2 * HOUR_MS);
    const book = bookAt(times);
    const until = (now: number) => plain(book.filter(({ txCreated }) => txCreated < now));
    const nows = [40, 1, 2, 3].map((days) => NOW + days * DAY_MS);
    const plan = nows.map((now) => ({ now, from: NOW - 30 * DAY_MS }));
    const { ends } = await runs(book, (run) => until(run === 0 ? NOW : (nows[run] as number)), plan);
    const settled = book.filter(({ txCreated }) => txCreated < NOW + 3 * DAY_MS - HOUR_MS);
    expect(ends.at(-1)).toMatchObject({ complete: true });
    expect(ends.at(-1)?.fills).toBeGreaterThanOrEqual(settled.length);
  });

  test("an account that is idle for ten years: a night asks little", async () => {
    const book = bookAt(Array.from({ length: 40 }, (_, place) => NOW - (3650 - place) * DAY_MS));
    const plan = [0, 1, 2].map((day) => ({ now: NOW + day * DAY_MS }));
    const { ends, lost } = await runs(book, () => plain(book), plan);
    expect([lost, ...ends.slice(1).map(({ requests }) => requests <= 12)]).toEqual([0, true, true]);
  });

  test("only ranges over a year ago are refused when they are wider than a month", async () => {
    const book = bookOf(3000, 1500);
    const answer: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      const isCold = startDate < NOW - 365 * DAY_MS;
      return narrowly(isCold && endDate - startDate > 31 * DAY_MS, paged(within(book, request), request));
    };
    expect(await syncs(book, [{ answer, from: NOW - 1600 * DAY_MS }])).toMatchObject({ ...WHOLE, problem: undefined });
  });

  /** Twelve sessions, and a millisecond in which four orders had 40 to 80 fills each. */
  function swept(seed: number): Fill[] {
    const random = prng(seed).next;
    const sessions = Array.from({ length: 12 }, () => NOW - (2 + random() * 200) * DAY_MS).flatMap((at) =>
      Array.from({ length: 40 }, () => Math.floor(at + random() * 3 * HOUR_MS)),
    );
    const at = Math.floor(NOW - (20 + random() * 100) * DAY_MS);
    const sizes = Array.from({ length: 4 }, () => 40 + Math.floor(random() * 40));
    const orders = sizes.flatMap((size, order) => Array.from({ length: size }, () => `swept-${order}`));
    const burst = bookAt(orders.map(() => at)).map((fill, place) => ({
      ...fill,
      matchId: `s-${place}`,
      orderId: orders[place] as string,
    }));
    return [...bookAt(sessions), ...burst];
  }

  const isExactOrLoud = async (book: readonly Fill[], answer: Answer) => {
    const { complete, lost } = await synced(book, answer);
    return !complete || lost === 0;
  };

  test.each([1, 4, 8, 12])(
    "a page begins behind the last row's order, of which more fills share the millisecond (%d)",
    async (seed) => {
      const book = swept(seed).toSorted((a, b) => b.txCreated - a.txCreated || compareText(b.orderId, a.orderId));
      const answer: Answer = (request) => {
        const rows = within(book, request);
        const [time = "", order = ""] = (request.start ?? "").split("~");
        const isBehind = (fill: Fill) =>
          fill.txCreated - Number(time) < 0 || (fill.txCreated === Number(time) && fill.orderId < order);
        const left = request.start === undefined ? rows : rows.filter(isBehind);
        const page = left.slice(0, 100);
        const last = page.at(-1);
        return left.length > 100 ? { rows: page, last: `${last?.txCreated}~${last?.orderId}` } : { rows: page };
      };
      expect(await isExactOrLoud(book, answer)).toBe(true);
    },
  );

  test.each([1, 4])(
    "cursors count rows, and each page has another order of the rows of a millisecond (%d)",
    async (seed) => {
      const book = swept(seed);
      const answer: Answer = (request) => {
        const at = Number(request.start ?? 0);
        const place = new Map(book.map((fill, index) => [fill, hash32(at, index)] as const));
        const by = (a: Fill, b: Fill) =>
          b.txCreated - a.txCreated || (place.get(a) as number) - (place.get(b) as number);
        return paged(within(book, request).toSorted(by), request);
      };
      expect(await isExactOrLoud(book, answer)).toBe(true);
    },
  );
});

function recent(age: number): Fill[] {
  return bookAt([NOW - age]).map((fill) => ({ ...fill, matchId: "recent" }));
}

function floored({ startDate = 0, endDate = NOW }: PageRequest, unit: number): PageRequest {
  return { startDate: Math.floor(startDate / unit) * unit, endDate: Math.floor(endDate / unit) * unit };
}

function narrowly(isRefused: boolean, given: Given): Given {
  return isRefused ? { refused: "dates" } : given;
}

function foreign(book: readonly Fill[]): Fill[] {
  return book.map((fill) => ({ ...fill, matchId: `x${fill.matchId}`, orderId: `x${fill.orderId}` }));
}
