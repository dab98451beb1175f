import type { FaultPlan } from "./faults.ts";
import type { LimiterSpec } from "./limiters.ts";

/**
 * Everything that the interface document leaves unsaid, as one record. `DEFAULT_SWITCHES` is the plainest
 * reading; each field alone is another service that the same document describes. Values are data, so that a
 * property test can draw them, a failing case prints as JSON, and `npm run emulator -- --switch name=value`
 * can set them (the value is JSON, or else a plain word).
 *
 * Shares are probabilities in [0, 1], drawn from the emulator's seed; times are ms. Nothing here makes the
 * service lose a row: what it has at a time is `emulator.truth(nowMs)`, except for `clamp`, `cursorLoop`,
 * `cursorRefused`, a lifetime too short, bad rows, `seconds`, `rowCap`, `rangeLimits`, `replicas`,
 * `falseEmpty` or `lostLast`, under which a reader may be unable to get it all and has to say so.
 */
export interface Switches {
  /**
   * How pages are sorted by `txCreated` (4.2 rule 1 gives no direction). `unordered`: one seeded shuffle of
   * the account, stable between requests. `shuffled-pages`: blocks of `pageLimit` rows, sorted inside, in a
   * seeded order. `newest-last`: descending, but the newest row of whatever was asked for comes last.
   */
  readonly order: "descending" | "ascending" | "unordered" | "shuffled-pages" | "newest-last";
  /** Whether a row exactly at `startDate` is in the answer. */
  readonly startInclusive: boolean;
  /** Whether a row exactly at `endDate` is in the answer. */
  readonly endInclusive: boolean;
  /**
   * Which time the dates filter. `filledAt` is known to the service even where the item does not show it;
   * `updated` is never shown.
   */
  readonly filterBy: "txCreated" | "filledAt" | "updated";
  /** Rows a page at most (4.2 rule 2: 100). */
  readonly pageLimit: number;
  /** Pages hold 1 to `pageLimit` rows, although `last` is present. */
  readonly shortPages: boolean;
  /**
   * Share of pages that are empty although `last` is present; several may follow each other (at most five).
   */
  readonly emptyPages: number;
  /**
   * `last` on the final page. `cursor`, `empty-string`, `zero`: it is there, and leads to an empty page
   * without one. `null`: it is null, which is no string. `empty-string-restarts`: `""`, and `start=` is page
   * one again, so a reader that goes on sees a cycle.
   */
  readonly lastOnFinal: "absent" | "cursor" | "empty-string" | "zero" | "null" | "empty-string-restarts";
  /**
   * Values used for the first cursors of every chain instead of opaque ones, e.g. `["", "0"]`: live cursors
   * in mid-chain.
   */
  readonly cursorValues: readonly string[];
  /**
   * Dates and cursors. `remembered`: the cursor holds its window, dates sent with it do nothing. `required`:
   * the same dates must come with it, otherwise 400. `sent`: the cursor is a position, and whatever dates are
   * sent apply. `forgotten`: a request with a cursor has no window; rows outside it follow, to the end of the
   * account.
   */
  readonly cursorDates: "remembered" | "required" | "sent" | "forgotten";
  /** A cursor is dead this long after it was given; null: never. */
  readonly cursorLifetimeMs: number | null;
  /** A cursor is dead once this many later pages were answered, to anyone; null: never. */
  readonly cursorLifetimePages: number | null;
  /** What a dead cursor gets: an error, or silently page one of its window. */
  readonly cursorExpired: 400 | 410 | "restarts";
  /** The same position gets another cursor text each time, so that a cycle does not show in the texts. */
  readonly freshCursors: boolean;
  /** After `afterPages` pages, a chain's cursors go round in a cycle of `length` pages for ever. */
  readonly cursorLoop: { readonly length: number; readonly afterPages: number } | null;
  /** Every request with a cursor gets 400. */
  readonly cursorRefused: boolean;
  /** Each page but the first begins with this many rows of the one before, at most half a page. */
  readonly repeatRows: number;
  /**
   * A share of rows appears late: at txCreated + up to `maxDelayMs`, and not before `afterRequests`
   * completed-orders requests.
   */
  readonly lateRows: { readonly share: number; readonly maxDelayMs?: number; readonly afterRequests?: number } | null;
  /**
   * A share of rows changes, at txCreated + `afterMs` or with the request number `afterRequests`, whichever
   * is given: `filledAt` appears where there was none, or the content (`fees`) is another.
   */
  readonly changingRows: {
    readonly share: number;
    readonly what: "filledAt-appears" | "content";
    readonly afterMs?: number;
    readonly afterRequests?: number;
  } | null;
  /**
   * A range wider than `widthMs` is cut to it without a word, keeping its `anchor` end. `alsoSingleBound`: so
   * is a range with one bound. `noDatesMs`: without dates, only this much of the past.
   */
  readonly clamp: {
    readonly widthMs: number;
    readonly anchor: "end" | "start";
    readonly alsoSingleBound: boolean;
    readonly noDatesMs?: number;
  } | null;
  /** Rows older than this are no longer there; null: kept for ever. */
  readonly retentionMs: number | null;
  /** A share of rows is not as the interface says, each in one of the ways listed. */
  readonly badRows: { readonly share: number; readonly kinds: readonly BadRowKind[] } | null;
  /**
   * A query (its first request and the cursors that follow from it) gives at most `rows` rows, then its
   * answer ends as a final page does (`lastOnFinal`; by default without `last`). Every request without a
   * cursor is a new query. Rows that `repeatRows` serves again do not count. `emptyLast`: the page that
   * reaches the cap has a cursor, which leads to an empty page without `last`.
   */
  readonly rowCap: { readonly rows: number; readonly emptyLast?: boolean } | null;
  /**
   * A share of rows shows this time in whole seconds, not in ms. The service itself sorts and filters by the
   * true time. `emulator.inSeconds()` names the rows.
   */
  readonly seconds: { readonly share: number; readonly field: "txCreated" | "filledAt" } | null;
  /**
   * A share of the answers comes from a replica that is behind: it does not have the rows whose txCreated is
   * less than `lagMs` ago, and never a seeded share `lacks` of all rows. `untilRequest`: from the
   * completed-orders request of this number on, every replica has everything.
   */
  readonly replicas: {
    readonly share: number;
    readonly lagMs?: number;
    readonly lacks?: number;
    readonly untilRequest?: number;
  } | null;
  /**
   * Requests whose dates are refused, with `status` (default 400) and `body` (default a message): a range
   * wider than `maxWidthMs`, and a `startDate` more than `oldestAgeMs` before now. One date alone is a range
   * without end, and too wide, unless `alsoSingleBound` is false. A request without dates is never refused.
   * The dates of each request count, those sent with a cursor too.
   */
  readonly rangeLimits: {
    readonly maxWidthMs?: number;
    readonly oldestAgeMs?: number;
    readonly status?: 400 | 416 | 422;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly alsoSingleBound?: boolean;
  } | null;
  /**
   * Share of pages with rows that are answered as `{"completedOrders":[]}` instead. Drawn for each request:
   * the same request may have its rows the next time.
   */
  readonly falseEmpty: number;
  /** Share of pages whose `last` is missing although there are more. Drawn for each request. */
  readonly lostLast: number;
  /**
   * A cursor is the number of rows served before it, counted anew from the top of the answer with each
   * request. A row that appears nearer to the top shifts the others, so that the last row of a page is served
   * again on the next.
   */
  readonly offsetCursors: boolean;
  /**
   * A cursor is the time of the last row, and the next page begins with another time: what the page had no
   * room for of that millisecond is on none.
   */
  readonly timeCursors: boolean;

