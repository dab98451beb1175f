import { counted } from "../../core/text.ts";
import { DAY_MS, type TimeRange } from "../../core/time.ts";
import { area, drawing, label } from "../../pack/files/report/charts/drawing.ts";
import { type Html, type HtmlValue, html } from "../../pack/files/report/html.ts";
import { dataTable } from "../../pack/files/report/table.ts";

/** `unread`: past, and after all that was to be read by now. `future`: not begun. */
export type DayState = "covered" | "partly" | "none" | "unread" | "future";

export interface CalendarYear {
  readonly year: number;
  /** The days of each month, UTC, in order. */
  readonly months: readonly (readonly DayState[])[];
}

/**
 * All days of the years from the first covered one to the current one, oldest first; empty if nothing is
 * covered. `coverage`: sorted. `due`: what lies before it must be read by now; of its day, only the part
 * before it counts. Both times: ms UTC.
 */
export function calendarOf(coverage: readonly TimeRange[], due: number, now: number): CalendarYear[] {
  const first = coverage.at(0);
  if (first === undefined) {
    return [];
  }
  const covered = coveredMsOf(coverage, due);
  const firstYear = yearOf(first.from);
  const years = Array.from(
    { length: Math.max(0, yearOf(Math.max(due, now)) - firstYear) + 1 },
    (_, at) => firstYear + at,
  );
  return years.map((year) => ({
    year,
    months: MONTHS.map((_, month) => {
      const start = Date.UTC(year, month) / DAY_MS;
      const length = Date.UTC(year, month + 1) / DAY_MS - start;
      return Array.from({ length }, (__, at) => stateOf(start + at, { due, now }, covered.get(start + at) ?? 0));
    }),
  }));
}

/** Covered time before `due` in ms, by day number since 1970. */
function coveredMsOf(coverage: readonly TimeRange[], due: number): Map<number, number> {
  const covered = new Map<number, number>();
  for (const { from, to } of coverage) {
    const end = Math.min(to, due);
    for (let start = from; start < end; ) {
      const day = Math.floor(start / DAY_MS);
      const next = Math.min(end, (day + 1) * DAY_MS);
      covered.set(day, (covered.get(day) ?? 0) + next - start);
      start = next;
    }
  }
  return covered;
}

