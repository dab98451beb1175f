import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { SyncRequest } from "../../lambda/job/context.ts";
import { PASSING_FAULTS } from "../emulator/faults.ts";
import { type History, makeHistory } from "../emulator/history.ts";
import type { HistoryOptions } from "../emulator/history-plan.ts";
import { type Switches, UNTYPED_KINDS } from "../emulator/switches.ts";
import { NOW } from "../support/job.ts";
import { type Behaviour, fillsAt, fortnights, sessions } from "./reading.ts";

const cut = (days: number, anchor: "end" | "start") =>
  ({ clamp: { widthMs: days * DAY_MS, anchor, alsoSingleBound: true } }) as const;
const year = (more: Partial<HistoryOptions>) =>
  makeHistory({ seed: 1, fills: 1200, from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 11, 31), ...more });
/** No two orders' fills in one millisecond. */
const UNTIED = year({ ties: 0 });
const CROWDED = year({ seed: 3, fills: 3000, ties: 1300 });
const ONE_HOUR = year({ seed: 2, burst: { share: 0.97, from: Date.UTC(2025, 5, 5), lengthMs: HOUR_MS } });
const SELF_TRADE = fillsAt([NOW - 100 * DAY_MS, NOW - 100 * DAY_MS], ["m", "m"]);
const BUSY_WEEKS = makeHistory({ seed: 1, fills: 2000, from: NOW - 20 * DAY_MS, to: NOW - DAY_MS });
const ALL = {};
const LAST_AT_ONCE = fillsAt([NOW - 175 * DAY_MS, ...Array.from({ length: 150 }, () => NOW - 28 * DAY_MS)]);
const LAST_400_DAYS = { from: NOW - 420 * DAY_MS };

const sessionsCut = (switches: Partial<Switches>, history: History, most: number, range: SyncRequest = ALL) => ({
  switches,
  history,
  range,
  most,
});

