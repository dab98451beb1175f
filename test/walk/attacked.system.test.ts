import { describe, expect, test } from "vitest";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../lambda/core/time.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import { NOW } from "../support/job.ts";
import {
  type Answer,
  bookAt,
  bookOf,
  type Given,
  paged,
  pagedBy,
  runs,
  synced,
  unevenBook,
  within,
} from "../support/odd-service.ts";
import { permutation, prng } from "../support/prng.ts";

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

function narrowly(isRefused: boolean, given: Given): Given {
  return isRefused ? { refused: "dates" } : given;
}

function foreign(book: readonly Fill[]): Fill[] {
  return book.map((fill) => ({ ...fill, matchId: `x${fill.matchId}`, orderId: `x${fill.orderId}` }));
}
