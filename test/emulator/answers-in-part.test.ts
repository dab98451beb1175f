import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { answerOf, type Chain, type ChainOptions, NOW_MS, type Page, readChain } from "./asking.ts";
import { createEmulator, type Emulator } from "./core.ts";
import { historyItems, historyOf, makeHistory } from "./history.ts";
import type { Switches } from "./switches.ts";
import { type CompletedOrder, itemIdentity } from "./wire.ts";

// Answers that lack a part: row caps, times in seconds, replicas, refused ranges, empty answers, lost and shifting cursors.

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2025, 0, 1);
const HISTORY = makeHistory({ seed: 7, fills: 1500, from: FROM, to: Date.UTC(2026, 0, 1), ties: 230 });
const ALL = [...historyItems(HISTORY)];
const NEWEST_FIRST = ALL.toReversed();
const PATH = "/api/v1/completed-orders";
const SPRING = { startDate: Date.UTC(2025, 2, 1), endDate: Date.UTC(2025, 5, 1) };
const OF_SPRING = NEWEST_FIRST.filter((row) => row.txCreated >= SPRING.startDate && row.txCreated <= SPRING.endDate);

const emulate = (switches: Partial<Switches>): Emulator => createEmulator({ seed: 7, history: HISTORY, switches });
const sizes = ({ pages }: Chain) => pages.map((page) => page.completedOrders.length);
const identities = (rows: readonly CompletedOrder[]) => rows.map(itemIdentity);

function read(switches: Partial<Switches>, options?: ChainOptions): Chain {
  return readChain(emulate(switches), options);
}

function pageOf(emulator: Emulator, query: Readonly<Record<string, string>> = {}): Page {
  return JSON.parse(answerOf(emulator, { path: PATH, query }).body);
}

describe("a row cap", () => {
  it("ends each query after so many rows, without last, whatever its dates", () => {
    const emulator = emulate({ rowCap: { rows: 250 } });
    for (const [dates, expected] of [
      [{}, NEWEST_FIRST],
      [SPRING, OF_SPRING],
      [{ endDate: SPRING.startDate }, NEWEST_FIRST.filter((row) => row.txCreated <= SPRING.startDate)],
    ] as const) {
      expect(expected.length).toBeGreaterThan(250);
      const chain = readChain(emulator, dates);
      expect(chain.rows).toEqual(expected.slice(0, 250));
      expect(sizes(chain)).toEqual([100, 100, 50]);
      expect(chain.pages.at(-1)).not.toHaveProperty("last");
    }
  });

  it("leads to an empty page without last, when told to", () => {
    const chain = read({ rowCap: { rows: 250, emptyLast: true } });
    expect(sizes(chain)).toEqual([100, 100, 50, 0]);
    expect(chain.rows).toEqual(NEWEST_FIRST.slice(0, 250));
    expect(chain.pages.at(-1)).toEqual({ completedOrders: [] });
  });

  it.each([OF_SPRING.length, OF_SPRING.length + 1])(
    "of %i rows does nothing to an answer of fewer or as many",
    (rows) => {
      for (const emptyLast of [false, true]) {
        expect(read({ rowCap: { rows, emptyLast } }, SPRING).pages.map((page) => page.completedOrders)).toEqual(
          read({}, SPRING).pages.map((page) => page.completedOrders),
        );
      }
    },
  );

  it("does not count rows that are served again, and ends short, empty and ordered pages alike", () => {
    const repeating = read({ rowCap: { rows: 250 }, repeatRows: 30 });
    expect([...new Set(identities(repeating.rows))]).toEqual(identities(NEWEST_FIRST.slice(0, 250)));
    expect(repeating.rows.length).toBeGreaterThan(250);
    expect(read({ rowCap: { rows: 250 }, shortPages: true, emptyPages: 0.4 }).rows).toEqual(NEWEST_FIRST.slice(0, 250));
    expect(read({ rowCap: { rows: 250 }, order: "ascending" }).rows).toEqual(ALL.slice(0, 250));
    const onFinal = read({ rowCap: { rows: 250 }, lastOnFinal: "zero" });
    expect([onFinal.cursors.at(-1), onFinal.rows.length]).toEqual(["0", 250]);
  });
});

