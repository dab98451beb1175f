import type { Fill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import type { TimeRange } from "../core/time.ts";
import type { PageRequest } from "../service/service.ts";
import type { Finding } from "./knowledge.ts";
import type { ProbePorts } from "./probe.ts";
import { askingsNeeded } from "./silence.ts";
import { MARGIN_MS } from "./window.ts";

/** Pages asked at most. */
const MAX_PAGES = 8;

export type Pages = readonly (readonly Fill[])[];

/** A window that is asked for once more, to see what cursors do. */
export interface CursorProbe {
  readonly window: TimeRange;
  /** What is known of it. */
  readonly fills: readonly Fill[];
  /** Of all rows around it that are known. */
  readonly span: TimeRange;
}

interface AskedCursors {
  /** A page by cursor held a row from elsewhere; or there were such pages with rows, and none did. */
  readonly findings: readonly Finding[];
  /** The answer was read to its last page. */
  readonly isAtEnd: boolean;
}

/** `onNew`: the times of rows that are new, as they came first. What seems to be left out may be an end by mistake, and is asked for again. */
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
      // A cursor may mean what was asked last, by whichever chain.
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
 * What became of the fills between two pages: of this answer, which should hold all that are known between its first and its last; and of the chain before, which should
 * have held all that this answer has. Pages that do not follow each other in time show neither: the chain's last pages are not the ones beside these.
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

/** 1: the second comes after the first in time, -1: before it; null: neither. They may share a millisecond. */
export function stepOf(first: TimeRange, second: TimeRange): 1 | -1 | null {
  if (second.to <= first.from + 1) {
    return -1;
  }
  return first.to <= second.from + 1 ? 1 : null;
}

/** Whether pages follow each other in time, one way, by the rows of each that are new. */
function followInTime(pages: Pages): boolean {
  const seen = new Identities();
  const spans = pages
    .map((page) => seen.addNew(page))
    .filter(({ length }) => length > 0)
    .map(spanOf);
  const steps = new Set(spans.slice(1).map((span, index) => stepOf(spans[index] ?? span, span)));
  return steps.size < 2 && !steps.has(null);
}
