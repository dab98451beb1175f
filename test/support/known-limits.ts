import { type HistoryOptions, planHistory } from "../emulator/history-plan.ts";
import type { Switches } from "../emulator/switches.ts";

// Services whose answers show nothing of what they lack: ARCHITECTURE.md, "What no answer can show". They are
// not drawn.

/** Without ends of answers that nothing tells from others: see withoutKnownLimits. */
export function withoutUntoldEnds(drawn: Partial<Switches>): Partial<Switches> {
  const switches = withLivingCursors(drawn);
  const { filterBy, order = "descending", cursorDates, shortPages, cursorLoop } = switches;
  const isUndated = filterBy !== undefined || cursorDates === "forgotten";
  // What comes last is the newest: a page that lost its `last` before any other was followed looks like a
  // whole answer in order. A circle of pages has no end, so that one by mistake is the only one that comes,
  // however often it is read.
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
 * An empty cursor that is dead whenever it is sent back looks like one that says that there is no more; so
 * does one that leads to the first page, if that may be empty.
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
 * Left out, since nothing that such a service answers shows what is missing: cursors that forget the window
 * whose newest row comes last, so that no page of its chain has it; and answers without dates that are cut to
 * the newest, where the answer without dates is the only whole one. That is so when the dates filter by
 * another time (rows whose other time lies far off come by no window of a few days), and when cursors forget
 * the window and no order tells which rows the cut has skipped. For the same reason: caps, false empty
 * answers and answers without their `last` where the answer without dates is the only whole one, or where
 * rows come in no order on pages that may be short; and cursors that count rows where the answer without
 * dates is the only whole one, and rows come and go before its cursor while it is read.
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
 * With a row cap that the account can be read under. A cap of fewer rows than one millisecond has cannot be:
 * no dates ask for less. Nor can a cap of as many, since an answer that ends there may be whole or cut. A
 * range with exclusive ends has to ask for the milliseconds on both sides too.
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
 * Whether it shows that cursors leave out the rest of a millisecond: nothing else hides what they do, and a
 * page has room for the fills of one. See "Rare ties".
 */
export function showsTies(switches: Partial<Switches>, account: HistoryOptions): boolean {
  const { pageLimit = 100 } = switches;
  const isHidden = HIDING.some((name) => switches[name] !== undefined) || pageLimit < 33;
  return !isHidden && pageLimit >= 2 * mostWithin(3, planHistory(account).times);
}

/** The most rows of any `widthMs` ms. */
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
