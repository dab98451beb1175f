import { DAY_MS } from "../../lambda/core/time.ts";
import { type Switches, UNTYPED_KINDS } from "../emulator/switches.ts";

type Setting = Partial<Switches>;

/** Each switch of the emulator alone, if the whole can still be read. */
export const READABLE: Readonly<Record<string, Setting>> = {
  "ascending order": { order: "ascending" },
  "no order": { order: "unordered" },
  "shuffled pages": { order: "shuffled-pages" },
  "the newest row last": { order: "newest-last" },
  "start exclusive": { startInclusive: false },
  "end exclusive": { endInclusive: false },
  "both exclusive": { startInclusive: false, endInclusive: false },
  "dates filter by filledAt": { filterBy: "filledAt" },
  "dates filter by a hidden time": { filterBy: "updated" },
  "short pages": { shortPages: true },
  "empty pages": { emptyPages: 0.3 },
  "last on the final page": { lastOnFinal: "cursor" },
  "an empty last on the final page": { lastOnFinal: "empty-string" },
  "an empty last on the final page that begins again": { lastOnFinal: "empty-string-restarts" },
  "a zero last on the final page": { lastOnFinal: "zero" },
  "a null last on the final page": { lastOnFinal: "null" },
  "cursors that are empty or zero": { cursorValues: ["", "0"] },
  "cursors need their dates": { cursorDates: "required" },
  "cursors take what dates are sent": { cursorDates: "sent" },
  "cursors forget the window": { cursorDates: "forgotten" },
  "cursors live three pages": { cursorLifetimePages: 3 },
  "cursors live three pages, then 410": { cursorLifetimePages: 3, cursorExpired: 410 },
  "cursors differ each time": { freshCursors: true },
  "rows repeated across pages": { repeatRows: 7 },
  "a page limit of 1": { pageLimit: 1 },
  "cursors live an hour": { cursorLifetimeMs: 3_600_000 },
  "rows that came late, before the run": { lateRows: { share: 0.2, maxDelayMs: 7 * DAY_MS } },
  "filledAt appears during the run": { changingRows: { share: 0.5, what: "filledAt-appears", afterRequests: 20 } },
  "fees change during the run": { changingRows: { share: 0.5, what: "content", afterRequests: 20 } },
  "history kept for three years": { retentionMs: 3 * 366 * DAY_MS },
  "clamped to 7 days, end kept": { clamp: { widthMs: 7 * DAY_MS, anchor: "end", alsoSingleBound: true } },
  "clamped to 7 days, start kept": { clamp: { widthMs: 7 * DAY_MS, anchor: "start", alsoSingleBound: true } },
  "clamped to 30 days": { clamp: { widthMs: 30 * DAY_MS, anchor: "end", alsoSingleBound: false } },
  "clamped to 90 days, also without dates": {
    clamp: { widthMs: 90 * DAY_MS, anchor: "start", alsoSingleBound: true, noDatesMs: 90 * DAY_MS },
  },
  "clamped to a day": { clamp: { widthMs: DAY_MS, anchor: "end", alsoSingleBound: true } },
  "at most 300 rows to a query": { rowCap: { rows: 300 } },
  "at most 2,000 rows to a query": { rowCap: { rows: 2000 } },
  "at most 300 rows, then an empty page": { rowCap: { rows: 300, emptyLast: true } },
  "at most 2,000 rows, then an empty page": { rowCap: { rows: 2000, emptyLast: true } },
  "ranges wider than 30 days are refused": { rangeLimits: { maxWidthMs: 30 * DAY_MS } },
  "8 % of the answers are empty": { falseEmpty: 0.08 },
  "5 % of the answers lack their last": { lostLast: 0.05 },
  "cursors that are offsets": { offsetCursors: true },
  "replicas that lag, but not as far as the account": { replicas: { share: 0.5, lagMs: 30 * DAY_MS } },
  "rows that cannot be typed": {
    badRows: {
      share: 0.05,
      kinds: UNTYPED_KINDS,
    },
  },
};

/**
 * Switches with which the whole cannot be read, or cannot be distinguished from a part. The run must report
 * this.
 */
export const UNREADABLE: Readonly<Record<string, Setting>> = {
  "a cursor cycle": { cursorLoop: { length: 3, afterPages: 1 } },
  "a cursor that points to itself": { cursorLoop: { length: 1, afterPages: 1 } },
  "a long cycle": { pageLimit: 3, cursorLoop: { length: 50, afterPages: 2 } },
  "a cycle that its texts do not show": { cursorLoop: { length: 2, afterPages: 1 }, freshCursors: true },
  "a part of txCreated in seconds": { seconds: { share: 0.02, field: "txCreated" } },
  "txCreated in seconds": { seconds: { share: 1, field: "txCreated" } },
  "a row without identity": { badRows: { share: 0.01, kinds: ["no-match-id"] } },
};
