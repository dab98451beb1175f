import { describe, expect, test } from "vitest";
import type { Fill } from "../../lambda/core/fill.ts";
import { isWithin } from "../../lambda/core/ranges.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { PageAnswer, PageRequest, ServiceReader } from "../../lambda/service/service.ts";
import { askCursors } from "../../lambda/walk/ask-cursors.ts";
import { Chain } from "../../lambda/walk/chain.ts";
import { CursorProof, windowsIn } from "../../lambda/walk/cursor-proof.ts";
import type { ProbePorts } from "../../lambda/walk/probe.ts";
import { freshWindow } from "../../lambda/walk/window.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { inProcessReader, makeBench, NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 1, 1);
const WINDOW = freshWindow({ from: FROM, to: TO });

const portsOf = (reader: ServiceReader): ProbePorts => ({
  reader,
  signal: new AbortController().signal,
  clock: fakeClock(),
  onPage: () => undefined,
});

const fillsAt = (times: readonly number[]) =>
  times.map((txCreated, index) => makeFill({ txCreated, matchId: `m-${txCreated}-${index}` }));

/** Ten pages of ten rows, one second apart, newest first. */
const TIMES = Array.from({ length: 10 }, (_, page) =>
  Array.from({ length: 10 }, (__, row) => FROM + (1000 - page * 10 - row) * 1000),
);
const PAGES = TIMES.map(fillsAt);
const TEN = { pageRows: 10, isRefuted: false };
const NOTHING = { cursorsProven: false };

describe("the window for the probe", () => {
  test("lies between known rows and holds more than a page of them; it is chosen once, after five pages", () => {
    const proof = new CursorProof();
    const chain = new Chain(WINDOW);
    const given = PAGES.map((fills) => {
      proof.answered();
      return proof.offer(chain, fills, TEN, NOTHING);
    });
    expect(given.map((one) => one !== null)).toEqual([
      false,
      false,
      false,
      false,
      true,
      ...Array.from({ length: 5 }, () => false),
    ]);
    const { from, to } = given[4]?.window ?? { from: 0, to: 0 };
    const known = TIMES.slice(2, 5).flat();
    expect(known.filter((time) => from <= time && time < to).length).toBeGreaterThan(10);
    expect(given[4]?.fills.map(({ txCreated }) => txCreated)).toEqual(
      known.filter((time) => from <= time && time < to),
    );
    expect(Math.min(...known)).toBeLessThan(from - 1);
    expect(Math.max(...known)).toBeGreaterThan(to);
  });

  test.each(["descending", "ascending"] as const)("has a page that ends between rows of one time: %s", (direction) => {
    const times = TIMES.slice(0, 3).flat();
    const tied = times.map((time, index) => (index === 16 ? (times[15] ?? 0) : time));
    const rows = direction === "descending" ? tied : tied.map((time) => 2 * FROM + 1_000_000 - time);
    const window = windowsIn(
      rows.map((txCreated) => ({ txCreated })),
      10,
    ).find(({ gapMs }) => gapMs === 0);
    const { from, to } = window?.range ?? { from: 0, to: 0 };
    const inside = rows.filter((time) => from <= time && time < to);
    expect(inside[9]).toBe(rows[15]);
    expect(inside[10]).toBe(rows[15]);
  });
});

const KEPT = [{ kind: "cursors-keep-dates" }];

describe("whether cursors keep the dates", () => {
  const history = makeHistory({ seed: 3, fills: 200, from: FROM, to: TO });
  const middle = { from: history.times[80] ?? 0, to: (history.times[110] ?? 0) + 1 };

  async function asked(switches: Partial<Switches>, window = middle) {
    const emulator = createEmulator({ history, switches: { pageLimit: 20, ...switches } });
    const times = [...emulator.truth(NOW).values()].filter(({ txCreated }) => isWithin(window, txCreated));
    const fills = times.map(({ matchId, orderId, txCreated }) => makeFill({ matchId, orderId, txCreated }));
    let pages = 0;
    const came: number[] = [];
    const reader = inProcessReader(emulator, new VirtualClock(NOW));
    const { findings, isAtEnd } = await askCursors(
      portsOf(reader),
      { window, fills, span: { from: FROM, to: TO } },
      (newTimes) => {
        pages += 1;
        came.push(...newTimes);
      },
    );
    return { findings, pages, isAtEnd, times: came };
  }

  test.each(["descending", "ascending", "unordered"] as const)("they keep them or forget them: %s", async (order) => {
    expect(await asked({ order })).toMatchObject({ findings: KEPT, pages: 2, isAtEnd: true });
    expect(await asked({ order, cursorDates: "required" })).toMatchObject({ findings: KEPT });
    expect(await asked({ order, cursorDates: "forgotten" })).toMatchObject({
      findings: [{ kind: "row-from-elsewhere" }],
      pages: 2,
      isAtEnd: false,
    });
  });

  test("the probe reports its rows in order of arrival, each once, so that their order can be checked", async () => {
    const { times } = await asked({ repeatRows: 5 });
    expect(times).toEqual([...history.times].filter((time) => middle.from <= time && time < middle.to).reverse());
  });

  test("one page, a refused cursor, or a last page without rows proves nothing", async () => {
    const one = { from: middle.from, to: middle.from + 1 };
    expect(await asked({}, one)).toMatchObject({ findings: [] });
    expect(await asked({ cursorRefused: true })).toMatchObject({ findings: [] });
    expect(await asked({ lastOnFinal: "zero" }, one)).toMatchObject({ findings: [], pages: 2, isAtEnd: true });
  });

  test("the probe requests at most eight pages if there is no end", async () => {
    const requests: PageRequest[] = [];
    const completedOrders = (request: PageRequest): Promise<PageAnswer> => {
      requests.push(request);
      const fill = makeFill({ txCreated: middle.from + requests.length, matchId: `m-${requests.length}` });
      return Promise.resolve({ kind: "page", body: "", rows: [{ fill }], last: `${requests.length}` });
    };
    expect(
      await askCursors(
        portsOf(stubReader({ completedOrders })),
        { window: middle, fills: [], span: middle },
        () => undefined,
      ),
    ).toEqual({
      findings: KEPT,
      isAtEnd: false,
    });
    // Eight pages, and one of another query between them: cursors might refer to the latest query.
    const others = requests.filter(({ start }) => start === undefined).slice(1);
    expect([requests.length, others]).toEqual([9, [requests[1]]]);
  });
});

