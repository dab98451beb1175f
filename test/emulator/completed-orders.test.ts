import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { answerOf, NOW_MS, readChain } from "./asking.ts";
import { createEmulator } from "./core.ts";
import { historyItems, makeHistory } from "./history.ts";
import type { Switches } from "./switches.ts";
import { type CompletedOrder, itemIdentity } from "./wire.ts";

const FROM = Date.UTC(2025, 0, 1);
const HISTORY = makeHistory({ seed: 7, fills: 1500, from: FROM, to: Date.UTC(2026, 0, 1), ties: 230 });
const ALL = [...historyItems(HISTORY)];
const TIE_MS = Date.UTC(2025, 1, 1);
const MARCH = { startDate: Date.UTC(2025, 2, 1), endDate: Date.UTC(2025, 6, 1) };
const PATH = "/api/v1/completed-orders";

const emulate = (switches: Partial<Switches> = {}) => createEmulator({ seed: 7, history: HISTORY, switches });
const identities = (rows: readonly CompletedOrder[]) => rows.map(itemIdentity).toSorted();
const times = (rows: readonly CompletedOrder[]) => rows.map((row) => row.txCreated);
const within = ({ startDate, endDate }: { startDate: number; endDate: number }) =>
  ALL.filter((row) => row.txCreated >= startDate && row.txCreated <= endDate);

describe("by default", () => {
  it("gives the whole account, newest first, 100 a page, each row as the truth has it", () => {
    const emulator = emulate();
    const { rows, pages, outcome } = readChain(emulator);
    expect([outcome, pages.length]).toEqual(["end", 15]);
    expect(rows.toReversed()).toEqual(ALL);
    expect([...emulator.truth().values()]).toEqual(ALL);
  });

  it("gives a window with both ends, more than a page of one millisecond included", () => {
    expect(identities(readChain(emulate(), MARCH).rows)).toEqual(identities(within(MARCH)));
    const tie = { startDate: TIE_MS, endDate: TIE_MS };
    const { rows, pages } = readChain(emulate(), tie);
    expect(identities(rows)).toEqual(identities(within(tie)));
    expect([rows.length >= 230, pages.length]).toEqual([true, Math.ceil(rows.length / 100)]);
  });

  it("refuses dates that are no milliseconds, and cursors that it did not give", () => {
    const queries: readonly Record<string, string>[] = [
      { startDate: "2025-01-01" },
      { endDate: "-5" },
      { start: "made-up" },
      { start: "" },
    ];
    for (const query of queries) {
      expect(answerOf(emulate(), { path: PATH, query }).status).toBe(400);
    }
  });

  it("keeps every request with its query", () => {
    const emulator = emulate();
    const { cursors } = readChain(emulator, MARCH);
    const log = emulator.log.completedOrders;
    expect(log.map((entry) => entry.start)).toEqual([null, ...cursors]);
    expect(log[0]).toEqual({
      startDate: String(MARCH.startDate),
      endDate: String(MARCH.endDate),
      start: null,
      nowMs: NOW_MS,
      outcome: "200",
    });
  });
});

/** Readings under which one chain over everything, read to its absent `last`, still gives all. */
const KIND = fc.record<Partial<Switches>>(
  {
    order: fc.constantFrom("descending", "ascending", "unordered", "shuffled-pages"),
    startInclusive: fc.boolean(),
    endInclusive: fc.boolean(),
    filterBy: fc.constantFrom("txCreated", "filledAt", "updated"),
    pageLimit: fc.integer({ min: 20, max: 100 }),
    shortPages: fc.boolean(),
    emptyPages: fc.constantFrom(0, 0.3, 0.6),
    lastOnFinal: fc.constantFrom("absent", "cursor", "empty-string", "zero", "null"),
    cursorValues: fc.constantFrom<readonly string[]>([], [""], ["0"], ["", "0"]),
    cursorDates: fc.constantFrom("remembered", "required", "sent", "forgotten"),
    cursorLifetimePages: fc.constantFrom(null, 1, 5),
    freshCursors: fc.boolean(),
    repeatRows: fc.constantFrom(0, 1, 10, 100),
  },
  { requiredKeys: [] },
);

