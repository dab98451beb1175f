import { share } from "../support/prng.ts";
import { createCursors, type Issued, type Position } from "./cursors.ts";
import type { Moment, Rows } from "./rows.ts";
import type { Switches } from "./switches.ts";
import { type Dates, lowerBound, type WindowRows, type Windows } from "./windows.ts";
import { type EmulatorRequest, type HttpAnswer, json, jsonText } from "./wire.ts";

const EMPTY_PAGES_IN_A_ROW = 5;

/** The completed-orders endpoint (section 4.2), under every reading of what the document leaves open. */
export function createCompletedOrders(
  seed: number,
  rows: Rows,
  windows: Windows,
  timeOf: (index: number) => number,
  switches: () => Switches,
): (request: EmulatorRequest, moment: Moment) => HttpAnswer {
  const cursors = createCursors(seed);
  let pagesAnswered = 0;

  const issue = (position: Position, moment: Moment, plain?: string) =>
    cursors.issue({ position, atMs: moment.nowMs, pagesAnswered }, plain);

  /**
   * The cursor of a page that is not the last. `position` is where the next page begins; its `page` counts the
   * pages answered so far.
   */
  const nextCursor = (position: Position, moment: Moment): string => {
    const { cursorLoop: loop, cursorValues } = switches();
    const goesBack = loop !== null && position.page >= loop.afterPages + loop.length;
    const back = goesBack ? position.trail.at(-loop.length) : undefined;
    return back ?? issue(position, moment, cursorValues[position.page - 1]);
  };

  /** The `last` of the final page; undefined omits the field. */
  const finalCursor = (position: Position, moment: Moment): string | null | undefined => {
    const { lastOnFinal, cursorValues } = switches();
    switch (lastOnFinal) {
      case "absent":
        return undefined;
      case "null":
        return null;
      case "cursor":
        return issue(position, moment);
      case "empty-string":
      case "zero": {
        const value = lastOnFinal === "zero" ? "0" : "";
        const isTaken = cursorValues.includes(value); // the value would name two positions of one chain
        return issue(position, moment, isTaken ? undefined : value);
      }
      case "empty-string-restarts":
        return issue(firstPosition(position.dates), moment, "");
    }
  };

  /** The `last` of an answer. `isEnd`: no visible row follows in the window. */
  const lastAfter = (next: Position, isEnd: boolean, moment: Moment): string | null | undefined => {
    const { rowCap, lostLast } = switches();
    const isCapped = !isEnd && rowCap !== null && next.served >= rowCap.rows;
    const after = { ...next, ended: isEnd || isCapped };
    if (isCapped && rowCap.emptyLast === true) {
      return issue(after, moment);
    }
    if (after.ended) {
      return finalCursor(after, moment);
    }
    const isLost = share(seed, moment.requests, 54) < lostLast;
    return isLost ? undefined : nextCursor(next, moment);
  };

  const pageAt = (position: Position, dates: Dates, moment: Moment): HttpAnswer => {
    const set = switches();
    pagesAnswered += 1;
    if (position.ended) {
      return page([], undefined);
    }
    const window = windows.rows(dates);
    if (drawsEmptyPage(seed, position, set)) {
      const rank = set.offsetCursors ? position.rank : nextRank(window, position.rank);
      const next = { ...position, rank, page: position.page + 1, empties: position.empties + 1 };
      return page([], nextCursor(next, moment));
    }
    const visible = (place: number) => rows.isVisible(windows.indexOf(window[place] ?? 0), moment);
    const cut = cutPage(window, visible, position, seed, set);
    const texts = cut.places.map((place) => rows.text(windows.indexOf(window[place] ?? 0), moment));
    if (texts.length > 0 && share(seed, moment.requests, 53) < set.falseEmpty) {
      return page([], undefined);
    }
    const timeAt = (place: number) => timeOf(windows.indexOf(window[place] ?? 0));
    const isByTime = set.timeCursors && (set.order === "descending" || set.order === "ascending");
    const end = isByTime ? afterTime(cut.end, window.length, timeAt) : cut.end;
    const next = positionAfter({ ...cut, end }, window, position, set);
    return page(texts, lastAfter(next, end >= window.length, moment));
  };

  const followCursor = (cursor: string, dates: Dates, moment: Moment): HttpAnswer => {
    const set = switches();
    const issued = cursors.find(cursor, dates);
    if (set.cursorRefused || issued === undefined) {
      return json(400, { message: "invalid start" });
    }
    const { position } = issued;
    const sameDates = position.dates.startDate === dates.startDate && position.dates.endDate === dates.endDate;
    if (set.cursorDates === "required" && !sameDates) {
      return json(400, { message: "start belongs to other dates" });
    }
    if (isDead(issued, set, moment, pagesAnswered)) {
      return set.cursorExpired === "restarts"
        ? pageAt(firstPosition(position.dates), clamped(position.dates, set, moment), moment)
        : json(set.cursorExpired, { message: "start has expired" });
    }
    const trail = [...position.trail, cursor].slice(-(set.cursorLoop?.length ?? 1));
    return pageAt({ ...position, trail }, datesInForce(position.dates, dates, set, moment), moment);
  };

  return (request, moment) => {
    const dates = readDates(request.query);
    if (dates === null) {
      return json(400, { message: "startDate and endDate are milliseconds" });
    }
    const refused = refusedRange(dates, switches(), moment);
    if (refused !== null) {
      return refused;
    }
    const cursor = request.query.get("start");
    return cursor === null
      ? pageAt(firstPosition(dates), clamped(dates, switches(), moment), moment)
      : followCursor(cursor, dates, moment);
  };
}

