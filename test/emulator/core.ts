import { hashText, share } from "../support/prng.ts";
import { createCompletedOrders } from "./completed-orders.ts";
import { applyFault, drawFault, newFaultState } from "./faults.ts";
import { type History, historyOf, makeHistory } from "./history.ts";
import { createLimiter, type Limiter, type LimiterSpec, rateLimitHeaders, retryAfterHeaders } from "./limiters.ts";
import { createRows, type Moment } from "./rows.ts";
import { DEFAULT_SWITCHES, type Switches, UNFILABLE_KINDS } from "./switches.ts";
import { createWindows } from "./windows.ts";
import {
  type CompletedOrder,
  type EmulatorAnswer,
  type EmulatorRequest,
  type HttpAnswer,
  itemIdentity,
  json,
} from "./wire.ts";

export interface EmulatorOptions {
  /** default 1 */
  readonly seed?: number;
  /** The account's fills; default 1,000 fills of 2025. */
  readonly history?: History | readonly CompletedOrder[];
  readonly switches?: Partial<Switches>;
  /** Accepted bearer tokens; default `[SAMPLE_TOKEN]`. */
  readonly tokens?: readonly string[];
}

export type Emulator = ReturnType<typeof createEmulator>;

/** Has the form of a JWT, but grants nothing. */
export const SAMPLE_TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJlbXVsYXRvciJ9.c2FtcGxl";

/**
 * The trading service of the interface document, as far as archives and packs ask it: the completed orders, the
 * markets and their specifications. It uses no HTTP, no clock and no randomness of its own: the
 * same seed, options, requests and times give the same answers.
 */
export function createEmulator(options: EmulatorOptions = {}) {
  const seed = options.seed ?? 1;
  const history = accountOf(options, seed);
  const log: RequestLog = { requests: 0, byOutcome: {}, completedOrders: [] };
  const faultState = newFaultState();
  let tokens = new Set(options.tokens ?? [SAMPLE_TOKEN]);
  let switches: Switches = { ...DEFAULT_SWITCHES, ...options.switches };
  let limiters = new Map<string, readonly (readonly [LimiterSpec, Limiter])[]>();
  let newestMs = Number.POSITIVE_INFINITY;

  const current = () => switches;
  const rows = createRows(history, seed, current);
  const completedOrders = createCompletedOrders(
    seed,
    rows,
    createWindows(history, seed, current),
    (index) => history.times[index] ?? 0,
    current,
  );
  const momentAt = (nowMs: number): Moment => ({ nowMs, requests: log.completedOrders.length });

  const requestMoment = (nowMs: number): Moment => {
    const moment = momentAt(nowMs);
    return { ...moment, isBehind: rows.isBehind(moment.requests) };
  };

  const isAccepted = (request: EmulatorRequest) => tokens.has(bearerOf(request) ?? "");

  const refusedByLimit = (request: EmulatorRequest, nowMs: number, latencyMs: number): HttpAnswer | null => {
    const who = bearerOf(request) ?? "";
    const own = limiters.get(who) ?? switches.limits.map((spec) => [spec, createLimiter(spec)] as const);
    limiters.set(who, own);
    for (const [spec, limiter] of own) {
      const waitMs = limiter.refuse(nowMs, latencyMs);
      if (waitMs !== null) {
        return json(429, { message: "too many requests" }, retryAfterHeaders(spec, nowMs, waitMs));
      }
    }
    return null;
  };

  const withRateLimit = (answer: HttpAnswer, request: EmulatorRequest, nowMs: number): HttpAnswer => {
    const own = limiters.get(bearerOf(request) ?? "") ?? [];
    const told = own.map(([spec, limiter]) => rateLimitHeaders(spec, limiter, nowMs));
    return { ...answer, headers: Object.assign({}, ...told, answer.headers) };
  };

  const route = (request: EmulatorRequest, nowMs: number): HttpAnswer => {
    const { markets } = history;
    switch (`${request.method} ${request.host} ${request.path}`) {
      case "GET account /api/v1/completed-orders":
        return isAccepted(request) ? completedOrders(request, requestMoment(nowMs)) : UNAUTHORISED;
      case "GET market-data /api/v2/product-specifications":
        return productSpecifications(markets);
    }
    return request.method === "GET" && request.path === "/api/v1/markets"
      ? json(200, markets)
      : json(404, { message: "no such endpoint" });
  };

  const answerTo = (request: EmulatorRequest, nowMs: number): EmulatorAnswer => {
    const key = `${request.method} ${request.host}${request.path}?${request.query}`;
    const latencyMs = switches.latency.ms + switches.latency.jitterMs * share(seed, hashText(key), log.requests);
    const refused = refusedByLimit(request, nowMs, latencyMs);
    if (refused !== null) {
      return { ...withRateLimit(refused, request, nowMs), latencyMs };
    }
    const fault = drawFault(switches.faults, faultState, seed, key);
    const answer = { ...withRateLimit(route(request, nowMs), request, nowMs), latencyMs };
    return fault === null ? answer : applyFault(fault, answer, switches.faults);
  };

  const visible = function* (nowMs: number, isWanted: (index: number) => boolean): Generator<number> {
    const moment = momentAt(nowMs);
    for (let index = 0; index < history.count; index++) {
      if (rows.isVisible(index, moment) && isWanted(index)) {
        yield index;
      }
    }
  };

  const isUnfilable = (index: number) => {
    const kind = rows.badKind(index);
    return kind !== null && UNFILABLE_KINDS.includes(kind);
  };

  const truthItems = function* (nowMs = newestMs): Generator<CompletedOrder> {
    for (const index of visible(nowMs, (at) => !isUnfilable(at))) {
      const item: CompletedOrder = JSON.parse(rows.trueText(index, momentAt(nowMs)));
      yield item;
    }
  };

  return {
    /** Answers one request that arrives at `nowMs` (ms UTC). */
    handle(request: EmulatorRequest, nowMs: number): EmulatorAnswer {
      newestMs = nowMs;
      return noted(log, request, nowMs, () => answerTo(request, nowMs));
    },
    /**
     * The rows that a complete archive must hold at `nowMs`, by identity: every visible row that can be filed.
     * Times are in ms, also where `seconds` shows whole seconds. `nowMs` is by default the time of the newest
     * request, or the end of time before the first request.
     */
    truth(nowMs?: number) {
      const items = new Map<string, CompletedOrder>();
      for (const item of truthItems(nowMs)) {
        items.set(itemIdentity(item), item);
      }
      return items;
    },
    /** The same rows one at a time, in ascending `txCreated`, for accounts too large for a map. */
    truthItems,
    /** By identity: the ms between a row's `txCreated` and the time when it becomes visible. */
    delays() {
      const indices = visible(Number.POSITIVE_INFINITY, (at) => !isUnfilable(at));
      return new Map(Array.from(indices, (index) => [itemIdentity(history.item(index)), rows.delayMs(index)]));
    },
    /** Identities of the rows that show a time in whole seconds (`seconds`). */
    inSeconds() {
      const indices = visible(newestMs, (at) => !isUnfilable(at) && rows.isInSeconds(at));
      return new Set(Array.from(indices, (index) => itemIdentity(history.item(index))));
    },
    /** The number of visible rows that cannot be filed. */
    unfilable: () => [...visible(newestMs, isUnfilable)].length,
    setTokens(accepted: readonly string[]) {
      tokens = new Set(accepted);
    },
    /** Changes some switches at run time. If `limits` is among them, the limiters start with no history. */
    setSwitches(changes: Partial<Switches>) {
      switches = { ...switches, ...changes };
      if (changes.limits !== undefined) {
        limiters = new Map();
      }
    },
    get switches() {
      return switches;
    },
    log,
  };
}