/** What such services do: all is read, or the run says why not. `most`: a quarter more than it takes. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "newest first": { most: 100 },
  "oldest first": { switches: { order: "ascending" }, most: 60 },
  "no order": { switches: { order: "unordered" }, most: 130 },
  "pages in any order": { switches: { order: "shuffled-pages" }, history: UNTIED, most: 50 },
  "bounds ()": { switches: { startInclusive: false, endInclusive: false }, most: 60 },
  "bounds [)": { switches: { endInclusive: false }, most: 100 },
  "bounds (]": { switches: { startInclusive: false }, most: 60 },
  "dates filter by filledAt": { switches: { filterBy: "filledAt" }, most: 250 },
  "pages of 7": { switches: { pageLimit: 7 }, history: UNTIED, most: 560 },
  "pages of 10": { switches: { pageLimit: 10 }, most: 450 },
  "pages of 37": { switches: { pageLimit: 37 }, most: 160 },
  "short pages with last": { switches: { shortPages: true }, most: 80 },
  "empty pages with last": { switches: { emptyPages: 0.3 }, most: 270 },
  "last on the final page": { switches: { lastOnFinal: "cursor" }, most: 140 },
  "an empty last on the final page": { switches: { lastOnFinal: "empty-string" }, most: 140 },
  "a zero last on the final page": { switches: { lastOnFinal: "zero" }, most: 140 },
  "cursors that are empty or zero": { switches: { cursorValues: ["", "0"] }, most: 100 },
  "cursors that need their dates": { switches: { cursorDates: "required" }, most: 100 },
  "cursors that take the dates sent": { switches: { cursorDates: "sent" }, most: 100 },
  "cursors that forget the dates": { switches: { cursorDates: "forgotten" }, most: 100 },
  "cursors that live 3 pages": { switches: { cursorLifetimePages: 3 }, history: UNTIED, most: 50 },
  "cursors that expire and begin again": {
    switches: { cursorLifetimePages: 3, cursorExpired: "restarts" },
    history: UNTIED,
    most: 50,
  },
  "cursors that are refused": { switches: { cursorRefused: true }, history: UNTIED, most: 100 },
  "cursors that go in a circle": { switches: { cursorLoop: { length: 2, afterPages: 3 } }, most: 120 },
  "rows repeated on pages": { switches: { repeatRows: 10 }, most: 130 },
  "cursors that are offsets": { switches: { offsetCursors: true }, most: 100 },
  "cursors that are times": { history: UNTIED, switches: { timeCursors: true }, most: 50 },
  "cursors that are times, 250 fills in one millisecond": {
    switches: { timeCursors: true },
    most: 660,
    says: "incomplete",
  },
  "1,300 fills in one millisecond": { history: CROWDED, most: 170 },
  "150 fills in the last millisecond": { history: LAST_AT_ONCE, range: LAST_400_DAYS, most: 80 },
  "150 fills in the last millisecond, no order": {
    switches: { order: "unordered" },
    ...{ history: LAST_AT_ONCE, range: LAST_400_DAYS, most: 700, says: "incomplete" },
  },
  "97 % in one hour": { history: ONE_HOUR, most: 100 },
  "at most 50 rows": { switches: { rowCap: { rows: 50 } }, history: UNTIED, most: 180 },
  "at most 100 rows": { switches: { rowCap: { rows: 100 } }, history: UNTIED, most: 130 },
  "at most 100 rows, 250 fills in one millisecond": {
    switches: { rowCap: { rows: 100 } },
    most: 1170,
    says: "incomplete",
  },
  "at most 300 rows": { switches: { rowCap: { rows: 300 } }, most: 80 },
  "at most 1,000 rows": { switches: { rowCap: { rows: 1000 } }, most: 100 },
  "at most 100 rows, then an empty page": {
    switches: { rowCap: { rows: 100, emptyLast: true } },
    history: UNTIED,
    most: 132,
  },
  "at most 300 of the oldest rows": { switches: { rowCap: { rows: 300 }, order: "ascending" }, most: 150 },
  "ranges over 30 days refused": { switches: { rangeLimits: { maxWidthMs: 30 * DAY_MS } }, most: 160 },
  "dates older than 200 days refused": {
    switches: { rangeLimits: { oldestAgeMs: 200 * DAY_MS } },
    most: 290,
    says: "incomplete",
  },
  "dates older than 200 days refused, and ranges over 30 days": {
    switches: { rangeLimits: { oldestAgeMs: 200 * DAY_MS, maxWidthMs: 30 * DAY_MS } },
    most: 300,
    says: "incomplete",
  },
  "cut to 1 day, end kept": { switches: cut(1, "end"), most: 1750 },
  "cut to 7 days, end kept": { switches: cut(7, "end"), most: 305 },
  "cut to 7 days, start kept": { switches: cut(7, "start"), most: 360 },
  "cut to 30 days, end kept": { switches: cut(30, "end"), most: 215 },
  "cut to 30 days, start kept": { switches: cut(30, "start"), most: 255 },
  "cut to 90 days, start kept": { switches: cut(90, "start"), most: 162 },
  "cut to 7 days, end kept, 6 sessions": sessionsCut(cut(7, "end"), sessions(6, 40, 400), 1060),
  "cut to 7 days, start kept, 20 sessions": sessionsCut(cut(7, "start"), sessions(20, 40, 400), 1080),
  "cut to 30 days, end kept, 30 sessions": sessionsCut(cut(30, "end"), sessions(30, 40, 400), 490),
  "cut to 30 days, start kept, 6 sessions": sessionsCut(cut(30, "start"), sessions(6, 40, 400), 390),
  "cut to 1 day, start kept, 20 sessions": sessionsCut(cut(1, "start"), sessions(20, 40, 400), 760, LAST_400_DAYS),
  "cut to 7 days, end kept, fortnights of 150": sessionsCut(cut(7, "end"), fortnights(12, 150), 910),
  "cut to 30 days, start kept, fortnights of 400": sessionsCut(cut(30, "start"), fortnights(6, 400), 520),
  "an empty account": { history: fillsAt([]), range: ALL, most: 310 },
  "one fill": { history: fillsAt([NOW - 100 * DAY_MS]), range: ALL, most: 310 },
  "a self-trade": { history: SELF_TRADE, range: ALL, most: 310 },
  "2,000 fills in 20 days": { history: BUSY_WEEKS, range: ALL, most: 370 },
  "faults of every kind": {
    switches: {
      faults: {
        rate: 0.17,
        kinds: PASSING_FAULTS.filter((kind) => kind !== "hang" && kind !== "slow"),
      },
    },
    most: 110,
  },
  "429 after 20 requests a second": {
    switches: { limits: [{ kind: "fixed-window", limit: 20, windowMs: 1000 }] },
    most: 110,
  },
  "one answer in a hundred empty": { switches: { falseEmpty: 0.01 }, most: 100 },
  "txCreated in seconds": {
    switches: { seconds: 0.005 },
    most: 440,
    says: "untrusted",
  },
  "rows that cannot be typed": {
    switches: { badRows: { share: 0.1, kinds: UNTYPED_KINDS.filter((kind) => kind !== "fees-words") } },
    most: 130,
  },
};

/** Services that contradict themselves: the run says so, or has read all. */
export const CONTRADICTING: Readonly<Record<string, Partial<Switches>>> = {
  "one answer in ten empty": { falseEmpty: 0.1 },
  "one answer in ten without its last": { lostLast: 0.1 },
  "replicas that lack rows": { replicas: { share: 0.2, lacks: 0.05 } },
  "replicas that lag by 60 days": { replicas: { share: 0.3, lagMs: 60 * DAY_MS } },
};