/** The rank of the row that comes next: a cursor that forgets its window still begins in it. */
function nextRank(window: WindowRows, rank: number): number {
  return window[lowerBound(window, rank)] ?? rank;
}

function firstPosition(dates: Dates): Position {
  return { dates, rank: 0, served: 0, page: 0, empties: 0, trail: [], ended: false };
}

/** The position where the next page begins. */
function positionAfter(cut: Cut, window: WindowRows, position: Position, set: Switches): Position {
  const served = set.rowCap === null ? 0 : position.served + cut.taken;
  const after = { ...position, served, page: position.page + 1, empties: 0 };
  if (set.offsetCursors) {
    return { ...after, rank: position.rank + cut.taken };
  }
  return cut.end === cut.from ? after : { ...after, rank: (window[cut.end - 1] ?? 0) + 1 };
}

/** The first place at or after `end` whose row has another time than the row before it. */
function afterTime(end: number, count: number, timeAt: (place: number) => number): number {
  let place = end;
  while (place > 0 && place < count && timeAt(place) === timeAt(place - 1)) {
    place += 1;
  }
  return place;
}

function readDates(query: URLSearchParams): Dates | null {
  const startDate = query.get("startDate");
  const endDate = query.get("endDate");
  const isMs = (text: string | null) => text === null || /^\d{1,16}$/.test(text);
  if (!(isMs(startDate) && isMs(endDate))) {
    return null;
  }
  return {
    ...(startDate === null ? {} : { startDate: Number(startDate) }),
    ...(endDate === null ? {} : { endDate: Number(endDate) }),
  };
}

/** The refusal of dates that `rangeLimits` forbids, or null if the dates are allowed. */
function refusedRange({ startDate, endDate }: Dates, { rangeLimits }: Switches, moment: Moment): HttpAnswer | null {
  if (rangeLimits === null || (startDate === undefined && endDate === undefined)) {
    return null;
  }
  const { maxWidthMs = Number.POSITIVE_INFINITY, oldestAgeMs, status = 400 } = rangeLimits;
  const isSingle = startDate === undefined || endDate === undefined;
  const width = isSingle ? Number.POSITIVE_INFINITY : endDate - startDate;
  const isTooWide = width > maxWidthMs;
  const isTooOld = startDate !== undefined && oldestAgeMs !== undefined && startDate < moment.nowMs - oldestAgeMs;
  if (!(isTooWide || isTooOld)) {
    return null;
  }
  const message = isTooWide ? `the range must not be wider than ${maxWidthMs} ms` : "startDate is too old";
  return json(status, { message });
}