  /** All must let a request pass; each keeps a state per token. */
  readonly limits: readonly LimiterSpec[];
  readonly faults: FaultPlan;
  /** Time to the first byte: `ms` plus up to `jitterMs`, seeded. */
  readonly latency: { readonly ms: number; readonly jitterMs: number };

  /** Shape of `/api/v1/markets`, of which nothing is said. */
  readonly marketsShape: "strings" | "wrapped" | "market-objects" | "name-objects" | "keyed" | "other";
  /** Which host has `/api/v1/markets`. */
  readonly marketsHost: "all" | "order" | "account" | "market-data";
  /** What market-data says of a market that it does not know. */
  readonly unknownMarket: "omitted" | "bad-request";
  /** What the endpoints shown without credentials do with a token (5 rule 3). */
  readonly publicAuth: "ignored" | "required" | "refused";
  /** Body of open-order's 404 (4.3 rule 3). */
  readonly notFoundBody: "message" | "empty" | "html";
}

export type BadRowKind =
  | "no-match-id"
  | "no-order-id"
  | "no-tx-created"
  | "tx-created-text"
  | "tx-created-fraction"
  | "tx-created-huge"
  | "not-an-object"
  | "price-number"
  | "price-null"
  | "price-exponent"
  | "quantity-60-digits"
  | "fees-words"
  | "extra-fields"
  | "proto-key"
  | "number-1e400"
  | "deep-nesting";

/**
 * Rows that a reader cannot file: no identity, or no sane time. The other kinds can be filed, though not
 * typed.
 */
export const UNFILABLE_KINDS: readonly BadRowKind[] = [
  "no-match-id",
  "no-order-id",
  "no-tx-created",
  "tx-created-text",
  "tx-created-fraction",
  "tx-created-huge",
  "not-an-object",
];

/** Rows that can be filed, though their cells are not all what the interface says. */
export const UNTYPED_KINDS: readonly BadRowKind[] = [
  "price-number",
  "price-null",
  "price-exponent",
  "quantity-60-digits",
  "fees-words",
  "extra-fields",
  "proto-key",
  "number-1e400",
];

export const DEFAULT_SWITCHES: Switches = {
  order: "descending",
  startInclusive: true,
  endInclusive: true,
  filterBy: "txCreated",
  pageLimit: 100,
  shortPages: false,
  emptyPages: 0,
  lastOnFinal: "absent",
  cursorValues: [],
  cursorDates: "remembered",
  cursorLifetimeMs: null,
  cursorLifetimePages: null,
  cursorExpired: 400,
  freshCursors: false,
  cursorLoop: null,
  cursorRefused: false,
  repeatRows: 0,
  lateRows: null,
  changingRows: null,
  clamp: null,
  retentionMs: null,
  badRows: null,
  rowCap: null,
  seconds: null,
  replicas: null,
  rangeLimits: null,
  falseEmpty: 0,
  lostLast: 0,
  offsetCursors: false,
  timeCursors: false,
  limits: [],
  faults: {},
  latency: { ms: 0, jitterMs: 0 },
  marketsShape: "strings",
  marketsHost: "all",
  unknownMarket: "omitted",
  publicAuth: "ignored",
  notFoundBody: "message",
};
