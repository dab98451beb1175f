import { describe, expect, test } from "vitest";
import type { Fill } from "../../lambda/core/fill.ts";
import { widthOf } from "../../lambda/core/ranges.ts";
import { compareText } from "../../lambda/core/text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lambda/core/time.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import { NOW } from "../support/job.ts";
import {
  type Answer,
  bookAt,
  bookOf,
  dated,
  narrowly,
  paged,
  pagedBy,
  plain,
  syncs,
  unevenBook,
  within,
} from "../support/odd-service.ts";
import { hash32, permutation, prng } from "../support/prng.ts";

// Services that an attacker devised without knowing the tests. Each of them once made a run lose fills, file
// another trader's fills, or send requests without end.

const WHOLE = { complete: true, lost: 0 };

test("a cap of 1,000 rows a query, and a day of 3,000 fills after nights in which no answer was cut", async () => {
  const old = bookOf(5000, 300);
  const random = prng(1).next;
  const busy = bookAt(Array.from({ length: 3000 }, () => NOW + Math.floor(random() * DAY_MS)));
  const all = [...busy.map((fill) => ({ ...fill, matchId: `busy-${fill.matchId}` })), ...old];
  const capped =
    (rows: readonly Fill[]): Answer =>
    (request) =>
      paged(within(rows, request).slice(0, 1000), request);
  const nights = [0, 1, 2, 3].map((day) => ({ now: NOW + day * DAY_MS + day, answer: capped(day === 0 ? old : all) }));
  expect(await syncs(all, nights)).toMatchObject({ ends: nights.map(() => ({ complete: true })), lost: 0 });
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
    expect(await syncs(book, [{ answer }])).toMatchObject(WHOLE);
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
      expect(await syncs(book, [{ answer: (request) => pagedBy(within(book, request), key, request) }])).toMatchObject(
        WHOLE,
      );
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
      expect(await syncs(book, [{ answer }])).toMatchObject(WHOLE);
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
    const plan = nows.map((now) => ({ now, from: now - 89 * DAY_MS, answer: answerAt(now) }));
    const found = await syncs([], plan);
    expect(found).toMatchObject({ complete: true });
    expect(found.requests).toBeLessThan(100);
  });

  test("nights with a fixed beginning, all of it covered: each is complete", async () => {
    const nows = [0, 1, 2, 8, 9].map((day) => THEN + day * DAY_MS);
    const plan = nows.map((now) => ({ now, from: THEN - 89 * DAY_MS, answer: answerAt(now) }));
    expect(await syncs([], plan)).toMatchObject({ ends: nows.map(() => ({ complete: true })) });
  });
});

describe("narrow ranges are refused", () => {
  const isNarrow = ({ startDate, endDate = NOW }: PageRequest, leastMs: number) =>
    startDate !== undefined && endDate - startDate < leastMs;

  test.each([SECOND_MS, MINUTE_MS])("of less than %d ms: each run is complete", async (leastMs) => {
    const book = bookOf(500, 300);
    const answer: Answer = (request) => narrowly(isNarrow(request, leastMs), paged(within(book, request), request));
    const plan = [0, 1, 2].map((day) => ({ now: NOW + day * DAY_MS, answer }));
    expect(await syncs(book, plan)).toMatchObject({ ends: plan.map(() => ({ complete: true })), lost: 0 });
  });

  test("another trader's token is recognised nevertheless", async () => {
    const mine = unevenBook(9, [[400, 0, 200]]);
    const other = unevenBook(10, [[400, 0, 200]]).map((fill) => ({ ...fill, orderId: `x${fill.orderId}` }));
    const plan = [mine, other].map((rows, day) => ({
      now: NOW + day * DAY_MS,
      answer: (request: PageRequest) => narrowly(isNarrow(request, SECOND_MS), paged(within(rows, request), request)),
    }));
    expect(await syncs(mine, plan)).toMatchObject({ complete: false, fills: 400 });
  });
});

test("a range of more than 90 days gives its newest 30, and earlier requests were narrower", async () => {
  for (const seed of [1, 2, 3]) {
    const book = unevenBook(seed, [[150, 1, 400]]);
    const answer = dated(book, ({ from, to }) => ({ from: to - from > 90 * DAY_MS ? to - 30 * DAY_MS : from, to }));
    const plan = [
      { now: NOW - DAY_MS, from: NOW - 62 * DAY_MS, answer },
      { now: NOW, answer },
    ];
    expect(await syncs(book, plan), `${seed}`).toMatchObject(WHOLE);
  }
});

describe("a third attack", () => {
  test.each([
    [90, 30],
    [31, 90],
    [7, 30],
  ])("ranges of more than %d days get the newest %d days", async (most, days) => {
    const book = bookOf(2796, 699);
    const newest = { from: NOW - days * DAY_MS, to: NOW };
    const answer = dated(book, (asked) => (widthOf(asked) > most * DAY_MS ? newest : asked));
    expect(await syncs(book, [{ answer }])).toMatchObject(WHOLE);
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
    const cut = dated(book, ({ from, to }) => ({ from, to: Math.min(to, from + DAY_MS) }));
    const later = NOW + 365 * DAY_MS;
    const from = NOW - 300 * DAY_MS;
    const plan = [
      { now: NOW, from, answer: plain(book.filter(({ txCreated }) => txCreated < NOW)) },
      { now: later, from, answer: cut },
    ];
    expect(await syncs(book, plan)).toMatchObject(WHOLE);
  });

  test("the clock was forty days ahead in one run", async () => {
    const times = Array.from({ length: 600 }, (_, place) => NOW - 20 * DAY_MS + place * 2 * HOUR_MS);
    const book = bookAt(times);
    const until = (now: number) => plain(book.filter(({ txCreated }) => txCreated < now));
    const plan = [40, 1, 2, 3].map((days) => ({
      now: NOW + days * DAY_MS,
      from: NOW - 30 * DAY_MS,
      answer: until(NOW + (days === 40 ? 0 : days) * DAY_MS),
    }));
    const settled = book.filter(({ txCreated }) => txCreated < NOW + 3 * DAY_MS - HOUR_MS);
    expect(await syncs(settled, plan)).toMatchObject(WHOLE);
  });

  test("an account that is idle for ten years: a night asks little", async () => {
    const book = bookAt(Array.from({ length: 40 }, (_, place) => NOW - (3650 - place) * DAY_MS));
    const plan = [0, 1, 2].map((day) => ({ now: NOW + day * DAY_MS, answer: plain(book) }));
    const { ends, lost } = await syncs(book, plan);
    expect([lost, ...ends.slice(1).map(({ requests }) => requests <= 12)]).toEqual([0, true, true]);
  });

  test("only ranges over a year ago are refused when they are wider than a month", async () => {
    const book = bookOf(3000, 1500);
    const answer: Answer = (request) => {
      const { startDate = 0, endDate = NOW } = request;
      const isCold = startDate < NOW - 365 * DAY_MS;
      return narrowly(isCold && endDate - startDate > 31 * DAY_MS, paged(within(book, request), request));
    };
    expect(await syncs(book, [{ answer, from: NOW - 1600 * DAY_MS }])).toMatchObject({ ...WHOLE, problem: null });
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
    const { complete, lost } = await syncs(book, [{ answer }]);
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