/** The window that applies to a request with a cursor. */
function datesInForce(first: Dates, sent: Dates, set: Switches, moment: Moment): Dates {
  switch (set.cursorDates) {
    case "remembered":
    case "required":
      return clamped(first, set, moment);
    case "sent":
      return clamped(sent, set, moment);
    case "forgotten":
      return {};
  }
}

function clamped(dates: Dates, set: Switches, moment: Moment): Dates {
  const { clamp } = set;
  if (clamp === null) {
    return dates;
  }
  const { startDate, endDate } = dates;
  const isUndated = startDate === undefined && endDate === undefined;
  const isSingle = startDate === undefined || endDate === undefined;
  if (isUndated || (isSingle && !clamp.alsoSingleBound)) {
    return dates;
  }
  const end = endDate ?? moment.nowMs;
  const start = startDate ?? Number.NEGATIVE_INFINITY;
  if (end - start <= clamp.widthMs) {
    return dates;
  }
  const keepsStart = clamp.anchor === "start" && startDate !== undefined;
  return keepsStart
    ? { startDate: start, endDate: start + clamp.widthMs }
    : { startDate: end - clamp.widthMs, endDate: end };
}

function drawsEmptyPage(seed: number, position: Position, set: Switches): boolean {
  return position.empties < EMPTY_PAGES_IN_A_ROW && share(seed, position.rank, position.empties, 51) < set.emptyPages;
}

interface Cut {
  /** places of the window, in order */
  readonly places: readonly number[];
  readonly from: number;
  /** the next page's first place */
  readonly end: number;
  /** rows of this page that the previous page did not have */
  readonly taken: number;
}

function cutPage(
  window: WindowRows,
  isVisible: (place: number) => boolean,
  position: Position,
  seed: number,
  set: Switches,
): Cut {
  const from = set.offsetCursors ? placeAfter(position.rank, window, isVisible) : lowerBound(window, position.rank);
  const repeated =
    position.page === 0 ? [] : visibleBefore(from, Math.min(set.repeatRows, Math.floor(set.pageLimit / 2)), isVisible);
  const drawn = set.shortPages ? 1 + Math.floor(share(seed, position.rank, 52) * set.pageLimit) : set.pageLimit;
  const left = (set.rowCap?.rows ?? Number.POSITIVE_INFINITY) - position.served;
  const size = Math.min(left, Math.max(1, Math.min(drawn, set.pageLimit) - repeated.length));
  const places = repeated;
  let place = from;
  let taken = 0;
  for (; place < window.length && taken < size; place++) {
    if (isVisible(place)) {
      places.push(place);
      taken += 1;
    }
  }
  while (place < window.length && !isVisible(place)) {
    place += 1; // rows that are not visible yet do not cause another page
  }
  return { places, from, end: place, taken };
}

/** The place after the first `offset` visible rows. */
function placeAfter(offset: number, window: WindowRows, isVisible: (place: number) => boolean): number {
  let place = 0;
  for (let passed = 0; place < window.length && passed < offset; place++) {
    passed += isVisible(place) ? 1 : 0;
  }
  return place;
}

function visibleBefore(place: number, count: number, isVisible: (place: number) => boolean): number[] {
  const places: number[] = [];
  for (let at = place - 1; at >= 0 && places.length < count; at--) {
    if (isVisible(at)) {
      places.unshift(at);
    }
  }
  return places;
}

function isDead(issued: Issued, set: Switches, moment: Moment, pagesAnswered: number): boolean {
  const { cursorLifetimeMs, cursorLifetimePages } = set;
  return (
    (cursorLifetimeMs !== null && moment.nowMs - issued.atMs >= cursorLifetimeMs) ||
    (cursorLifetimePages !== null && pagesAnswered - issued.pagesAnswered >= cursorLifetimePages)
  );
}

function page(texts: readonly string[], last: string | null | undefined): HttpAnswer {
  const tail = last === undefined ? "" : `,"last":${JSON.stringify(last)}`;
  return jsonText(200, `{"completedOrders":[${texts.join(",")}]${tail}}`);
}
