import { describe, expect, it } from "vitest";
import { type Ask, ask, NOW_MS } from "./asking.ts";
import { createEmulator, type EmulatorOptions, SAMPLE_TOKEN } from "./core.ts";
import type { FaultKind } from "./faults.ts";
import { makeHistory } from "./history.ts";
import { startEmulator } from "./server.ts";
import { DEFAULT_SWITCHES, type Switches, UNFILABLE_KINDS, UNTYPED_KINDS } from "./switches.ts";

const FROM = Date.UTC(2025, 0, 1);
const HISTORY = makeHistory({ seed: 5, fills: 1200, from: FROM, to: Date.UTC(2026, 0, 1), ties: 120 });
const TIE_MS = Date.UTC(2025, 1, 1); // 120 fills: at a bound, and more than a page

const RANGES: readonly Readonly<Record<string, string>>[] = [
  {},
  { startDate: String(TIE_MS), endDate: String(TIE_MS) },
  { startDate: String(TIE_MS - 1), endDate: String(TIE_MS) },
  { startDate: String(TIE_MS), endDate: String(TIE_MS + 86_400_000 * 60) },
];

const OTHER_DATES: typeof RANGES = [
  {},
  { startDate: String(TIE_MS + 86_400_000), endDate: String(TIE_MS + 86_400_000 * 90) },
];

/** Each switch, set to something else; the compiler asks for a new one. */
const OTHER: { readonly [Name in keyof Switches]: Switches[Name] } = {
  order: "ascending",
  startInclusive: false,
  endInclusive: false,
  filterBy: "updated",
  pageLimit: 40,
  shortPages: true,
  emptyPages: 0.5,
  lastOnFinal: "zero",
  cursorValues: [""],
  cursorDates: "forgotten",
  cursorLifetimeMs: 1500,
  cursorLifetimePages: 0,
  cursorExpired: 410,
  freshCursors: true,
  cursorLoop: { length: 2, afterPages: 1 },
  cursorRefused: true,
  repeatRows: 5,
  lateRows: { share: 0.5, afterRequests: 100 },
  changingRows: { share: 0.5, what: "content", afterRequests: 1 },
  clamp: { widthMs: 86_400_000, anchor: "start", alsoSingleBound: false },
  retentionMs: 86_400_000 * 180,
  badRows: { share: 0.5, kinds: ["no-match-id", "price-null"] },
  rowCap: { rows: 150 },
  seconds: { share: 0.5, field: "filledAt" },
  replicas: { share: 0.5, lacks: 0.5 },
  rangeLimits: { maxWidthMs: 86_400_000 },
  falseEmpty: 0.5,
  lostLast: 0.5,
  offsetCursors: true,
  timeCursors: true,
  limits: [{ kind: "fixed-window", limit: 3, windowMs: 60_000 }],
  faults: { schedule: [{ nth: 2, kind: "503" }] },
  latency: { ms: 50, jitterMs: 10 },
  marketsShape: "keyed",
  marketsHost: "order",
  unknownMarket: "bad-request",
  publicAuth: "required",
  notFoundBody: "html",
};

/** What only shows together with another switch. */
const CONTEXT: Readonly<Partial<Record<keyof Switches, Partial<Switches>>>> = {
  cursorExpired: { cursorLifetimePages: 0 },
  offsetCursors: { lateRows: { share: 0.5, afterRequests: 5 } },
};

const FAULTS: readonly FaultKind[] = [
  "408",
  "500",
  "502",
  "504",
  "reset",
  "cut",
  "html",
  "half-json",
  "not-object",
  "error-body",
  "hang",
  "slow",
  "huge",
  "redirect",
];
const DAY_MS = 86_400_000;

/** More values of the switches that have several: each of them has to be seen by itself. */
const MORE: readonly Partial<Switches>[] = [
  ...(["unordered", "shuffled-pages", "newest-last"] as const).map((order) => ({ order })),
  ...(["cursor", "empty-string", "null", "empty-string-restarts"] as const).map((lastOnFinal) => ({ lastOnFinal })),
  ...(["required", "sent"] as const).map((cursorDates) => ({ cursorDates })),
  ...(["wrapped", "market-objects", "name-objects", "other"] as const).map((marketsShape) => ({ marketsShape })),
  { filterBy: "filledAt" },
  { cursorLifetimePages: 0, cursorExpired: "restarts" },
  { lateRows: { share: 0.5, maxDelayMs: 300 * DAY_MS } },
  { changingRows: { share: 0.5, what: "content", afterMs: 60 * DAY_MS } },
  { changingRows: { share: 0.5, what: "filledAt-appears", afterRequests: 1 } },
  { clamp: { widthMs: DAY_MS, anchor: "end", alsoSingleBound: true } },
  { clamp: { widthMs: DAY_MS, anchor: "end", alsoSingleBound: false, noDatesMs: 60 * DAY_MS } },
  { rowCap: { rows: 150, emptyLast: true } },
  { seconds: { share: 0.5, field: "txCreated" } },
  { replicas: { share: 0.5, lagMs: 60 * DAY_MS } },
  { replicas: { share: 1, lacks: 0.5, untilRequest: 5 } },
  { rangeLimits: { oldestAgeMs: 90 * DAY_MS, status: 422 } },
  { publicAuth: "refused" },
  { notFoundBody: "empty" },
  ...[...UNFILABLE_KINDS, ...UNTYPED_KINDS, "deep-nesting" as const].map((kind) => ({
    badRows: { share: 0.5, kinds: [kind] },
  })),
  { limits: [{ kind: "sliding-window", limit: 2, windowMs: 7000 }] },
  { limits: [{ kind: "token-bucket", ratePerSecond: 0.1, burst: 3 }] },
  { limits: [{ kind: "concurrency", limit: 1, holdMs: 3000 }] },
  { limits: [{ kind: "ban", ratePerSecond: 0.1, burst: 1, banMs: 9000, growth: 2 }] },
  { limits: [{ kind: "fixed-window", limit: 3, windowMs: 60_000, retryAfter: "seconds" }] },
  { limits: [{ kind: "fixed-window", limit: 3, windowMs: 60_000, retryAfter: "http-date" }] },
  ...FAULTS.map((kind) => ({ faults: { schedule: [{ nth: 2, kind }] } })),
  { faults: { rate: 0.5, kinds: ["502"] } },
  { faults: { outages: [{ fromMs: NOW_MS + 5000, toMs: NOW_MS + 9000, kind: "504" }] } },
];