describe("under any of the kind readings", () => {
  test.prop([KIND, fc.integer({ min: 0, max: 1000 })], { numRuns: 40 })(
    "one chain gives the whole account, nothing invented",
    (switches, seed) => {
      const emulator = createEmulator({ seed, history: HISTORY, switches });
      const { rows, outcome } = readChain(emulator);
      expect(outcome).toBe("end");
      expect([...new Set(identities(rows))]).toEqual(identities(ALL));
      const truth = emulator.truth();
      expect(rows.every((row) => JSON.stringify(row) === JSON.stringify(truth.get(itemIdentity(row))))).toBe(true);
    },
  );

  test.prop([KIND], { numRuns: 40 })(
    "a window asked with 1 ms more on each side holds its rows, if the dates filter txCreated",
    (switches) => {
      const wide = { startDate: MARCH.startDate - 1, endDate: MARCH.endDate + 1 };
      const { rows, outcome } = readChain(emulate({ ...switches, filterBy: "txCreated" }), wide);
      const found = rows.filter((row) => row.txCreated >= MARCH.startDate && row.txCreated <= MARCH.endDate);
      expect(outcome).toBe("end");
      expect([...new Set(identities(found))]).toEqual(identities(within(MARCH)));
    },
  );
});

describe("order", () => {
  it("ascending is descending turned round; unordered and shuffled-pages are neither, and stable", () => {
    expect(readChain(emulate({ order: "ascending" })).rows).toEqual(ALL);
    for (const order of ["unordered", "shuffled-pages"] as const) {
      const seen = times(readChain(emulate({ order })).rows);
      expect(seen).not.toEqual(times(ALL));
      expect(seen).not.toEqual(times(ALL).toReversed());
      expect(times(readChain(emulate({ order })).rows)).toEqual(seen);
    }
    const firstPage = readChain(emulate({ order: "shuffled-pages" }), { maxPages: 1 }).rows;
    expect(times(firstPage)).toEqual(times(firstPage).toSorted((a, b) => b - a));
  });
});

describe("bounds and filter", () => {
  const count = (switches: Partial<Switches>, startDate: number, endDate: number) =>
    readChain(emulate(switches), { startDate, endDate }).rows.length;
  const tied = within({ startDate: TIE_MS, endDate: TIE_MS }).length;
  const before = within({ startDate: TIE_MS - 1, endDate: TIE_MS - 1 }).length;

  it("include or leave out the rows exactly at each bound", () => {
    expect(count({}, TIE_MS - 1, TIE_MS)).toBe(before + tied);
    expect(count({ startInclusive: false }, TIE_MS - 1, TIE_MS)).toBe(tied);
    expect(count({ endInclusive: false }, TIE_MS - 1, TIE_MS)).toBe(before);
    expect(count({ startInclusive: false, endInclusive: false }, TIE_MS - 1, TIE_MS)).toBe(0);
  });

  it("filter by filledAt or by the time of the last update, known or not", () => {
    for (const filterBy of ["filledAt", "updated"] as const) {
      const expected = ALL.filter((_, index) => {
        const time = HISTORY.hidden(index)[filterBy];
        return time >= MARCH.startDate && time <= MARCH.endDate;
      });
      expect(identities(readChain(emulate({ filterBy }), MARCH).rows)).toEqual(identities(expected));
      expect(identities(expected)).not.toEqual(identities(within(MARCH)));
    }
  });
});

describe("pages", () => {
  it("are short although last is present", () => {
    const { pages } = readChain(emulate({ shortPages: true }));
    expect(new Set(pages.slice(0, -1).map((page) => page.completedOrders.length)).size).toBeGreaterThan(5);
  });

  it("are empty although last is present, also several in a row", () => {
    const { pages } = readChain(emulate({ emptyPages: 0.6 }));
    const shape = pages.map((page) => (page.completedOrders.length === 0 ? "e" : "r")).join("");
    expect(shape).toMatch(/eee/);
    expect(pages.filter((page) => page.completedOrders.length === 0).every((page) => "last" in page)).toBe(true);
  });

  it("begin with rows of the one before", () => {
    const { pages } = readChain(emulate({ repeatRows: 3 }));
    for (const [index, page] of pages.slice(1).entries()) {
      expect(page.completedOrders.slice(0, 3)).toEqual(pages[index]?.completedOrders.slice(-3));
      expect(page.completedOrders.length).toBeLessThanOrEqual(100);
    }
  });

  it.each([
    ["cursor", expect.stringMatching(/^.{16}$/)],
    ["empty-string", ""],
    ["zero", "0"],
  ] as const)("carry last on the final one, which leads to an empty page: %s", (lastOnFinal, last) => {
    const { pages } = readChain(emulate({ lastOnFinal }), MARCH);
    expect(pages.at(-2)?.last).toEqual(last);
    expect(pages.at(-2)?.completedOrders.length).toBeGreaterThan(0);
    expect(pages.at(-1)).toEqual({ completedOrders: [] });
  });

  it("carry a null last on the final one, or an empty one that means page one", () => {
    expect(readChain(emulate({ lastOnFinal: "null" }), MARCH).pages.at(-1)?.last).toBeNull();
    const { pages, outcome } = readChain(emulate({ lastOnFinal: "empty-string-restarts" }), { ...MARCH, maxPages: 60 });
    expect(outcome).toBe("bound");
    expect(pages[pages.findIndex((page) => page.last === "") + 1]).toEqual(pages[0]);
  });
});

