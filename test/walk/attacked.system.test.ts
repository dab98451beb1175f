import { describe, expect, test } from "vitest";
import { readArchive } from "../../lambda/archive/read.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { PageRequest } from "../../lambda/service/service.ts";
import type { Store } from "../../lambda/storage/store.ts";
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
import { permutation, prng } from "../support/prng.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

// Services that an attacker devised without knowing the tests. Each of them once made a run lose fills, file
// another trader's fills, or send requests without end.

const WHOLE = { complete: true, lost: 0 };

describe("a cap on the rows of a query, which keeps the newest and sends them oldest first", () => {
  test.each([500, 1000, 5000])("%d rows, few recent fills and many older ones", async (cap) => {
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
    let current: readonly PlainFill[] = [];
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

  test.each([2, 5, 8])(
    "that are times; pages come newest first, and rows within a page oldest first (%d)",
    async (seed) => {
      const book = tiedBook(seed);
      const answer: Answer = (request) => {
        const given = pagedBy(within(book, request), ({ txCreated }) => txCreated, request);
        return { ...given, rows: (given.rows ?? []).toReversed() };
      };
      expect(await synced(book, answer)).toMatchObject(WHOLE);
    },
  );

  test("that are times, and the time of one row was corrected by three days after sorting", async () => {
    const plain = tiedBook(5);
    const keys = new Map(plain.map((fill) => [fill.matchId, fill.txCreated]));
    const book = plain.map((fill, index) =>
      index === 2000 ? { ...fill, txCreated: fill.txCreated + 3 * DAY_MS } : fill,
    );
    const answer: Answer = (request) =>
      pagedBy(within(book, request), ({ matchId }) => keys.get(matchId) ?? 0, request);
    expect(await synced(book, answer)).toMatchObject(WHOLE);
  });

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

  test("another trader's token after a pause of 95 days: no held fill can be requested, and nothing is stored", async () => {
    const then = NOW - 95 * DAY_MS;
    const mine = unevenBook(1, [[300, 100, 170]]);
    const other = foreign(unevenBook(2, [[300, 0, 90]]));
    const answerOf =
      (run: number): Answer =>
      (request) =>
        (request.startDate ?? NOW) < (run === 0 ? then : NOW) - 90 * DAY_MS
          ? { refused: "dates" }
          : paged(within(run === 0 ? mine : other, request), request);
    const { ends } = await runs(mine, answerOf, [
      { now: then, from: then - 80 * DAY_MS },
      { now: NOW, from: NOW - 85 * DAY_MS },
    ]);
    expect(ends[1]).toMatchObject({ complete: false, fills: 300 });
    expect(ends[1]?.problem).toContain("refuses requests for the archive's newest fills");
  });

  test("the same trader after such a pause, with few new fills: an answer without dates shows a held fill", async () => {
    const then = NOW - 95 * DAY_MS;
    const book = unevenBook(1, [
      [300, 100, 170],
      [20, 0, 80],
    ]);
    const answerOf =
      (run: number): Answer =>
      (request) =>
        (request.startDate ?? NOW) < (run === 0 ? then : NOW) - 90 * DAY_MS
          ? { refused: "dates" }
          : paged(
              within(book, request).filter(({ txCreated }) => txCreated < (run === 0 ? then : NOW)),
              request,
            );
    const { ends } = await runs(book, answerOf, [
      { now: then, from: then - 80 * DAY_MS },
      { now: NOW, from: NOW - 85 * DAY_MS },
    ]);
    expect(ends[1]).toMatchObject({ fills: 320, problem: undefined });
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

test("a range wider than a day gives only its newest day, and 8 % of the answers are empty by mistake", async () => {
  const from = NOW - 10 * DAY_MS;
  const lost: number[] = [];
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = prng(seed).next;
    const book = bookAt([from + 1 + Math.floor(random() * 8.5 * DAY_MS)]);
    const answer: Answer = ({ startDate = 0, endDate = NOW, start }) => {
      const clamped = { startDate: Math.max(startDate, Math.min(endDate, NOW) - DAY_MS), endDate };
      return random() < 0.08 ? {} : paged(within(book, clamped), start === undefined ? {} : { start });
    };
    const { ends, lost: missing } = await runs(book, () => answer, [{ now: NOW, from }]);
    lost.push(ends[0]?.complete === true ? missing : 0);
  }
  expect(lost.filter((fills) => fills > 0)).toEqual([]);
});

test("a page without dates shows the newest fill before its dates do: the dates are still trusted", async () => {
  const book = [
    ...bookAt([NOW - MINUTE_MS]),
    ...bookOf(300, 30).map((one) => ({ ...one, matchId: `old-${one.matchId}` })),
  ];
  const answer: Answer = (request) => {
    const isDated = request.startDate !== undefined;
    return paged(within(isDated ? book.slice(1) : book, request), request);
  };
  const { job } = jobOf(answer, { settleLagMs: 15 * MINUTE_MS });
  const { complete, fills } = await syncArchive(job, {});
  const { manifest } = await readArchive(job.store, "main");
  expect({ complete, fills, isTrusted: manifest.checkpoint.datesTrusted }).toEqual({
    complete: true,
    fills: 300,
    isTrusted: true,
  });
});

describe("rows that only a page without dates shows", () => {
  const border = NOW - 90 * DAY_MS;
  const tableOf = (book: readonly PlainFill[], isArchived: boolean) =>
    book.filter(({ txCreated }) => txCreated < border === isArchived);

  test.each([1, 2, 3])("a live and an archive table, chosen by the start of the range, seed %d", async (seed) => {
    const book = unevenBook(seed, [[[150, 800, 2500][seed % 3] ?? 0, 1, 400]]).map(filledLater);
    const ofTable: Answer = (request) =>
      paged(within(tableOf(book, (request.startDate ?? NOW) < border), request), request);
    const isUndated = ({ startDate, endDate }: PageRequest) => startDate === undefined && endDate === undefined;
    expect(await synced(book, ofTable)).not.toMatchObject({ complete: true });
    const whole: Answer = (request, asked) => (isUndated(request) ? paged(book, request) : ofTable(request, asked));
    expect(await synced(book, whole)).toMatchObject(WHOLE);
  });

  test("a row with a time in the future, which no dates reach", async () => {
    const book = bookOf(300, 200);
    const ahead = book.slice(0, 1).map((fill) => ({ ...fill, matchId: "ahead", txCreated: NOW + 40 * DAY_MS }));
    const isUndated = ({ startDate, endDate }: PageRequest) => startDate === undefined && endDate === undefined;
    const answer: Answer = (request) =>
      paged(isUndated(request) ? [...ahead, ...book] : within(book, request), request);
    const { ends } = await runs(book, () => answer, [{ now: NOW }, { now: NOW + DAY_MS }]);
    const says = expect.stringMatching(/row 1 cannot be filed: txCreated is 2\d{3}.* in the future/);
    expect(ends).toMatchObject([
      { complete: false, problem: says },
      { complete: false, problem: says },
    ]);
    // The row lies beyond all coverage, so the coverage stays valid.
    const later = await runs(
      book,
      (run) => (run === 1 ? answer : (request) => paged(within(book, request), request)),
      [0, 1, 2].map((night) => ({ now: NOW + night * DAY_MS })),
    );
    expect(later.ends.map(({ complete }) => complete)).toEqual([true, false, true]);
    expect(later.ends[2]?.requests).toBeLessThan(30);
  });

  test("dates filter by the order's creation; after the first run, one order in 25 rests for days before its fill", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const random = prng(seed).next;
      const book = unevenBook(seed, [[500, -30, 100]]).map(filledLater);
      // None in the first run, so that it proves what the dates filter by.
      const restedMs = (time: number) => (time > NOW && random() < 0.04 ? 30 * random() * DAY_MS : 0);
      const madeAt = new Map(book.map(({ matchId, txCreated }) => [matchId, txCreated - restedMs(txCreated)]));
      const until = (now: number) => book.filter(({ txCreated }) => txCreated <= now);
      const answerOf =
        (run: number): Answer =>
        (request) => {
          const { startDate = 0, endDate = Number.POSITIVE_INFINITY } = request;
          const isMade = ({ matchId }: Fill) => {
            const at = madeAt.get(matchId) ?? 0;
            return startDate <= at && at <= endDate;
          };
          return paged(until(NOW + run * DAY_MS).filter(isMade), request);
        };
      const nights = Array.from({ length: 20 }, (_, run) => run);
      for (const last of [0, 10, 19]) {
        const plan = nights.slice(0, last + 1).map((run) => ({ now: NOW + run * DAY_MS }));
        const now = until(NOW + last * DAY_MS);
        const { ends, lost } = await runs(now, answerOf, plan);
        expect({ seed, last, complete: ends.at(-1)?.complete, lost }).toEqual({ seed, last, complete: true, lost: 0 });
      }
    }
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

/** The second time shows which of the two the dates filter by. */
function filledLater(fill: PlainFill): PlainFill {
  return { ...fill, filledAt: fill.txCreated + 5 * SECOND_MS };
}

function narrowly(isRefused: boolean, given: Given): Given {
  return isRefused ? { refused: "dates" } : given;
}

function foreign(book: readonly PlainFill[]): PlainFill[] {
  return book.map((fill) => ({ ...fill, matchId: `x${fill.matchId}`, orderId: `x${fill.orderId}` }));
}

/** 4,000 fills in 300 days, newest first, up to four in the same millisecond. */
function tiedBook(seed: number): PlainFill[] {
  const random = prng(seed).next;
  const times: number[] = [];
  while (times.length < 4000) {
    const time = NOW - Math.floor(random() * 300 * DAY_MS);
    times.push(...Array.from({ length: 1 + Math.floor(random() * 4) }, () => time));
  }
  return bookAt(times);
}

// A page that repeats a row hints that another page left one out; such a window is read three times. If no
// page repeats a row, nothing shows that a page left rows out.
test("cursors count rows, and one of two replicas lacks the three newest: at most 8 of 30 runs lose fills that both have (it was 25)", async () => {
  const book = bookOf(3000, 300);
  const lost: number[] = [];
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = prng(seed).next;
    const { job } = jobOf((request) => paged(within(random() < 0.5 ? book : book.slice(3), request), request));
    await syncArchive(job, {}); // it may miss the three newest
    lost.push(book.length - 3 - (await heldOf(job.store, book.slice(3))));
  }
  expect(lost.filter((count) => count > 0).length).toBeLessThanOrEqual(8);
});

// The first false end takes back silence that was believed before it. A range that a rotation was walking
// again then no longer counts as a recheck, so its silence must be believed like any other.
test.each([106, 148])(
  "one page of many lacks its `last` after the silence of a rotation is believed (request %d): the run ends",
  async (mistake) => {
    const days = [0, 1, 8];
    const random = prng(3).next;
    const old = Array.from({ length: 2400 }, () => NOW - (1 + 60 * random()) * DAY_MS);
    const fresh = Array.from({ length: 3000 }, () => NOW + 9 * random() * DAY_MS);
    const book = bookAt([...old, ...fresh].map(Math.floor)).map((fill) => ({ ...fill, filledAt: fill.txCreated - 7 }));
    let isMade = false;
    const answerOf =
      (run: number): Answer =>
      (request, asked) => {
        if (asked > 3000) {
          throw new FillbookError("fault", "asked without end");
        }
        const known = within(book, request).filter(({ txCreated }) => txCreated <= NOW + (days[run] ?? 0) * DAY_MS);
        const { rows = [], last } = paged(known.slice(0, 200), request);
        const isNow = run === 2 && asked >= mistake && last !== undefined && !isMade;
        isMade ||= isNow;
        return isNow || last === undefined ? { rows } : { rows, last };
      };
    const { ends } = await runs(
      book,
      answerOf,
      days.map((day) => ({ now: NOW + day * DAY_MS })),
    );
    expect([isMade, ...ends.map(({ complete }) => complete)]).toEqual([true, true, true, true]);
  },
);

describe("an empty `last` on the last page", () => {
  test.each([
    ["which is refused", () => ({ refused: "cursor" }) as const],
    [
      "which starts from the beginning",
      (rows: readonly PlainFill[], request: PageRequest) => emptyLast(rows, { ...request, start: "0" }),
    ],
  ])("%s: every fill is read", async (_, answerToEmpty) => {
    for (const order of ["descending", "ascending", "unordered"]) {
      for (const fills of [1, 250, 3000]) {
        const book = bookOf(fills, 60);
        const rows =
          { descending: book, ascending: book.toReversed() }[order] ??
          [...permutation(fills, 5)].flatMap((at) => book[at] ?? []);
        const answer: Answer = (request) => {
          const asked = within(rows, request);
          return request.start === "" ? answerToEmpty(asked, request) : emptyLast(asked, request);
        };
        expect([order, fills, await synced(book, answer)]).toMatchObject([order, fills, WHOLE]);
      }
    }
  });
});

function emptyLast(rows: readonly PlainFill[], request: PageRequest): Given {
  return { last: "", ...paged(rows, request) };
}

test("the service withdraws a fill, and dates filter by another time: --rebind accepts an answer that lacks the fill", async () => {
  const book = bookOf(500, 60).map((fill) => ({ ...fill, filledAt: fill.txCreated + DAY_MS }));
  const byOther = (
    rows: readonly PlainFill[],
    { start, startDate = 0, endDate = Number.POSITIVE_INFINITY }: PageRequest,
  ) => {
    const found = rows.filter(({ filledAt }) => startDate <= (filledAt ?? 0) && (filledAt ?? 0) <= endDate);
    return paged(found, start === undefined ? {} : { start });
  };
  const night = (day: number, rows: readonly PlainFill[], store?: Store) => {
    const clock = new VirtualClock(NOW + day * DAY_MS);
    return jobOf((request) => byOther(rows, request), { lookBackMs: 7 * DAY_MS, clock, ...(store && { store }) }).job;
  };
  const first = night(0, book);
  expect(await syncArchive(first, {})).toMatchObject({ complete: true, fills: 500 });
  const again = night(9, book.toSpliced(250, 1), first.store);
  const told = await syncArchive(again, {});
  expect([told.complete, told.problem?.hint]).toEqual([false, expect.stringContaining("--rebind")]);
  expect(await syncArchive(again, { rebinds: true })).toMatchObject({ complete: true });
  expect(await syncArchive(again, {})).toMatchObject({ complete: true });
});

test.each([200, 400])(
  "dates are widened to whole days, %d fills a day, at most 1,000 rows a query, oldest first: no night claims falsely to be complete",
  async (perDay) => {
    const random = prng(3).next;
    const times = Array.from(
      { length: 8 * perDay },
      (_, index) => NOW + (Math.floor(index / perDay) - 1 + random()) * DAY_MS,
    );
    const book = bookAt(times.map(Math.floor)).toReversed();
    const nights = Array.from({ length: 8 }, (_, night) => NOW + night * DAY_MS);
    const answerOf =
      (night: number): Answer =>
      ({ start, startDate, endDate }) => {
        const down = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;
        const dates =
          startDate === undefined ? {} : { startDate: down(startDate), endDate: down((endDate ?? NOW) + DAY_MS - 1) };
        const known = within(book, dates).filter(({ txCreated }) => txCreated <= (nights[night] ?? 0));
        return paged(known.slice(0, 1000), start === undefined ? {} : { start });
      };
    for (const last of nights.keys()) {
      const until = nights.slice(0, last + 1);
      const known = book.filter(({ txCreated }) => txCreated < (until.at(-1) ?? 0));
      const { ends, lost } = await runs(
        known,
        answerOf,
        until.map((now) => ({ now })),
      );
      expect([last, ends.at(-1)?.complete === true && lost > 0]).toEqual([last, false]);
    }
  },
);