/** One request of each kind, and two chains of pages, two seconds apart: all that a client can see. */
function transcript(options: EmulatorOptions): string[] {
  const emulator = createEmulator({ seed: 5, history: HISTORY, ...options });
  let nowMs = NOW_MS;
  const see = (request: Ask): string => {
    nowMs += 2000;
    return JSON.stringify(ask(emulator, request, nowMs)).replaceAll(String(nowMs), "now");
  };
  const seen: string[] = [];
  for (const dates of RANGES) {
    let query: Readonly<Record<string, string>> = dates;
    for (let pages = 0; pages < 20; pages++) {
      const answer = see({ path: "/api/v1/completed-orders", query });
      seen.push(answer);
      const last = /\\"last\\":\\"(.*?)\\"/.exec(answer)?.[1];
      if (last === undefined) {
        break;
      }
      if (query === dates) {
        // What a cursor means without its dates, and with others.
        for (const others of OTHER_DATES) {
          seen.push(see({ path: "/api/v1/completed-orders", query: { ...others, start: last } }));
        }
      }
      query = { ...dates, start: last };
    }
  }
  seen.push(
    see({ path: "/api/v1/open-order", query: { market: "BTC-USD", "order-id": "none" } }),
    see({ path: "/api/v1/markets", host: "market-data" }),
    see({ path: "/api/v1/market-data", host: "market-data", query: { markets: "BTC-USD,NO-USD" }, token: null }),
    see({ path: "/api/v2/product-specifications", host: "market-data", token: null }),
  );
  return seen;
}

describe("switches", () => {
  const plain = transcript({});

  it("does the same for the same seed, options, requests and times", () => {
    expect(transcript({})).toEqual(plain);
    const drawn = {
      switches: { shortPages: true, emptyPages: 0.3, faults: { rate: 0.2, kinds: ["500", "reset"] } },
    } as const;
    expect(transcript(drawn)).toEqual(transcript(drawn));
  });

  it.each(Object.keys(DEFAULT_SWITCHES) as (keyof Switches)[])("%s changes what a client sees", (name) => {
    const context = CONTEXT[name] ?? {};
    const without = name in CONTEXT ? transcript({ switches: context }) : plain;
    expect(transcript({ switches: { ...context, [name]: OTHER[name] } })).not.toEqual(without);
  });

  it("every other value of a switch is seen too, and is no value of it that was seen before", () => {
    const first = Object.entries(OTHER).map(([name, value]) => ({ ...CONTEXT[name as keyof Switches], [name]: value }));
    const seen = new Map<string, Set<string>>();
    for (const switches of [...first, ...MORE]) {
      const known = seen.get(Object.keys(switches).join()) ?? new Set([plain.join()]);
      const transcribed = transcript({ switches }).join();
      expect([switches, known.has(transcribed)]).toEqual([switches, false]);
      seen.set(Object.keys(switches).join(), known.add(transcribed));
    }
  });

  it("over HTTP, each fault of the connection and of the body is one as well", async () => {
    const { accountUrl, emulator, close } = await startEmulator({ history: HISTORY, now: () => NOW_MS });
    const headers = { authorization: `Bearer ${SAMPLE_TOKEN}` };
    const get = async () => {
      try {
        const signal = AbortSignal.timeout(2000);
        const answer = await fetch(`${accountUrl}/api/v1/completed-orders`, { headers, signal, redirect: "manual" });
        return [answer.status, (await answer.text()).length];
      } catch (error) {
        return [error instanceof Error ? error.name : "", 0];
      }
    };
    const [, length = 0] = await get();
    const seen: Record<string, unknown> = {};
    for (const kind of FAULTS) {
      emulator.setSwitches({ faults: { schedule: [{ nth: 1, times: 1000, kind }], hugeBytes: 1_000_000 } });
      seen[kind] = await get();
    }
    expect(length).toBeGreaterThan(1000);
    expect(seen).toMatchObject({
      reset: ["TypeError", 0],
      cut: ["TypeError", 0],
      hang: ["TimeoutError", 0],
      slow: [200, length],
      huge: [200, Number(length) + 1_000_000],
      redirect: [302, 0],
    });
    await close();
  });

  it("what can be filed is told from what cannot, so that readers can be held to both", () => {
    for (const kind of [...UNFILABLE_KINDS, ...UNTYPED_KINDS]) {
      const emulator = createEmulator({
        seed: 5,
        history: HISTORY,
        switches: { badRows: { share: 0.1, kinds: [kind] } },
      });
      expect(emulator.truth().size + emulator.unfilable()).toBe(HISTORY.times.length);
      expect(emulator.unfilable() > 0).toBe(UNFILABLE_KINDS.includes(kind));
    }
  });

  it("can be changed at run time", () => {
    const emulator = createEmulator({ history: HISTORY });
    emulator.setSwitches({ order: "ascending" });
    const answer = JSON.stringify(ask(emulator, { path: "/api/v1/completed-orders" }));
    expect(answer).toContain(HISTORY.item(0).matchId);
  });
});