describe("cursors", () => {
  it("may be empty or zero in mid-chain, in several chains at once", () => {
    const emulator = emulate({ cursorValues: ["", "0"] });
    const other = { startDate: MARCH.endDate + 1 };
    const first = (dates: { startDate: number; endDate?: number }) => readChain(emulator, { ...dates, maxPages: 2 });
    expect(first(MARCH).cursors).toEqual(["", "0"]);
    expect(first(other).cursors).toEqual(["", "0"]);
    const query = { startDate: String(MARCH.startDate), endDate: String(MARCH.endDate), start: "0" };
    const body = answerOf(emulator, { path: PATH, query }).body;
    expect(JSON.parse(body).completedOrders).toEqual(within(MARCH).toReversed().slice(200, 300));
  });

  it("remember their dates, need them, take those sent, or forget them", () => {
    const without = (cursorDates: Switches["cursorDates"]) =>
      readChain(emulate({ cursorDates }), { ...MARCH, datesWithCursor: false });
    const older = ALL.filter((row) => row.txCreated <= MARCH.endDate);
    expect(identities(without("remembered").rows)).toEqual(identities(within(MARCH)));
    expect(without("required").outcome).toBe(400);
    expect(identities(without("sent").rows)).toEqual(identities(older));
    expect(identities(readChain(emulate({ cursorDates: "required" }), MARCH).rows)).toEqual(identities(within(MARCH)));
    expect(identities(readChain(emulate({ cursorDates: "sent" }), MARCH).rows)).toEqual(identities(within(MARCH)));
    expect(identities(readChain(emulate({ cursorDates: "forgotten" }), MARCH).rows)).toEqual(identities(older));
  });

  it("die of age, with 400, 410 or silently from page one", () => {
    const lifetime = { cursorLifetimeMs: 1000 };
    expect(readChain(emulate(lifetime), { stepMs: 999 }).outcome).toBe("end");
    expect(readChain(emulate(lifetime), { stepMs: 1000 }).outcome).toBe(400);
    expect(readChain(emulate({ ...lifetime, cursorExpired: 410 }), { stepMs: 1000 }).outcome).toBe(410);
    const { pages } = readChain(emulate({ ...lifetime, cursorExpired: "restarts" }), { stepMs: 1000, maxPages: 3 });
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
  });

  it("die once later pages were answered, to anyone", () => {
    const emulator = emulate({ cursorLifetimePages: 2 });
    const { cursors } = readChain(emulator, { maxPages: 2 });
    const again = (cursor: string | undefined) =>
      answerOf(emulator, { path: PATH, query: { start: cursor ?? "" } }).status;
    expect(again(cursors[0])).toBe(200);
    expect(again(cursors[0])).toBe(400);
  });

  test.prop([fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5 })], { numRuns: 20 })(
    "go round in a cycle of any length",
    (length, afterPages) => {
      const loop = { cursorLoop: { length, afterPages } };
      const { cursors, outcome } = readChain(emulate(loop), { maxPages: 40 });
      expect(outcome).toBe("bound");
      expect(new Set(cursors).size).toBe(afterPages + length - 1);
      expect(cursors.slice(afterPages - 1 + length, afterPages - 1 + 2 * length)).toEqual(
        cursors.slice(afterPages - 1, afterPages - 1 + length),
      );
      const fresh = readChain(emulate({ ...loop, freshCursors: true }), { maxPages: 40 });
      expect(fresh.outcome).toBe("bound");
      expect(new Set(fresh.cursors).size).toBe(40);
    },
  );

  it("are all refused", () => {
    const { pages, outcome } = readChain(emulate({ cursorRefused: true }));
    expect([pages.length, outcome]).toEqual([1, 400]);
  });

  it("have new texts each time, or the same ones", () => {
    const twice = (freshCursors: boolean) => {
      const emulator = emulate({ freshCursors });
      return [readChain(emulator, { maxPages: 1 }).cursors, readChain(emulator, { maxPages: 1 }).cursors];
    };
    const [same, again] = twice(false);
    const [first, second] = twice(true);
    expect(again).toEqual(same);
    expect(second).not.toEqual(first);
  });
});
