import type { OpenWindow } from "../archive/manifest.ts";
import type { Fill } from "../model/fill.ts";
import { Identities } from "../model/identities.ts";
import { isWithin } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import type { PageRequest } from "../service/service.ts";
import type { Chain } from "./chain.ts";
import type { Finding, Knowledge } from "./knowledge.ts";
import type { LookPorts } from "./look.ts";
import type { OrderProof } from "./order.ts";
import { askingsNeeded } from "./silence.ts";
import { MARGIN_MS } from "./window.ts";

/** Full pages of a chain that are looked at: a window of a little more than one lies between rows that are known. */
const PAGES = 3;
const LEAST_SHARE = 1.2;
/** Milliseconds in which pages ended that are asked for by themselves. */
const MOST_ENDS = 3;
/** Pages asked at most: without an order the window holds more than was seen of it. */
const MAX_PAGES = 8;

/** A window that is asked for once more, to see what cursors do. */
export interface CursorProbe {
  readonly window: TimeRange;
  /** What is known of it. */
  readonly fills: readonly Fill[];
}

/**
 * The interface does not say whether a cursor keeps the dates of its chain, nor what becomes of a millisecond in which a page ends. A cursor that forgets the dates brings
 * rows that a cut of the range had left out, which would seem to prove widths that are none; one that is a time leaves out the fills which the page had no room
 * for. So a window of a little more than a page, with known rows beyond both of its ends, is read once, its page ending between fills of one time as soon as such are
 * known. A page that ended with several rows of one time, of which the next has none, makes that millisecond be asked for by itself.
 */
export class CursorProof {
  #hasAskedDates = false;
  #hasAskedTies = false;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  readonly #last = new WeakMap<Chain, readonly Fill[]>();
  /** How often the millisecond was asked for in which a page had ended. */
  #endsAsked = 0;
  #isAsking = false;

  /**
   * A chain's page. Gives what is to be asked, when enough is known: one at a time, until it is `answered`. Without an order it would hold too many pages; there
   * the windows of the walk show what becomes of their dates.
   */
  offer(
    chain: Chain,
    fills: readonly Fill[],
    { pageRows, state }: Pick<OrderProof, "pageRows" | "state">,
    known: Pick<Knowledge, "cursorsProven" | "ties">,
  ): CursorProbe | null {
    for (const { txCreated } of fills) {
      this.#lowest = Math.min(this.#lowest, txCreated);
      this.#highest = Math.max(this.#highest, txCreated);
    }
    if (state.refuted || state.direction === null || !chain.window.dated) {
      return null;
    }
    const before = this.#last.get(chain) ?? [];
    const last = [...before, ...fills].slice(-PAGES * pageRows);
    this.#last.set(chain, last);
    const end = known.ties === undefined && !this.#isAsking ? endedTie(before, fills) : null;
    if (end !== null && this.#endsAsked < MOST_ENDS) {
      this.#endsAsked += 1;
      this.#isAsking = true;
      const ofOneTime = last.filter(({ txCreated }) => txCreated === end);
      return { window: { from: end - 1, to: end + 2 }, fills: ofOneTime };
    }
    const isFull = last.length === PAGES * pageRows;
    if (this.#isAsking || !(isFull || chain.isDone)) {
      return null;
    }
    const sign = state.direction === "descending" ? -1 : 1;
    const inOrder = last.toSorted((a, b) => sign * (a.txCreated - b.txCreated));
    const window = this.#windowIn(inOrder, pageRows, known);
    this.#isAsking = window !== null;
    return window === null ? null : { window, fills: last.filter(({ txCreated }) => isWithin(window, txCreated)) };
  }

  answered(): void {
    this.#isAsking = false;
  }