describe("times in seconds", () => {
  it.each(["txCreated", "filledAt"] as const)("%s: a share of the rows, named, and nothing else differs", (field) => {
    const emulator = emulate({ seconds: { share: 0.2, field } });
    const { rows } = readChain(emulator);
    const named = emulator.inSeconds();
    const expected = NEWEST_FIRST.map((row) =>
      named.has(itemIdentity(row)) ? { ...row, [field]: Math.floor((row[field] ?? 0) / 1000) } : row,
    );
    expect(rows).toEqual(expected);
    const shown = ALL.filter((row) => row[field] !== undefined).length;
    expect(named.size / shown).toBeGreaterThan(0.15);
    expect(named.size / shown).toBeLessThan(0.25);
    expect([...emulator.truth().values()]).toEqual(ALL);
  });

  it("all of them, with dates that go by the true time", () => {
    const { rows } = read({ seconds: { share: 1, field: "txCreated" } }, SPRING);
    expect(rows.map((row) => row.txCreated)).toEqual(OF_SPRING.map((row) => Math.floor(row.txCreated / 1000)));
    expect(read({ seconds: { share: 0, field: "txCreated" } }).rows).toEqual(NEWEST_FIRST);
  });
});

describe("replicas that are behind", () => {
  const LAG_MS = 60 * DAY_MS;

  it("lack what is younger than their lag, in a share of the answers", () => {
    const emulator = emulate({ replicas: { share: 0.3, lagMs: LAG_MS } });
    const old = NEWEST_FIRST.filter((row) => row.txCreated <= NOW_MS - LAG_MS);
    expect(old.length).toBeLessThan(ALL.length - 100);
    const firstPages = Array.from({ length: 200 }, () => pageOf(emulator).completedOrders);
    const behind = firstPages.filter((rows) => rows[0]?.txCreated !== NEWEST_FIRST[0]?.txCreated);
    expect(behind.length).toBeGreaterThan(40);
    expect(behind.length).toBeLessThan(80);
    expect(behind.every((rows) => JSON.stringify(rows) === JSON.stringify(old.slice(0, 100)))).toBe(true);
    expect([...emulator.truth().values()]).toEqual(ALL);
  });

  it("lack a share of all rows, the same each time, until a number of requests", () => {
    const emulator = emulate({ replicas: { share: 1, lacks: 0.25, untilRequest: 60 } });
    const early = readChain(emulator).rows;
    expect(readChain(emulator).rows).toEqual(early);
    expect(early.length / ALL.length).toBeGreaterThan(0.7);
    expect(early.length / ALL.length).toBeLessThan(0.8);
    while (emulator.log.completedOrders.length < 59) {
      pageOf(emulator);
    }
    expect(readChain(emulator).rows).toEqual(NEWEST_FIRST);
  });
});

describe("refused ranges", () => {
  const status = (rangeLimits: Switches["rangeLimits"], dates: { startDate?: number; endDate?: number }) => {
    const query = Object.fromEntries(Object.entries(dates).map(([name, value]) => [name, String(value)]));
    return answerOf(emulate({ rangeLimits }), { path: PATH, query });
  };
  const day = (days: number) => NOW_MS - days * DAY_MS;

  it("are those wider than the limit, one date alone among them, unless told otherwise", () => {
    const limits = { maxWidthMs: 30 * DAY_MS };
    expect(status(limits, { startDate: day(30), endDate: day(0) }).status).toBe(200);
    const refused = status(limits, { startDate: day(30) - 1, endDate: day(0) });
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      400,
      { message: "the range must not be wider than 2592000000 ms" },
    ]);
    expect([status(limits, { startDate: day(1) }).status, status(limits, { endDate: day(1) }).status]).toEqual([
      400, 400,
    ]);
    const both = { ...limits, alsoSingleBound: false };
    expect([status(both, { startDate: day(90) }).status, status(both, { endDate: day(1) }).status]).toEqual([200, 200]);
    expect(status(both, { startDate: day(90), endDate: day(0) }).status).toBe(400);
    expect(status(limits, {}).status).toBe(200);
  });

  it("are those that begin too long ago, with the status and body given", () => {
    const body = { body: "startDate is out of range", statusCode: 422 };
    const limits = { oldestAgeMs: 90 * DAY_MS, status: 422, body } as const;
    expect(status(limits, { startDate: day(90), endDate: day(0) }).status).toBe(200);
    const refused = status(limits, { startDate: day(90) - 1, endDate: day(89) });
    expect([refused.status, JSON.parse(refused.body)]).toEqual([422, body]);
    expect(status(limits, { startDate: day(200) }).status).toBe(422);
    expect([status(limits, { endDate: day(200) }).status, status(limits, {}).status]).toEqual([200, 200]);
  });

  it("are refused with a cursor too; within the limit a chain is whole", () => {
    const emulator = emulate({ rangeLimits: { maxWidthMs: 92 * DAY_MS } });
    expect(readChain(emulator, SPRING).rows).toEqual(OF_SPRING);
    const { cursors } = readChain(emulator, { ...SPRING, maxPages: 1 });
    const query = { startDate: String(FROM), endDate: String(SPRING.endDate), start: cursors[0] ?? "" };
    expect(answerOf(emulator, { path: PATH, query }).status).toBe(400);
  });
});

