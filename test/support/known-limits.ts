import { type HistoryOptions, planHistory } from "../emulator/history-plan.ts";
import type { Switches } from "../emulator/switches.ts";

// Services whose answers do not show what they lack: ARCHITECTURE.md, "What no answer can show". The tests do
// not draw them.

/** Without false ends that nothing distinguishes from real ones: see withoutKnownLimits. */
export function withoutUntoldEnds(drawn: Partial<Switches>): Partial<Switches> {
  const switches = withLivingCursors(drawn);
  const { filterBy, order = "descending", cursorDates, shortPages, cursorLoop } = switches;
  const isUndated = filterBy !== undefined || cursorDates === "forgotten";
  // If the newest row comes last, a page that loses its `last` before any other page was followed looks like
  // a whole answer in order. A circle of pages has no end, so a false end is the only end that ever comes.
  const isUntold =
    cursorLoop !== undefined ||
    order === "newest-last" ||
    (shortPages === true && order !== "ascending" && order !== "descending");
  const { rowCap, falseEmpty: _empty, lostLast: _last, ...rest } = switches;
  if (isUndated) {
    const { offsetCursors: _offset, ...others } = rest;
    return rest.replicas === undefined && order === "descending" ? rest : others;
  }
  return isUntold ? { ...rest, ...(rowCap === undefined ? {} : { rowCap }) } : switches;
}

/**
 * An empty cursor that is always dead when it is sent back looks like the end of the answer. So does an empty
 * cursor that leads to the first page, if that page may be empty.
 */
function withLivingCursors(switches: Partial<Switches>): Partial<Switches> {
  const { cursorValues = [], cursorLifetimeMs, cursorLifetimePages, cursorRefused, lastOnFinal, emptyPages } = switches;
  const lives = [cursorLifetimeMs, cursorLifetimePages].filter((life) => life !== undefined && life !== null);
  const mayDie = lives.length > 0 || cursorRefused === true;
  const isLost = lastOnFinal === "empty-string-restarts" && emptyPages !== undefined && emptyPages > 0;
  return {
    ...switches,
    ...(mayDie && cursorValues.includes("") ? { cursorValues: ["0"] } : {}),
    ...(isLost ? { lastOnFinal: "empty-string" } : {}),
  };
}

/**
 * Leaves out services whose answers do not show what is missing:
 * - cursors that forget the window, with the newest row last: no page of the window's chain has that row;
 * - answers without dates that are cut to the newest rows, if only the answer without dates is whole. That is
 *   so if dates filter by another time (rows whose other time is far off come in no window of a few days). It
 *   is also so if cursors forget the window and no order shows which rows the cut has skipped;
 * - caps, false empty answers and answers without their `last`, if only the answer without dates is whole, or
 *   if rows have no order on pages that may be short;
 * - cursors that count rows, if only the answer without dates is whole, and rows come and go before its
 *   cursor while it is read.
 */
export function withoutKnownLimits(switches: Partial<Switches>): Partial<Switches> {
  const { clamp, filterBy, order, cursorDates } = switches;
  if (order === "newest-last" && cursorDates === "forgotten") {
    return withoutKnownLimits({ ...switches, order: "descending" });
  }
  const isInOrder = order !== "unordered" && order !== "shuffled-pages";
  const forgets = cursorDates === "forgotten" && (filterBy === undefined || isInOrder);
  if (clamp === null || clamp === undefined || !(filterBy !== undefined || forgets)) {
    return switches;
  }
  const { noDatesMs: _cut, ...rest } = clamp;
  return { ...switches, clamp: rest };
}

/**
 * Raises a row cap so that the account can be read. A cap below the rows of one millisecond makes that
 * impossible, because no dates ask for less. A cap equal to them does too, because an answer that ends there
 * may be whole or cut. A range with exclusive ends must include the milliseconds on both sides.
 */
export function withReadableCap(switches: Partial<Switches>, account: HistoryOptions): Partial<Switches> {
  const { rowCap } = switches;
  if (rowCap === undefined || rowCap === null) {
    return switches;
  }
  const rows = Math.max(rowCap.rows, mostWithin(3, planHistory(account).times) + 1);
  return { ...switches, rowCap: { ...rowCap, rows } };
}

const HIDING = [
  ...["filterBy", "cursorDates", "shortPages", "emptyPages", "repeatRows", "rowCap", "lateRows"],
  ...["falseEmpty", "lostLast", "lastOnFinal", "cursorLifetimeMs", "cursorLifetimePages"],
] as readonly (keyof Switches)[];

/**
 * Whether the service shows that cursors leave out the rest of a millisecond. Nothing else may hide this, and
 * a page must have room for the fills of one millisecond. See "Rare ties".
 */
export function showsTies(switches: Partial<Switches>, account: HistoryOptions): boolean {
  const { pageLimit = 100 } = switches;
  const isHidden = HIDING.some((name) => switches[name] !== undefined) || pageLimit < 33;
  return !isHidden && pageLimit >= 2 * mostWithin(3, planHistory(account).times);
}

/** The most rows within any `widthMs` ms. */
function mostWithin(widthMs: number, times: Float64Array): number {
  let most = 0;
  let first = 0;
  times.forEach((time, index) => {
    while ((times[first] ?? time) <= time - widthMs) {
      first += 1;
    }
    most = Math.max(most, index + 1 - first);
  });
  return most;
}