  #windowIn(
    fills: readonly Fill[],
    pageRows: number,
    { cursorsProven, ties }: Pick<Knowledge, "cursorsProven" | "ties">,
  ): TimeRange | null {
    const isFull = fills.length === PAGES * pageRows;
    const asksDates = isFull && !(cursorsProven || this.#hasAskedDates);
    const byTie = ties === undefined && !this.#hasAskedTies ? windowByTie(fills, pageRows) : null;
    const window = byTie ?? (asksDates ? middleOf(fills, Math.ceil(LEAST_SHARE * pageRows)) : null);
    this.#hasAskedDates ||= isFull && window !== null;
    this.#hasAskedTies ||= byTie !== null;
    return window;
  }

  /** Whether the cursors of a chain that came to its last page led to more rows, to the end of its window, and not to rows that are known beyond it. */
  hasKept(
    { askFrom, askTo, rows = 0 }: OpenWindow,
    { pageRows, state: { direction, refuted } }: Pick<OrderProof, "pageRows" | "state">,
  ): boolean {
    const [isBelow, isAbove] = [this.#lowest < askFrom - MARGIN_MS, this.#highest > askTo + MARGIN_MS];
    // A cursor of a last page may lead nowhere, and shows nothing: no single page has more rows than the fullest.
    if (rows <= pageRows || direction === null) {
      return false;
    }
    const isBeyond = direction === "descending" ? isBelow : isAbove;
    return isBeyond || (refuted && (isBelow || isAbove));
  }
}

type Timed = Pick<Fill, "txCreated">;

/** The time of the last rows before a page, if they are several of one time and the page has none of it: a cursor may have left out the others. */
function endedTie(before: readonly Timed[], page: readonly Timed[]): number | null {
  const [other, end] = before.slice(-2).map(({ txCreated }) => txCreated);
  const isWhole = before[0]?.txCreated !== end; // all that the chain had of it is among them
  const isOver = page.length > 0 && page.every(({ txCreated }) => txCreated !== end);
  return end !== undefined && other === end && isWhole && isOver ? end : null;
}

/** A window around `rows` of the fills, with others beyond its margins on both sides; null: they are too close. */
function middleOf(fills: readonly Timed[], rows: number): TimeRange | null {
  const start = Math.floor((fills.length - rows) / 2);
  const times = (...indices: readonly number[]) => indices.map((index) => fills.at(index)?.txCreated ?? 0);
  const [inner, outer] = [times(start, start + rows - 1), times(0, -1)];
  const [from, to] = [Math.min(...inner), Math.max(...inner)];
  const isApart = Math.min(...outer) < from - 2 * MARGIN_MS && Math.max(...outer) > to + 2 * MARGIN_MS;
  return isApart ? { from, to: to + 1 } : null;
}

/** A window whose first page, of so many rows, ends between fills of one time; null: none is known, or its beginning cannot be cut between the rows. */
export function windowByTie(fills: readonly Timed[], pageRows: number): TimeRange | null {
  const beyond = Math.ceil((LEAST_SHARE - 1) * pageRows);
  for (let start = 1; start + pageRows < fills.length; start += 1) {
    const [before, first, end, next] = [start - 1, start, start + pageRows - 1, start + pageRows].map(
      (index) => fills[index]?.txCreated ?? 0,
    ) as [number, number, number, number];
    if (end === next && Math.abs(before - first) > 2 * MARGIN_MS) {
      const last = fills[Math.min(start + pageRows + beyond, fills.length) - 1]?.txCreated ?? next;
      return { from: Math.min(first, last), to: Math.max(first, last) + 1 };
    }
  }
  return null;
}

interface AskedCursors {
  /** A page by cursor held a row from elsewhere; or there were such pages with rows, and none did. */
  readonly findings: readonly Finding[];
  /** The answer was read to its last page. */
  readonly isAtEnd: boolean;
}

/** `onNew`: the times of rows that are new, as they came first. What seems to be left out may be an end by mistake, and is asked for again. */
export async function askCursors(
  ports: LookPorts,
  probe: CursorProbe,
  onNew: (times: readonly number[]) => void,
): Promise<AskedCursors> {
  let asked = await askOnce(ports, probe, onNew);
  for (let asking = 1; asking < askingsNeeded(false) && asked.findings.some(isDrop); asking += 1) {
    asked = await askOnce(ports, probe, () => undefined);
  }
  return asked;
}

function isDrop(finding: Finding): boolean {
  return finding.kind === "ties" && finding.ties === "dropped";
}

async function askOnce(
  { reader, signal, onPage }: LookPorts,
  { window, fills: known }: CursorProbe,
  onNew: (times: readonly number[]) => void,
): Promise<AskedCursors> {
  const dates = { startDate: window.from - MARGIN_MS, endDate: window.to + MARGIN_MS };
  let request: PageRequest = dates;
  const seen = new Identities();
  const pages: (readonly Fill[])[] = [];
  while (pages.length < MAX_PAGES) {
    const answer = await reader.completedOrders(request, signal);
    if (answer.kind !== "page") {
      return { findings: [], isAtEnd: false };
    }
    const fills = answer.rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
    pages.push(fills);
    onPage(answer.rows.length);
    onNew(seen.addNew(fills).map(({ txCreated }) => txCreated));
    if (fills.some(({ txCreated }) => txCreated < dates.startDate || txCreated > dates.endDate)) {
      return { findings: [{ kind: "row-from-elsewhere" }], isAtEnd: false };
    }
    if (answer.last === undefined) {
      return { findings: [...keptDates(pages), ...tiesOf(pages, { window, fills: known })], isAtEnd: true };
    }
    request = { ...dates, start: answer.last };
  }
  return { findings: keptDates(pages), isAtEnd: false };
}

function keptDates([_, ...byCursor]: readonly (readonly Fill[])[]): readonly Finding[] {
  return byCursor.flat().length > 0 ? [{ kind: "cursors-keep-dates" }] : [];
}

/**
 * What became of fills of one time between two pages: of this answer, which should hold all that are known of the time in which its first page ended; and of the chain
 * before, which should have held all that this answer has.
 */
function tiesOf(pages: readonly (readonly Fill[])[], { window, fills: known }: CursorProbe): readonly Finding[] {
  const [first = []] = pages;
  const end = first.at(-1)?.txCreated;
  const [onFirst, all, before] = [Identities.of(first), Identities.of(pages.flat()), Identities.of(known)];
  const times = new Set(known.map(({ txCreated }) => txCreated));
  const isInside = ({ txCreated }: Fill) => window.from < txCreated && txCreated < window.to - 1;
  if (pages.flat().some((fill) => isInside(fill) && times.has(fill.txCreated) && !before.has(fill))) {
    return [{ kind: "ties", ties: "dropped" }];
  }
  const lacking = known.filter((fill) => !all.has(fill));
  const isTie = known.some((fill) => fill.txCreated === end && !onFirst.has(fill));
  if (!isTie || lacking.some(({ txCreated }) => txCreated !== end)) {
    return [];
  }
  return [{ kind: "ties", ties: lacking.length > 0 ? "dropped" : "kept" }];
}