describe("empty answers that are false", () => {
  it("are a share of them, without last, and the same request may have its rows again", () => {
    const emulator = emulate({ falseEmpty: 0.2 });
    const pages = Array.from({ length: 300 }, () => pageOf(emulator));
    const empty = pages.filter((page) => page.completedOrders.length === 0);
    expect(empty.length).toBeGreaterThan(40);
    expect(empty.length).toBeLessThan(80);
    expect(empty.every((page) => JSON.stringify(page) === '{"completedOrders":[]}')).toBe(true);
    const full = pages.filter((page) => page.completedOrders.length > 0);
    expect(
      full.every((page) => JSON.stringify(page.completedOrders) === JSON.stringify(NEWEST_FIRST.slice(0, 100))),
    ).toBe(true);
  });

  it("end a chain in its middle, and its cursor goes on when asked again", () => {
    const emulator = emulate({ falseEmpty: 0.2 });
    const rows: CompletedOrder[] = [];
    let start: string | undefined;
    while (rows.length < ALL.length) {
      const page = pageOf(emulator, start === undefined ? {} : { start });
      rows.push(...page.completedOrders);
      start = page.last ?? start;
    }
    expect(rows).toEqual(NEWEST_FIRST);
    expect(emulator.log.requests).toBeGreaterThan(15);
  });
});

describe("a last that is missing", () => {
  it("ends a share of the chains before their end, with every row of the page", () => {
    const emulator = emulate({ lostLast: 0.05 });
    const chains = Array.from({ length: 60 }, () => readChain(emulator).rows);
    const cut = chains.filter((rows) => rows.length < ALL.length);
    expect(chains.every((rows) => JSON.stringify(rows) === JSON.stringify(NEWEST_FIRST.slice(0, rows.length)))).toBe(
      true,
    );
    expect(cut.every((rows) => rows.length % 100 === 0)).toBe(true);
    // Of fourteen pages with a last, all have it in 0.95^14 = 49 % of the chains.
    expect(cut.length).toBeGreaterThan(15);
    expect(cut.length).toBeLessThan(45);
  });
});

describe("cursors that are offsets", () => {
  const EXAMPLE = HISTORY.item(0);
  const row = (txCreated: number): CompletedOrder => ({ ...EXAMPLE, matchId: `m-${txCreated}`, txCreated });
  const T0 = Date.UTC(2025, 5, 1);
  /** A fill a minute. The last ten appear while a chain is read. */
  const MINUTES = historyOf(Array.from({ length: 40 }, (_, minute) => row(T0 + minute * 60_000)));
  const atMinute = (rows: readonly CompletedOrder[]) => rows.map(({ txCreated }) => (txCreated - T0) / 60_000);

  it("change nothing where nothing appears", () => {
    for (const switches of [{}, { order: "unordered" }, { repeatRows: 5 }] as const) {
      expect(read({ ...switches, offsetCursors: true }, SPRING).rows).toEqual(read(switches, SPRING).rows);
    }
  });

  it("serve rows twice where newer ones appear at the top, and lose none that was there", () => {
    const switches = { offsetCursors: true, pageLimit: 10, lateRows: { share: 1, maxDelayMs: 1 } };
    const nowMs = T0 + 29.5 * 60_000;
    const emulator = createEmulator({ history: MINUTES, switches });
    const { pages } = readChain(emulator, { nowMs, stepMs: 3 * 60_000 });
    expect(pages.map((page) => atMinute(page.completedOrders))).toEqual([
      [29, 28, 27, 26, 25, 24, 23, 22, 21, 20],
      [22, 21, 20, 19, 18, 17, 16, 15, 14, 13],
      [15, 14, 13, 12, 11, 10, 9, 8, 7, 6],
      [8, 7, 6, 5, 4, 3, 2, 1, 0],
    ]);
  });

  it("oldest first, and with cursors that hold their place, no row is served twice", () => {
    const late = { share: 1, maxDelayMs: 1 };
    const minutes = (switches: Partial<Switches>) => {
      const all = { pageLimit: 10, lateRows: late, ...switches };
      const emulator = createEmulator({ history: MINUTES, switches: all });
      return atMinute(readChain(emulator, { nowMs: T0 + 29.5 * 60_000, stepMs: 60_000 }).rows);
    };
    expect(minutes({ offsetCursors: true, order: "ascending" })).toEqual(Array.from({ length: 33 }, (_, at) => at));
    expect(minutes({})).toEqual(Array.from({ length: 30 }, (_, at) => 29 - at));
  });
});

