import type { FaultPlan } from "./faults.ts";
import type { LimiterSpec } from "./limiters.ts";

/**
 * Everything that the interface document leaves open, as one record: what services of this kind do, and
 * faults of single answers (`falseEmpty`, `lostLast`, `cursorLoop`, `replicas.lacks`). `DEFAULT_SWITCHES` is
 * the plainest reading. Each change of a field gives another service that the same document describes. The
 * values are data: a property test can draw them, a failing case prints as JSON, and `npm run emulator --
 * --switch name=value` sets them (the value is JSON or a plain word).
 *
 * Shares are probabilities in [0, 1], drawn from the emulator's seed. Times are in ms. Under most switches no
 * row is lost: a reader can get every row of `emulator.truth(nowMs)`. The exceptions are `clamp`,
 * `cursorLoop`, `cursorRefused`, a lifetime that is too short, bad rows, `seconds`, `rowCap`, `rangeLimits`,
 * `replicas`, `falseEmpty` and `lostLast`. Under these a reader may be unable to get all rows, and must then
 * say so.
 */
export interface Switches {
  /**
   * How rows are sorted by `txCreated` (4.2 rule 1 gives no direction). `unordered`: one seeded shuffle of
   * the account, stable between requests. `shuffled-pages`: blocks of `pageLimit` rows, sorted inside, in a
   * seeded order.
   */
  readonly order: "descending" | "ascending" | "unordered" | "shuffled-pages";
  /** Whether a row exactly at `startDate` is in the answer. */
  readonly startInclusive: boolean;
  /** Whether a row exactly at `endDate` is in the answer. */
  readonly endInclusive: boolean;
  /**
   * The time that the dates filter by. The service knows `filledAt` even where the item does not show it.
   */
  readonly filterBy: "txCreated" | "filledAt";
  /** Maximum number of rows per page (4.2 rule 2: 100). */
  readonly pageLimit: number;
  /** Pages hold 1 to `pageLimit` rows, even if `last` is present. */
  readonly shortPages: boolean;
  /** Share of pages that are empty although `last` is present. At most five such pages follow each other. */
  readonly emptyPages: number;
  /**
   * The `last` of the final page. `cursor`, `empty-string`, `zero`: it is present and leads to an empty page
   * without `last`. `null`: it is null, which is not a string. `empty-string-restarts`: it is `""`, and
   * `start=` returns page one again, so a reader that follows it sees a cycle.
   */
  readonly lastOnFinal: "absent" | "cursor" | "empty-string" | "zero" | "null" | "empty-string-restarts";
  /**
   * Values of the first cursors of every chain, in place of opaque texts, e.g. `["", "0"]`. They are valid
   * cursors in the middle of a chain.
   */
  readonly cursorValues: readonly string[];
  /**
   * How dates and cursors interact. `remembered`: the cursor holds its window; dates sent with it are
   * ignored. `required`: the same dates must be sent with it, otherwise 400. `sent`: the cursor is a
   * position, and the dates sent with it apply. `forgotten`: a request with a cursor has no window; rows
   * outside the window follow, to the end of the account.
   */
  readonly cursorDates: "remembered" | "required" | "sent" | "forgotten";
  /** A cursor expires this long after it was issued; null: never. */
  readonly cursorLifetimeMs: number | null;
  /** A cursor expires after this many later pages to any client; null: never. */
  readonly cursorLifetimePages: number | null;
  /** The answer to an expired cursor: an error, or page one of its window without a warning. */
  readonly cursorExpired: 400 | 410 | "restarts";
  /** After `afterPages` pages, a chain's cursors repeat in an endless cycle of `length` pages. */
  readonly cursorLoop: { readonly length: number; readonly afterPages: number } | null;
  /** Every request with a cursor gets 400. */
  readonly cursorRefused: boolean;
  /** Each page but the first begins with this many rows of the previous page, at most half a page. */
  readonly repeatRows: number;
  /**
   * A share of rows appears late: up to `maxDelayMs` after txCreated, and not before completed-orders request
   * number `afterRequests`.
   */
  readonly lateRows: { readonly share: number; readonly maxDelayMs?: number; readonly afterRequests?: number } | null;
  /**
   * A share of rows changes at txCreated + `afterMs` or with request number `afterRequests`, whichever is
   * given. Either `filledAt` appears where it was absent, or the content (`fees`) changes.
   */
  readonly changingRows: {
    readonly share: number;
    readonly what: "filledAt-appears" | "content";
    readonly afterMs?: number;
    readonly afterRequests?: number;
  } | null;
  /**
   * A range wider than `widthMs` is silently cut to that width, keeping its `anchor` end. `alsoSingleBound`:
   * a range with one bound is cut too.
   */
  readonly clamp: {
    readonly widthMs: number;
    readonly anchor: "end" | "start";
    readonly alsoSingleBound: boolean;
  } | null;
  /** A share of rows has a defect, each one of the listed kinds. */
  readonly badRows: { readonly share: number; readonly kinds: readonly BadRowKind[] } | null;
  /**
   * A query (its first request and the cursors that follow from it) returns at most `rows` rows, each
   * counted once. Then its answer ends as a final page does (`lastOnFinal`; by default without `last`). Every
   * request without a cursor is a new query. `emptyLast`: the page that reaches the cap has a cursor, which
   * leads to an empty page without `last`.
   */
  readonly rowCap: { readonly rows: number; readonly emptyLast?: boolean } | null;
  /**
   * This share of rows shows `txCreated` in whole seconds instead of ms; null: none. The service itself sorts
   * and filters by the true time. `emulator.inSeconds()` names the rows.
   */
  readonly seconds: number | null;
  /**
   * A share of the answers comes from a replica that is behind. That replica lacks the rows whose txCreated
   * is less than `lagMs` ago, and it always lacks a seeded share `lacks` of all rows.
   */
  readonly replicas: { readonly share: number; readonly lagMs?: number; readonly lacks?: number } | null;
  /**
   * Dates that are refused, with `status` (default 400): a range wider than `maxWidthMs`, and a `startDate`
   * more than `oldestAgeMs` before now. A single date means an unbounded range. A request without dates is
   * never refused. Dates sent with a cursor are checked too.
   */
  readonly rangeLimits: {
    readonly maxWidthMs?: number;
    readonly oldestAgeMs?: number;
    readonly status?: 400 | 416 | 422;
  } | null;
  /**
   * Share of pages with rows that are answered as `{"completedOrders":[]}` instead. It is drawn for each
   * request, so the same request may return its rows the next time.
   */
  readonly falseEmpty: number;
  /** Share of pages that lack `last` although more rows follow. It is drawn for each request. */
  readonly lostLast: number;
  /**
   * A cursor is the number of rows served before it, counted from the top of the answer anew for each
   * request. A row that appears nearer to the top shifts the others, so the next page repeats the last row of
   * the page before.
   */
  readonly offsetCursors: boolean;
  /**
   * A cursor is the time of the last row, and the next page begins at the next different time. Rows of that
   * millisecond that did not fit on the page are on no page.
   */
  readonly timeCursors: boolean;

  /** A request passes only if every limiter lets it pass. Each limiter keeps one state per token. */
  readonly limits: readonly LimiterSpec[];
  readonly faults: FaultPlan;
  /** Time to the first byte: `ms` plus up to `jitterMs`, drawn from the seed. */
  readonly latency: { readonly ms: number; readonly jitterMs: number };
}

const UNFILABLE = ["no-match-id", "no-order-id", "tx-created-text", "not-an-object"] as const;
const UNTYPED = [
  ...(["price-number", "price-null", "price-exponent", "quantity-60-digits"] as const),
  ...(["fees-words", "extra-fields", "proto-key", "number-1e400"] as const),
] as const;

export type BadRowKind = (typeof UNFILABLE)[number] | (typeof UNTYPED)[number];

/** Defects that prevent a row from being filed: no identity, or no sane time. */
export const UNFILABLE_KINDS: readonly BadRowKind[] = UNFILABLE;

/** Defects of rows that can be filed, although not all of their cells are as the interface says. */
export const UNTYPED_KINDS: readonly BadRowKind[] = UNTYPED;

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
  cursorLoop: null,
  cursorRefused: false,
  repeatRows: 0,
  lateRows: null,
  changingRows: null,
  clamp: null,
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
};