const UNAUTHORISED = json(401, { message: "Unauthorized" });

/**
 * Section 4.4: one specification per market. Some have no `contractType`, some have another type, and some
 * have no maximum order size.
 */
function productSpecifications(markets: readonly string[]): HttpAnswer {
  const specifications = markets.map((market, index) => ({
    market,
    tickSize: ["0.01", "0.5", "0.00001", "1"][index % 4],
    lotSize: ["0.001", "1", "0.000000000000000001"][index % 3],
    fundingIntervalHours: index % 5 === 0 ? 8 : 1,
    minOrderSizeUSD: "10",
    maxOrderSizeUSD: index % 3 === 0 ? "" : "1000000",
    ...(index % 4 === 1 ? {} : { contractType: index % 7 === 6 ? "Inverse" : "Vanilla" }),
  }));
  return json(200, specifications);
}

function accountOf(options: EmulatorOptions, seed: number): History {
  const { history } = options;
  if (history === undefined) {
    return makeHistory({ seed, fills: 1000, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) });
  }
  return "count" in history ? history : historyOf(history);
}

function bearerOf(request: EmulatorRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers["authorization"] ?? "")?.[1];
}

/** The requests that the emulator received, for tests that count them. */
interface RequestLog {
  requests: number;
  /** number of answers by status, or by the name of the transport fault */
  readonly byOutcome: Record<string, number>;
  /** Every completed-orders request, including refused ones. */
  readonly completedOrders: LoggedPage[];
}

interface LoggedPage {
  /** ms, as text; null when not given */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly start: string | null;
  readonly nowMs: number;
  /** Status, or the name of the transport fault. */
  outcome: string;
}

/** Notes a request, and its answer as soon as there is one. */
function noted(log: RequestLog, { path, query }: EmulatorRequest, nowMs: number, answer: () => EmulatorAnswer) {
  log.requests += 1;
  const [startDate, endDate, start] = [query.get("startDate"), query.get("endDate"), query.get("start")];
  const page: LoggedPage = { startDate, endDate, start, nowMs, outcome: "" };
  if (path === "/api/v1/completed-orders") {
    log.completedOrders.push(page);
  }
  const given = answer();
  page.outcome = "fault" in given ? given.fault : String(given.status);
  log.byOutcome[page.outcome] = (log.byOutcome[page.outcome] ?? 0) + 1;
  return given;
}