/** Each of them, and each of the readings that they meet. */
const TOGETHER = fc.record<Partial<Switches>>(
  {
    rowCap: fc.record({ rows: fc.integer({ min: 1, max: 700 }), emptyLast: fc.boolean() }),
    seconds: fc.record({ share: fc.constantFrom(0.02, 1), field: fc.constantFrom("txCreated", "filledAt") }),
    replicas: fc.record({ share: fc.constant(0.3), lagMs: fc.constant(90 * DAY_MS), lacks: fc.constantFrom(0, 0.2) }),
    rangeLimits: fc.record({ maxWidthMs: fc.constant(30 * DAY_MS), oldestAgeMs: fc.constant(400 * DAY_MS) }),
    falseEmpty: fc.constantFrom(0.08, 0.5),
    lostLast: fc.constantFrom(0.05, 0.5),
    offsetCursors: fc.boolean(),
    order: fc.constantFrom("descending", "ascending", "unordered", "shuffled-pages", "newest-last"),
    filterBy: fc.constantFrom("txCreated", "filledAt", "updated"),
    pageLimit: fc.integer({ min: 5, max: 100 }),
    shortPages: fc.boolean(),
    emptyPages: fc.constantFrom(0, 0.3),
    lastOnFinal: fc.constantFrom("absent", "cursor", "empty-string", "zero", "null"),
    cursorValues: fc.constantFrom<readonly string[]>([], [""], ["", "0"]),
    cursorDates: fc.constantFrom("remembered", "required", "sent", "forgotten"),
    cursorLifetimePages: fc.constantFrom(null, 5),
    freshCursors: fc.boolean(),
    cursorLoop: fc.constantFrom(null, { length: 2, afterPages: 2 }),
    repeatRows: fc.constantFrom(0, 10),
    lateRows: fc.constantFrom(null, { share: 0.3, afterRequests: 10 }),
    clamp: fc.constantFrom(null, { widthMs: 7 * DAY_MS, anchor: "end" as const, alsoSingleBound: true }),
    badRows: fc.constantFrom(null, { share: 0.1, kinds: ["no-match-id" as const, "price-null" as const] }),
  },
  { requiredKeys: [] },
);

describe("all of them with all others", () => {
  test.prop([TOGETHER, fc.constantFrom<ChainOptions>({}, SPRING, { endDate: SPRING.endDate })], { numRuns: 150 })(
    "pages hold rows of the account, at most as many as the limits allow",
    (switches, dates) => {
      const emulator = emulate(switches);
      const known = new Set(identities(ALL));
      const { rows, pages, outcome } = readChain(emulator, { ...dates, maxPages: 400 });
      const sound = rows.filter((row) => row.matchId !== undefined);
      const { rowCap = null, rangeLimits = null, pageLimit = 100 } = switches;
      expect(sound.every((row) => known.has(itemIdentity(row)))).toBe(true);
      expect(pages.every((page) => page.completedOrders.length <= pageLimit)).toBe(true);
      const isServedOnce = ![switches.cursorLoop, switches.repeatRows, switches.offsetCursors].some(Boolean);
      if (rowCap !== null && isServedOnce) {
        expect(rows.length).toBeLessThanOrEqual(rowCap.rows);
      }
      if (rangeLimits !== null && Object.keys(dates).length > 0) {
        expect([pages.length, outcome]).toEqual([0, 400]);
      }
    },
  );
});
