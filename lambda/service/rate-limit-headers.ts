import { DAY_MS, HOUR_MS, SECOND_MS } from "../core/time.ts";

/**
 * The wait that a Retry-After header asks for, ms, however long. Null: none that can be read. A date counts
 * from the answer's own Date if the two clocks differ by less than an hour, so that our clock, if ahead, does
 * not shorten the wait.
 */
export function retryAfterMs(retryAfter: string | undefined, date: string | undefined, now: number): number | null {
  if (retryAfter === undefined) {
    return null;
  }
  const text = retryAfter.trim();
  if (/^\d{1,12}(?:\.\d+)?$/.test(text)) {
    return Math.ceil(Number(text) * SECOND_MS);
  }
  const until = httpDate(text);
  if (until === null) {
    return null;
  }
  return Math.max(0, until - serverTime(date, now));
}

/** The service's time, ms UTC: the answer's own Date if it is earlier than our `now` by less than an hour. */
function serverTime(date: string | undefined, now: number): number {
  const serverNow = httpDate(date ?? "");
  return serverNow !== null && Math.abs(serverNow - now) < HOUR_MS ? Math.min(serverNow, now) : now;
}

/** ms UTC. Null: not a date. RFC 9110, 5.6.7. Obsolete forms are read as Date.parse reads them, in UTC. */
export function httpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) {
    return null;
  }
  const time = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}

/** What an answer says about its quota. */
export interface Quota {
  /** Requests left, after this one. */
  readonly remaining: number;
  /** Time from the answer until there are more, ms. */
  readonly resetMs: number;
}

export type RateLimitHeader =
  | "ratelimit"
  | "ratelimit-policy"
  | `ratelimit-${"remaining" | "reset"}`
  | `x-ratelimit-${"remaining" | "reset"}`;

/**
 * Reads the quota headers. First the IETF draft's field (draft-ietf-httpapi-ratelimit-headers-09: `RateLimit:
 * "default";r=50;t=30`; the `w` of RateLimit-Policy may stand in for `t`). Otherwise the older pairs, whose
 * reset is in seconds, or a time in seconds or ms since 1970. Null if nothing is said, or if it cannot be
 * true: no form is part of the interface, so none is trusted far. Of several quotas, the one with the fewest
 * requests left counts; of equal ones, the latest.
 */
export function rateLimitOf(header: (name: RateLimitHeader | "date") => string | undefined, now: number): Quota | null {
  const stated = quotasOf(header("ratelimit"), header("ratelimit-policy"));
  const pairs = ["ratelimit", "x-ratelimit"] as const;
  const paired = pairs.map((name): Stated => {
    const reset = numberOf(header(`${name}-reset`));
    return { remaining: numberOf(header(`${name}-remaining`)), resetMs: reset === null ? null : untilReset(reset) };
  });
  const all = [...stated, ...paired].filter(isSane);
  return all.toSorted((a, b) => a.remaining - b.remaining || b.resetMs - a.resetMs)[0] ?? null;

  function untilReset(reset: number): number {
    if (reset < 1e9) {
      return reset * SECOND_MS; // less than 32 years: seconds from now
    }
    return (reset < 1e11 ? reset * SECOND_MS : reset) - serverTime(header("date"), now);
  }
}

/** What the answers have said so far. */
export interface KnownQuota {
  /** The number of the request whose answer said it. */
  readonly order: number;
  readonly remaining: number;
  readonly until: number;
  readonly wentDown: boolean;
}

export const NO_QUOTA: KnownQuota = { order: 0, remaining: 0, until: Number.NEGATIVE_INFINITY, wentDown: false };
/** Headers have whole seconds. For a shorter stop, a second too many is much. */
const LEAST_STOP_MS = 3 * SECOND_MS;

/**
 * The state after the answer to request `order` at `now`, ms monotonic. The answer to an earlier request says
 * nothing new.
 */
export function afterAnswer(known: KnownQuota, said: Quota | null, order: number, now: number): KnownQuota {
  if (said === null || order < known.order) {
    return known;
  }
  const { remaining, resetMs } = said;
  const until = resetMs > LEAST_STOP_MS ? now + resetMs : Number.NEGATIVE_INFINITY;
  return { order, remaining, until, wentDown: known.wentDown || remaining < known.remaining };
}

/**
 * How long to stop, ms, because `known` has nothing left after request `lastOrder`. It stops only if the
 * count was seen to go down once; otherwise the header counts something else. The rate does not change: what
 * is left is used as fast as the rate allows.
 */
export function stopMs(known: KnownQuota, lastOrder: number, now: number): number {
  const left = known.remaining - (lastOrder - known.order);
  return known.wentDown && left < 1 ? Math.max(0, known.until - now) : 0;
}

interface Stated {
  readonly remaining: number | null;
  readonly resetMs: number | null;
}

/** A quota that is not renewed within a day does not concern a run's rate. */
function isSane(stated: Stated): stated is Quota {
  const { remaining, resetMs } = stated;
  return remaining !== null && resetMs !== null && resetMs >= 0 && resetMs <= DAY_MS;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}(?:\.\d{1,9})?$/.test(text.trim()) ? Number(text) : null;
}

function quotasOf(limits: string | undefined, policies: string | undefined): Stated[] {
  const windows = new Map(listOf(policies).map(({ name, parameters }) => [name, parameters.get("w")]));
  return listOf(limits).map(({ name, parameters }) => {
    const reset = numberOf(parameters.get("t") ?? windows.get(name));
    return {
      remaining: numberOf(parameters.get("r")),
      resetMs: reset === null ? null : reset * SECOND_MS,
    };
  });
}

interface Item {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Such headers have some tens of characters. A longer one is not read. */
const MAX_LENGTH = 1000;
const STRING = String.raw`"(?:[ !#-\[\]-~]|\\["\\])*"`;
const TOKEN = String.raw`[A-Za-z*][\w!#$%&'*+.^|~:/\x60-]*`;
const BARE = String.raw`(?:-?\d{1,15}(?:\.\d{1,3})?|${STRING}|${TOKEN}|:[A-Za-z\d+/=]*:|\?[01])`;
const PARAMETER = String.raw`; *([a-z*][a-z\d_.*-]*)(?:=(${BARE}))?`;
const ITEM = new RegExp(String.raw`[ \t]*(${STRING}|${TOKEN})((?:${PARAMETER})*)[ \t]*(?:,|$)`, "y");
const EACH_PARAMETER = new RegExp(PARAMETER, "g");

/**
 * A list of items with parameters (RFC 9651, 3.1); names as written. Empty if any of it breaks the syntax.
 */
function listOf(text: string | undefined): Item[] {
  const items: Item[] = [];
  if (text === undefined || text.length > MAX_LENGTH) {
    return items;
  }
  for (ITEM.lastIndex = 0; ITEM.lastIndex < text.length; ) {
    const [, name = "", parameters = ""] = ITEM.exec(text) ?? [];
    if (name === "") {
      return [];
    }
    const read = [...parameters.matchAll(EACH_PARAMETER)].map(([, key = "", value = "?1"]) => [key, value] as const);
    items.push({ name, parameters: new Map(read) });
  }
  return items;
}
