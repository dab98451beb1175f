import { describe, expect, test } from "vitest";
import { readArchive } from "../../lambda/archive/read.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS, MINUTE_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { type Answer, bookOf, heldOf, jobOf, paged, synced, within } from "../support/odd-service.ts";
import { permutation } from "../support/prng.ts";

describe("answers of at most a hundred rows, with some left out, and never a `last`", () => {
  test.each([5, 20, 60])("one in twenty is left out, of 3,000 in %d days: every fill is read", async (days) => {
    const all = bookOf(3000, days);
    const isGone = (fill: Fill) => Number(fill.matchId.slice(2)) % 20 === 7;
    const book = all.filter((fill) => !isGone(fill));
    const found = await synced(book, (request) => ({
      rows: within(all, request)
        .slice(0, 100)
        .filter((fill) => !isGone(fill)),
    }));
    expect(found).toMatchObject({ complete: true, fills: book.length, lost: 0 });
  });
});

describe("a cap on the rows sent, and some rows sent twice", () => {
  test.each([251, 1009])("no order, at most 500, one in %d twice: every fill is read", async (every) => {
    const book = bookOf(4000, 90);
    const isTwice = (fill: Fill) => Number(fill.matchId.slice(2)) % every === 0;
    const shuffled = [...permutation(book.length, every)].flatMap((index) => book[index] ?? []);
    const sent = shuffled.flatMap((fill) => (isTwice(fill) ? [fill, fill] : [fill]));
    const found = await synced(book, (request) => paged(within(sent, request).slice(0, 500), request));
    expect(found).toMatchObject({ complete: true, fills: book.length, lost: 0 });
  });
});

describe("dates are refused", () => {
  const book = bookOf(2000, 60);

  test("once, by mistake, at any of the first dated requests: all is read, and the refusal is not remembered", async () => {
    for (let mistake = 2; mistake <= 24; mistake += 1) {
      const sound: Answer = (request) => paged(within(book, request), request);
      const { job } = jobOf((request, asked) =>
        asked === mistake && request.start === undefined && request.startDate !== undefined
          ? { refused: "dates" }
          : sound(request, asked),
      );
      expect(await syncArchive(job, {})).toMatchObject({ complete: true, fills: book.length });
      expect((await readArchive(job.store, "main")).manifest.checkpoint.limits?.refusedMs ?? null).toBeNull();
    }
  });

  test("if a range holds more than 1,000 rows, and one day does: narrower ranges read them all", async () => {
    const day = bookOf(1500, 1).map((fill) => makeFill({ ...fill, matchId: `d-${fill.matchId}` }));
    const burst = day.map((fill) => ({ ...fill, txCreated: fill.txCreated - 30 * DAY_MS }));
    const dense = [...book, ...burst].toSorted((a, b) => b.txCreated - a.txCreated);
    const found = await synced(dense, (request) => {
      const rows = within(dense, request);
      return rows.length > 1000 && request.startDate !== undefined ? { refused: "dates" } : paged(rows, request);
    });
    expect(found).toMatchObject({ complete: true, fills: dense.length, lost: 0 });
  });

  test.each([
    [1500, DAY_MS],
    [5000, DAY_MS / 24],
  ])(
    "if a range holds more than 1,000 rows, and the newest %d are within %d ms: older ranges are requested as wide as accepted",
    async (fills, widthMs) => {
      const burst = bookOf(fills, widthMs / DAY_MS).map((fill) => makeFill({ ...fill, matchId: `d-${fill.matchId}` }));
      const older = bookOf(800, 700).map((fill) => ({ ...fill, txCreated: fill.txCreated - DAY_MS }));
      const found = await synced([...burst, ...older], (request) => {
        const rows = within([...burst, ...older], request);
        return rows.length > 1000 && request.startDate !== undefined ? { refused: "dates" } : paged(rows, request);
      });
      expect(found).toMatchObject({ complete: true, fills: fills + 800, lost: 0 });
      expect(found.requests).toBeLessThanOrEqual((1.5 * (fills + 800)) / 100 + 60);
    },
  );

  test("if they are older than 30 days: newer fills are read, and the run reports the rest", async () => {
    const { job } = jobOf((request) =>
      (request.startDate ?? NOW) < NOW - 30 * DAY_MS ? { refused: "dates" } : paged(within(book, request), request),
    );
    const result = await syncArchive(job, { from: NOW - 60 * DAY_MS, to: NOW });
    const hint = expect.stringContaining("--from");
    expect(result).toMatchObject({ complete: false, problem: { kind: "incomplete", hint } });
    expect(result.coverage[0]?.from).toBeLessThan(NOW - 30 * DAY_MS + 2 * MINUTE_MS);
    expect(result.requests).toBeLessThan(120);
  });
});

describe("dates that are too old get an empty answer", () => {
  test.each([
    [365, 200],
    [365, 30],
    [3000, 300],
    [52, 200],
  ])("%d fills in a year, of which the service shows %d days: all of those are read", async (fills, answered) => {
    const book = bookOf(fills, 365);
    const newest = book.filter(({ txCreated }) => txCreated >= NOW - answered * DAY_MS);
    const { job } = jobOf((request) => {
      const isTooOld = (request.startDate ?? NOW) < NOW - answered * DAY_MS;
      return isTooOld ? {} : paged(within(newest, request), request);
    });
    await syncArchive(job, {});
    expect(await heldOf(job.store, newest)).toBe(newest.length);
  });
});

describe("a probe without dates shows a fill that covered times lack", () => {
  const book = bookOf(300, 60);
  const late = makeFill({ matchId: "late", txCreated: NOW - 30 * DAY_MS - 1, filledAt: null });
  const all = [...book, late].toSorted((a, b) => b.txCreated - a.txCreated);

  test("it came late: its time is walked again by dates, which stay trusted", async () => {
    let isThere = false;
    const { job } = jobOf((request) => {
      if (request.startDate === undefined && request.endDate === undefined) {
        isThere = true;
        return { rows: [late, ...book.slice(0, 99)] };
      }
      return paged(within(isThere ? all : book, request), request);
    });
    expect(await syncArchive(job, { from: NOW - 60 * DAY_MS, to: NOW })).toMatchObject({ complete: true, fills: 301 });
    expect((await readArchive(job.store, "main")).manifest.checkpoint.datesTrusted).toBe(true);
  });
});
