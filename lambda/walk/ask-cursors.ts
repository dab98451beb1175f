import type { Fill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import type { TimeRange } from "../core/time.ts";
import type { PageRequest } from "../service/service.ts";
import type { Finding } from "./knowledge.ts";
import type { ProbePorts } from "./probe.ts";
import { askingsNeeded } from "./silence.ts";
import { MARGIN_MS } from "./window.ts";

/** The most pages that one probe reads. */
const MAX_PAGES = 8;

export type Pages = readonly (readonly Fill[])[];

/** A window that is read once more, to learn what the service's cursors do. */
export interface CursorProbe {
  readonly window: TimeRange;
  /** The fills that are known to lie in the window. */
  readonly fills: readonly Fill[];
  /** The span of all known rows around the window. */
  readonly span: TimeRange;
}

interface AskedCursors {
  /** What the pages by cursor showed: a row from outside the dates, or rows from inside them only. */
  readonly findings: readonly Finding[];
  /** True when the answer was read to its last page. */
  readonly isAtEnd: boolean;
}

/**
 * Reads the window again and reports what its cursors did. `onNew` gets the times of new rows, in the order
 * in which they came. An answer that seems too short is asked for again: its end may be a mistake.
 */
export async function askCursors(
  ports: ProbePorts,
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
  { reader, signal, onPage }: ProbePorts,
  { window, fills: known, span }: CursorProbe,
  onNew: (times: readonly number[]) => void,
): Promise<AskedCursors> {
  const datesOf = ({ from, to }: TimeRange) => ({ startDate: from - MARGIN_MS, endDate: to + MARGIN_MS });
  const dates = datesOf(window);
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
      return { findings: [...keptDates(pages), ...tiesOf(pages, window, known)], isAtEnd: true };
    }
    if (pages.length === 1) {
      // A cursor may belong to the latest request of any chain. Ask for something else, to find out.
      await reader.completedOrders(datesOf(span), signal);
    }
    request = { ...dates, start: answer.last };
  }
  return { findings: keptDates(pages), isAtEnd: false };
}

function keptDates([_, ...byCursor]: Pages): readonly Finding[] {
  return byCursor.flat().length > 0 ? [{ kind: "cursors-keep-dates" }] : [];
}

/**
 * Finds fills that got lost between two pages. This answer should hold every known fill between its first and
 * its last row. The earlier chain should have held every fill of this answer. Pages that are not neighbours
 * in time prove neither.
 */
function tiesOf(pages: Pages, window: TimeRange, known: readonly Fill[]): readonly Finding[] {
  if (!followInTime(pages)) {
    return [];
  }
  const [first = []] = pages;
  const ends = spanOf(first);
  const isEnd = ({ txCreated }: Fill) => txCreated === ends.from || txCreated === ends.to - 1;
  const [onFirst, all, before] = [Identities.of(first), Identities.of(pages.flat()), Identities.of(known)];
  const isInside = ({ txCreated }: Fill) => window.from < txCreated && txCreated < window.to - 1;
  const came = spanOf(pages.flat());
  const isBetween = ({ txCreated }: Fill) => came.from < txCreated && txCreated < came.to - 1;
  const lacking = known.filter((fill) => !all.has(fill));
  if (pages.flat().some((fill) => isInside(fill) && !before.has(fill)) || lacking.some(isBetween)) {
    return [{ kind: "ties", ties: "dropped" }];
  }
  const isTie = known.some((fill) => isEnd(fill) && !onFirst.has(fill));
  if (!(isTie && lacking.every(isEnd))) {
    return [];
  }
  return [{ kind: "ties", ties: lacking.length > 0 ? "dropped" : "kept" }];
}

export function spanOf(rows: readonly Pick<Fill, "txCreated">[]): TimeRange {
  const times = rows.map(({ txCreated }) => txCreated);
  return { from: Math.min(...times), to: Math.max(...times) + 1 };
}

/**
 * 1: the second range comes after the first. -1: before it. Null: they overlap by more than a millisecond.
 */
export function stepOf(first: TimeRange, second: TimeRange): 1 | -1 | null {
  if (second.to <= first.from + 1) {
    return -1;
  }
  return first.to <= second.from + 1 ? 1 : null;
}

/** True when the new rows of each page lie after (or before) those of the page before it. */
function followInTime(pages: Pages): boolean {
  const seen = new Identities();
  const spans = pages
    .map((page) => seen.addNew(page))
    .filter(({ length }) => length > 0)
    .map(spanOf);
  const steps = new Set(spans.slice(1).map((span, index) => stepOf(spans[index] ?? span, span)));
  return steps.size < 2 && !steps.has(null);
}
