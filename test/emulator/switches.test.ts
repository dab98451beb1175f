import { describe, expect, it } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions, SAMPLE_TOKEN } from "./core.ts";
import { makeHistory } from "./history.ts";
import { DEFAULT_SWITCHES, type Switches, UNFILABLE_KINDS, UNTYPED_KINDS } from "./switches.ts";
import type { EmulatorAnswer, EmulatorHost } from "./wire.ts";

/** After the whole history. */
const NOW_MS = Date.UTC(2026, 0, 15);
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

/** One request as a test writes it. */
interface Ask {
  readonly path: string;
  readonly host?: EmulatorHost;
  readonly query?: Readonly<Record<string, string>>;
  /** null: none is sent */
  readonly token?: string | null;
}

function ask(emulator: Emulator, request: Ask, nowMs: number): EmulatorAnswer {
  const { path, host = "account", query = {}, token = SAMPLE_TOKEN } = request;
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  return emulator.handle({ method: "GET", host, path, query: new URLSearchParams(query), headers, body: "" }, nowMs);
}

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
});
