import { DAY_MS } from "../../../lambda/core/time.ts";
import { type History, historyItems, historyOf, makeHistory } from "../../emulator/history.ts";
import type { HistoryOptions } from "../../emulator/history-plan.ts";
import type { Switches } from "../../emulator/switches.ts";

/** A service that fits the interface document, and events while it is read. */
export interface Service {
  readonly name: string;
  readonly title: string;
  readonly history: History;
  readonly switches: Partial<Switches>;
  /** Changes before a second run, a day later by the clocks; undefined: there is one run. */
  readonly later?: Partial<Switches>;
  /** The first run is killed (SIGKILL) at its nth request, and a second run follows. */
  readonly killedAt?: number;
}

const YEAR_DAYS = 365;
const QUICK = { ms: 10, jitterMs: 10 };

/** `endMs`: the newest fills are just before this time. */
export function timedService(fills: number, endMs: number): Service {
  return {
    name: "a",
    title: "newest first, nothing special",
    history: historyBefore(endMs, YEAR_DAYS, { seed: 1, fills, ties: 0 }),
    switches: { latency: { ms: 20, jitterMs: 20 } },
  };
}

export function hardServices(fills: number, endMs: number): readonly Service[] {
  const year = historyBefore(endMs, YEAR_DAYS, { seed: 2, fills, ties: 0 });
  const month = historyBefore(endMs, 30, { seed: 3, fills, ties: 0 });
  const threeDays = 3 * DAY_MS;
  const services: readonly Service[] = [
    {
      name: "b",
      title: `${Math.floor(fills / 5)} fills in one millisecond`,
      history: historyBefore(endMs, YEAR_DAYS, { seed: 4, fills, ties: Math.floor(fills / 5) }),
      switches: {},
    },
    {
      name: "c",
      title: "short and empty pages that have `last`",
      history: year,
      switches: { shortPages: true, emptyPages: 0.1 },
    },
    {
      name: "d1",
      title: "10 requests in 2 s, `Retry-After`",
      history: year,
      switches: { limits: [{ kind: "fixed-window", limit: 10, windowMs: 2000, retryAfter: "seconds" }] },
    },
    {
      name: "d2",
      title: "12 requests per second, burst 5, without `Retry-After`",
      history: year,
      switches: { limits: [{ kind: "token-bucket", ratePerSecond: 12, burst: 5 }] },
    },
    {
      name: "e",
      title: "one attempt in ten: 5xx, cut body or reset",
      history: year,
      switches: { faults: { rate: 0.1, kinds: ["500", "502", "503", "cut", "reset"] } },
    },
    {
      name: "e2",
      title: "one attempt in ten: status 200 with half a body or `{message}`",
      history: year,
      switches: { faults: { rate: 0.1, kinds: ["half-json", "error-body"] } },
    },
    {
      name: "f",
      title: "`last` also on the final page",
      history: year,
      switches: { lastOnFinal: "cursor" },
    },
    {
      name: "g",
      title: "two runs, a day apart; in between, fills appear up to 3 days late and fees of recent fills change",
      history: month,
      switches: {
        lateRows: { share: 0.3, maxDelayMs: threeDays },
        changingRows: { share: 0.3, what: "content", afterMs: threeDays },
      },
      later: { lateRows: null, changingRows: { share: 0.3, what: "content", afterMs: 0 } },
    },
    {
      name: "h",
      title: "a range wider than 7 days is silently cut to its newest 7 days",
      history: year,
      switches: { clamp: { widthMs: 7 * DAY_MS, anchor: "end", alsoSingleBound: true, noDatesMs: 7 * DAY_MS } },
    },
    {
      name: "i",
      title: "killed (SIGKILL) in the middle and run again",
      history: year,
      switches: {},
      killedAt: Math.floor(fills / 200),
    },
    {
      name: "j",
      title: "both dates exclusive, a fill every millisecond",
      history: burst(fills, endMs - 10 * DAY_MS),
      switches: { startInclusive: false, endInclusive: false },
    },
    {
      name: "k",
      title: "each page begins with the last 5 rows of the previous page",
      history: year,
      switches: { repeatRows: 5 },
    },
    {
      name: "l",
      title: `at most ${Math.floor(fills / 10)} rows per query, then no \`last\``,
      history: year,
      switches: { rowCap: { rows: Math.floor(fills / 10) } },
    },
    {
      name: "m",
      title: "8 answers in 100 are empty and without `last`, although rows exist",
      history: year,
      switches: { falseEmpty: 0.08 },
    },
    {
      name: "n",
      title: "a range wider than 30 days is refused with 400",
      history: year,
      switches: { rangeLimits: { maxWidthMs: 30 * DAY_MS } },
    },
  ];
  return services.map((service) => ({ ...service, switches: { latency: QUICK, ...service.switches } }));
}

/** The beginning that is given to every tool that needs one: midnight UTC of the account's first day. */
export function beginningOf({ history }: Service): number {
  return Math.floor((history.times[0] ?? 0) / DAY_MS) * DAY_MS;
}

function historyBefore(endMs: number, days: number, options: Pick<HistoryOptions, "seed" | "fills" | "ties">): History {
  return makeHistory({ ...options, from: Math.floor(endMs / DAY_MS - days) * DAY_MS, to: endMs });
}

/** Some seconds of a market maker: from midnight on, one fill in each millisecond. */
function burst(fills: number, ms: number): History {
  const from = Math.floor(ms / DAY_MS) * DAY_MS;
  const plain = makeHistory({ seed: 5, fills, from, to: from + DAY_MS });
  return historyOf(
    [...historyItems(plain)].map(({ filledAt: _at, ...item }, index) => ({ ...item, txCreated: from + index })),
  );
}
