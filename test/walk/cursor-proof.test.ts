import { describe, expect, test } from "vitest";
import type { Order } from "../../lambda/archive/manifest.ts";
import type { PageAnswer, PageRequest } from "../../lambda/service/service.ts";
import { Chain } from "../../lambda/walk/chain.ts";
import { askCursors, CursorProof } from "../../lambda/walk/cursor-proof.ts";
import { freshWindow, undatedWindow } from "../../lambda/walk/plan.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { inProcessReader, NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 1, 1);
const WINDOW = freshWindow({ from: FROM, to: TO });
const LIVE = new AbortController().signal;

/** Ten pages of ten rows, a second apart, newest first. */
const PAGES = Array.from({ length: 10 }, (_, page) =>
  Array.from({ length: 10 }, (__, row) => FROM + (1000 - page * 10 - row) * 1000),
);

const TEN = { pageRows: 10, isRefuted: false };

describe("the window that is asked", () => {
  test("lies between known rows and holds more than a page of them; it is given once, after three pages", () => {
    const proof = new CursorProof(false);
    const chain = new Chain(WINDOW);
    const given = PAGES.map((times) => proof.offer(chain, times, TEN));
    expect(given.map((one) => one !== null)).toEqual([false, false, true, ...Array.from({ length: 7 }, () => false)]);
    const { from, to } = given[2] ?? { from: 0, to: 0 };
    const known = PAGES.slice(0, 3).flat();
    expect(known.filter((time) => from <= time && time < to).length).toBeGreaterThan(10);
    expect(Math.min(...known)).toBeLessThan(from - 1);
    expect(Math.max(...known)).toBeGreaterThan(to);
  });

  test("is none where it is known already, without dates, or where all rows are of one time", () => {
    const offers = (proof: CursorProof, chain: Chain, pages: readonly number[][]) =>
      pages.map((times) => proof.offer(chain, times, TEN)).filter((one) => one !== null);
    expect(offers(new CursorProof(true), new Chain(WINDOW), PAGES)).toEqual([]);
    expect(offers(new CursorProof(false), new Chain(undatedWindow(WINDOW)), PAGES)).toEqual([]);
    const tied = PAGES.map((page) => page.map(() => FROM + 5));
    expect(offers(new CursorProof(false), new Chain(WINDOW), tied)).toEqual([]);
  });
});

describe("windows of the walk show it themselves", () => {
  const proof = new CursorProof(false);
  proof.offer(new Chain(WINDOW), [FROM + 100, FROM + 900], { ...TEN, isRefuted: true });
  const walked = (from: number, to: number, pages = 2) => ({ ...freshWindow({ from, to }), pages });
  const order = (direction: Order["direction"], refuted = false): Order => ({ direction, refuted, evidence: 0 });

  test("where their last page came, although rows are known that would have been next", () => {
    expect(proof.hasKept(walked(FROM + 500, FROM + 1000), order("descending"))).toBe(true);
    expect(proof.hasKept(walked(FROM, FROM + 500), order("descending"))).toBe(false);
    expect(proof.hasKept(walked(FROM, FROM + 500), order("ascending"))).toBe(true);
    expect(proof.hasKept(walked(FROM + 500, FROM + 1000), order("ascending"))).toBe(false);
    expect(proof.hasKept(walked(FROM, FROM + 500), order("descending", true))).toBe(true);
  });

  test("not by one page, nor where all that is known lies within", () => {
    expect(proof.hasKept(walked(FROM + 500, FROM + 1000, 1), order("descending"))).toBe(false);
    expect(proof.hasKept(walked(FROM, FROM + 1000), order("descending", true))).toBe(false);
    expect(proof.hasKept(walked(FROM + 500, FROM + 1000), order(null))).toBe(false);
  });
});

describe("what a service does with the dates of a cursor", () => {
  const history = makeHistory({ seed: 3, fills: 200, from: FROM, to: TO });
  const middle = { from: history.times[80] ?? 0, to: (history.times[110] ?? 0) + 1 };

  async function asked(switches: Partial<Switches>, window = middle) {
    const emulator = createEmulator({ history, switches: { pageLimit: 20, ...switches } });
    let pages = 0;
    const times: number[] = [];
    const { cursors, isAtEnd } = await askCursors(
      inProcessReader(emulator, new VirtualClock(NOW)),
      LIVE,
      window,
      (_rows, newTimes) => {
        pages += 1;
        times.push(...newTimes);
      },
    );
    return { answer: cursors, pages, isAtEnd, times };
  }

  test.each(["descending", "ascending", "unordered"] as const)(
    "it keeps them, or it forgets them: %s",
    async (order) => {
      expect(await asked({ order })).toMatchObject({ answer: "kept", pages: 2, isAtEnd: true });
      expect(await asked({ order, cursorDates: "required" })).toMatchObject({ answer: "kept" });
      expect(await asked({ order, cursorDates: "forgotten" })).toMatchObject({
        answer: "forgotten",
        pages: 2,
        isAtEnd: false,
      });
    },
  );

  test("its rows are told as they came, each once, so that the order of their end is seen", async () => {
    const { times } = await asked({ repeatRows: 5 });
    expect(times).toEqual([...history.times].filter((time) => middle.from <= time && time < middle.to).reverse());
  });

  test("one page, a refused cursor, or a last page without rows say nothing", async () => {
    const one = { from: middle.from, to: middle.from + 1 };
    expect(await asked({}, one)).toMatchObject({ answer: "unknown" });
    expect(await asked({ cursorRefused: true })).toMatchObject({ answer: "unknown" });
    expect(await asked({ lastOnFinal: "zero" }, one)).toMatchObject({ answer: "unknown", pages: 2, isAtEnd: true });
  });

  test("it is asked no more than eight pages, where there is no end", async () => {
    const requests: PageRequest[] = [];
    const completedOrders = (request: PageRequest): Promise<PageAnswer> => {
      requests.push(request);
      const fill = makeFill({ txCreated: middle.from + requests.length, matchId: `m-${requests.length}` });
      return Promise.resolve({ kind: "page", body: "", rows: [{ fill }], last: `${requests.length}` });
    };
    expect(await askCursors({ completedOrders }, LIVE, middle, () => undefined)).toEqual({
      cursors: "kept",
      isAtEnd: false,
    });
    expect(requests).toHaveLength(8);
    expect(new Set(requests.map(({ startDate, endDate }) => `${startDate} ${endDate}`)).size).toBe(1);
  });
});