function stateOf(
  day: number,
  { due, now }: { readonly due: number; readonly now: number },
  coveredMs: number,
): DayState {
  const passedMs = Math.min(DAY_MS, due - day * DAY_MS);
  if (passedMs <= 0) {
    return day * DAY_MS < now ? "unread" : "future";
  }
  if (coveredMs === 0) {
    return "none";
  }
  return coveredMs === passedMs ? "covered" : "partly";
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

/** At most this many years are drawn. The others are summarised, and drawn one at a time on request. */
const DRAWN_YEARS = 2;

/**
 * The newest years, or the requested one, each as a drawing and a table by month; the others as one line
 * each. Newest first.
 */
export function calendar(years: readonly CalendarYear[], asked: string | null, linkOf: (year: number) => string): Html {
  const newestFirst = years.toReversed();
  const found = newestFirst.filter(({ year }) => String(year) === asked);
  const drawn = found.length > 0 ? found : newestFirst.slice(0, DRAWN_YEARS);
  const others = newestFirst.filter((year) => !drawn.includes(year));
  return html`
<ul class="key" aria-hidden="true"><li><span class="swatch blue"></span>covered</li><li><span class="swatch partly"></span>partly</li><li><span class="swatch orange"></span>not covered</li><li><span class="swatch grey"></span>not read yet</li><li><span class="swatch to-come"></span>to come</li></ul>
<div class="years">${drawn.map(yearFigure)}</div>${otherYears(others, linkOf)}`;
}

function otherYears(years: readonly CalendarYear[], linkOf: (year: number) => string): HtmlValue {
  return years.length === 0
    ? null
    : html`
<details><summary>${counted(years.length, "other year")}: ${tallyText(years.flatMap(({ months }) => months))}</summary>
<ul class="rows">${years.map(
        ({ year, months }) => html`
<li><a class="name" href="${linkOf(year)}">${year}</a> <span class="about">${tallyText(months)}</span></li>`,
      )}
</ul></details>`;
}

function yearFigure({ year, months }: CalendarYear): Html {
  const id = `year-${year}`;
  const title = `Coverage of ${year}, day by day`;
  const description = `${tallyText(months)} The table below counts them by month.`;
  return html`
<figure><figcaption>${year}</figcaption>${drawing({ id, title, description, width: WIDTH, height: HEIGHT }, [
    [1, 5, 10, 15, 20, 25, 30].map((day) =>
      label({ x: LEFT + (day - 0.5) * DAY, y: 11, text: String(day), anchor: "middle" }),
    ),
    months.map((_, month) => label({ x: 0, y: TOP + month * MONTH + 10, text: MONTHS[month] ?? "" })),
    ...areasOf(id, months),
    separators(),
  ])}
<p class="note">${tallyText(months)}</p>${monthTable(id, year, months)}</figure>`;
}

const LEFT = 30;
const TOP = 16;
const DAY = 11;
const WIDTH = LEFT + 31 * DAY;
const MONTH = 15;
const BAR = 12;
const HEIGHT = TOP + 12 * MONTH;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/**
 * How each state is drawn: a part of the bar's height, beginning at `down`. A partly covered day has half of
 * each colour.
 */
const LOOKS = [
  { state: "covered", fill: "blue", down: 0, height: BAR },
  { state: "partly", fill: "blue", down: BAR / 2, height: BAR / 2 },
  { state: "partly", fill: "orange", down: 0, height: BAR / 2 },
  { state: "none", fill: "orange", down: 0, height: BAR },
  { state: "unread", fill: "grey", down: 0, height: BAR },
] as const;

/** One path for each colour. Days to come have a frame alone. */
function areasOf(id: string, months: CalendarYear["months"]): Html[] {
  const runs = months.flatMap(runsOf);
  const toCome = runs.filter(({ state }) => state === "future").map((run) => barOf(run, 0, BAR));
  const areas = (["blue", "orange", "grey"] as const).flatMap((fill) => {
    const bars = runs.flatMap((run) =>
      LOOKS.filter((look) => look.state === run.state && look.fill === fill).map(({ down, height }) =>
        barOf(run, down, height),
      ),
    );
    return bars.length === 0 ? [] : [area(id, fill, bars.join(""))];
  });
  return toCome.length === 0 ? areas : [...areas, html`<path class="to-come" d="${toCome.join("")}"/>`];
}

function barOf({ top, first, days }: Run, down: number, height: number): string {
  return `M${LEFT + first * DAY} ${top + down}h${days * DAY}v${height}h-${days * DAY}z`;
}

interface Run {
  readonly state: DayState;
  readonly top: number;
  /** The first day, from 0. */
  readonly first: number;
  days: number;
}

/** Merges adjacent days with the same state into one bar. */
function runsOf(states: readonly DayState[], month: number): Run[] {
  const runs: Run[] = [];
  for (const [first, state] of states.entries()) {
    const run = runs.at(-1);
    if (run?.state === state) {
      run.days += 1;
    } else {
      runs.push({ state, top: TOP + month * MONTH, first, days: 1 });
    }
  }
  return runs;
}

/** Lines in the background colour that divide the bars into days. */
function separators(): Html {
  const lines = Array.from({ length: 30 }, (_, at) => `M${LEFT + (at + 1) * DAY} ${TOP}V${HEIGHT}`);
  return html`<path class="between" d="${lines.join("")}"/>`;
}

function monthTable(id: string, year: number, months: CalendarYear["months"]): Html {
  return dataTable("By month", {
    id: `${id}-months`,
    caption: `Days of ${year}`,
    columns: [
      { head: "Month" },
      ...["Covered", "Partly", "Not covered", "Not read yet"].map((head) => ({ head, kind: "number" as const })),
    ],
    rows: months.map((days, at) => {
      const month = `${year}-${String(at + 1).padStart(2, "0")}`;
      const { covered, partly, none, unread } = countsOf(days);
      return { key: month, cells: [month, covered, partly, none, unread] };
    }),
  });
}

function countsOf(days: readonly DayState[]): Readonly<Record<DayState, number>> {
  const counts = { covered: 0, partly: 0, none: 0, unread: 0, future: 0 };
  for (const state of days) {
    counts[state] += 1;
  }
  return counts;
}

/** `300 days covered, 2 partly, 63 not covered.` Days to come are not counted. */
function tallyText(months: CalendarYear["months"]): string {
  const { covered, partly, none, unread } = countsOf(months.flat());
  const others = [
    partly === 0 ? [] : [`${partly} partly`],
    none === 0 ? [] : [`${none} not covered`],
    unread === 0 ? [] : [`${unread} not read yet`],
  ].flat();
  return `${[`${counted(covered, "day")} covered`, ...others].join(", ")}.`;
}