describe("the rest of a millisecond in which a page ends", () => {
  /** Thirty rows, newest first. The tenth and eleventh have the same time. */
  const book = fillsAt(Array.from({ length: 30 }, (_, index) => FROM + (100 - (index === 10 ? 9 : index)) * 1000));
  const known = book.slice(0, 14);
  const window = { from: known.at(-1)?.txCreated ?? 0, to: FROM + 100_001 };

  /** The findings if the service answers with these pages. */
  async function found(pages: readonly (readonly Fill[])[], fills: readonly Fill[] = known) {
    let page = 0;
    const completedOrders = (): Promise<PageAnswer> => {
      const rows = (pages[page] ?? []).map((fill) => ({ fill }));
      page = (page + 1) % pages.length;
      return Promise.resolve({ kind: "page", body: "", rows, ...(page > 0 ? { last: `${page}` } : {}) });
    };
    const { findings } = await askCursors(
      portsOf(stubReader({ completedOrders })),
      { window, fills, span: window },
      () => undefined,
    );
    return findings.flatMap((one) => (one.kind === "ties" ? [one.ties] : []));
  }

  test("comes on the next page, or does not", async () => {
    expect(await found([book.slice(0, 10), book.slice(10, 14)])).toEqual(["kept"]);
    expect(await found([book.slice(0, 10), book.slice(11, 14)])).toEqual(["dropped"]);
  });

  test("was left out by the chain if the probe finds a new row at a known time", async () => {
    const without = known.filter((fill) => fill !== book[10]);
    expect(await found([book.slice(0, 12), book.slice(12, 14)], without)).toEqual(["dropped"]);
  });

  test("is not decided by a page that ends elsewhere, or if other rows are missing too", async () => {
    expect(await found([book.slice(0, 9), book.slice(9, 14)])).toEqual([]);
    expect(await found([book.slice(0, 11), book.slice(11, 14)])).toEqual([]);
    expect(await found([book.slice(0, 10), []])).toEqual([]);
  });
});

describe("a service whose cursors are times", () => {
  const cases = [150, 300, 1000, 5000].flatMap((fills) =>
    (["descending", "ascending"] as const).map((order) => ({ fills, order })),
  );

  test.each(cases)(
    "$fills fills, $order: every fill, with at most twice as many requests as pages, plus 22",
    async (account) => {
      const history = makeHistory({ seed: 1, fills: account.fills, from: FROM, to: TO, ties: 20, selfTrades: 0.05 });
      const emulator = createEmulator({ history, switches: { order: account.order, timeCursors: true } });
      const { job } = makeBench({ emulator });
      const { complete, fills, requests } = await syncArchive(job, { from: FROM, to: TO });
      expect({ complete, fills }).toEqual({ complete: true, fills: account.fills });
      expect(requests).toBeLessThanOrEqual((2 * account.fills) / 100 + 22);
    },
  );

  test("more fills in a millisecond than fit on a page: exit 4, and all others are read", async () => {
    const history = makeHistory({ seed: 1, fills: 3000, from: FROM, to: TO, ties: 250 });
    const emulator = createEmulator({ history, switches: { timeCursors: true } });
    const { job } = makeBench({ emulator });
    const { complete, fills, problem } = await syncArchive(job, { from: FROM, to: TO });
    expect(complete).toBe(false);
    expect(fills).toBeGreaterThanOrEqual(3000 - 250);
    expect(problem?.message).toMatch("more fills share a millisecond than fit on a page");
  });
});
