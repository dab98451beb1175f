import { compareText, counted } from "../../core/text.ts";
import { area, drawing, label } from "../../pack/files/report/charts/drawing.ts";
import { type Html, type HtmlValue, html } from "../../pack/files/report/html.ts";
import { dataTable } from "../../pack/files/report/table.ts";

export type DayState = "covered" | "partly" | "none" | "future";

export interface CalendarDay {
  /** UTC, `2025-03-01` */
  readonly day: string;
  readonly state: DayState;
}

export interface CalendarMonth {
  /** `2025-03` */
  readonly month: string;
  /** In order; days that are left out are drawn as nothing. */
  readonly days: readonly CalendarDay[];
}

export interface CalendarYear {
  /** `2025` */
  readonly year: string;
  readonly months: readonly CalendarMonth[];
}

/** So many years are drawn; the others are counted, and drawn one at a time when asked for. */
const DRAWN_YEARS = 2;

/** The newest years, or the one that is asked for, each as a drawing and a table of its days by month; the others in a line each. Newest first. */
export function calendar(years: readonly CalendarYear[], asked: string | null, linkOf: (year: string) => string): Html {
  const newestFirst = years.toSorted((a, b) => compareText(b.year, a.year));
  const found = newestFirst.filter(({ year }) => year === asked);
  const drawn = found.length > 0 ? found : newestFirst.slice(0, DRAWN_YEARS);
  const others = newestFirst.filter((year) => !drawn.includes(year));
  return html`
<ul class="key" aria-hidden="true"><li><span class="swatch blue"></span>covered</li><li><span class="swatch partly"></span>partly</li><li><span class="swatch orange"></span>not covered</li><li><span class="swatch grey"></span>still to come</li></ul>
<div class="years">${drawn.map(yearFigure)}</div>${otherYears(others, linkOf)}`;
}

function otherYears(years: readonly CalendarYear[], linkOf: (year: string) => string): HtmlValue {
  return years.length === 0
    ? null
    : html`
<details class="older"><summary>${counted(years.length, "other year")}: ${tallyText(years.flatMap(daysOf))}</summary>
<ul class="rows">${years.map(
        (year) => html`
<li><a class="name" href="${linkOf(year.year)}">${year.year}</a> <span class="about">${tallyText(daysOf(year))}</span></li>`,
      )}
</ul></details>`;
}

function yearFigure(year: CalendarYear): Html {
  const id = `year-${year.year}`;
  const title = `Coverage of ${year.year}, day by day`;
  const description = `${tallyText(daysOf(year))} The table beneath counts them by month.`;
  return html`
<figure><figcaption>${year.year}</figcaption>${drawing({ id, title, description, width: WIDTH, height: HEIGHT }, [
    dayLabels(),
    ...year.months.map(monthLabel),
    ...areasOf(id, year.months),
    separators(),
  ])}
<p class="note">${tallyText(daysOf(year))}</p>${monthTable(id, year)}</figure>`;
}

const LEFT = 30;
const TOP = 16;
const DAY = 11;
const WIDTH = LEFT + 31 * DAY;
const MONTH = 15;
const BAR = 12;
const HEIGHT = TOP + 12 * MONTH;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

function dayLabels(): Html {
  return html`${[1, 5, 10, 15, 20, 25, 30].map((day) =>
    label({ x: rounded(LEFT + (day - 0.5) * DAY), y: 11, text: String(day), anchor: "middle" }),
  )}`;
}

function monthLabel({ month }: CalendarMonth): Html {
  return label({ x: 0, y: topOf(month) + 10, text: nameOf(month) });
}

/** A path for each look: days in a row are one bar. A day that is covered in part has a half of both. */
function areasOf(id: string, months: readonly CalendarMonth[]): Html[] {
  const paths = { blue: "", orange: "", grey: "" };
  for (const run of months.flatMap(runsOf)) {
    if (run.state === "covered" || run.state === "partly") {
      paths.blue += run.state === "covered" ? bar(run, 0, BAR) : bar(run, BAR / 2, BAR / 2);
    }
    if (run.state === "none" || run.state === "partly") {
      paths.orange += run.state === "none" ? bar(run, 0, BAR) : bar(run, 0, BAR / 2);
    }
    if (run.state === "future") {
      paths.grey += bar(run, 0, BAR);
    }
  }
  return (["blue", "orange", "grey"] as const).flatMap((fill) =>
    paths[fill] === "" ? [] : [area(id, fill, paths[fill])],
  );
}

interface Run {
  readonly state: DayState;
  readonly top: number;
  /** Days of the month. */
  readonly first: number;
  last: number;
}

function runsOf({ month, days }: CalendarMonth): Run[] {
  const runs: Run[] = [];
  for (const { day, state } of days) {
    const number = Number(day.slice(8));
    const run = runs.at(-1);
    if (run?.state === state && run.last === number - 1) {
      run.last = number;
    } else {
      runs.push({ state, top: topOf(month), first: number, last: number });
    }
  }
  return runs;
}

function bar({ top, first, last }: Run, down: number, height: number): string {
  const width = rounded((last - first + 1) * DAY);
  return `M${rounded(LEFT + (first - 1) * DAY)} ${top + down}h${width}v${height}h-${width}z`;
}

/** Lines of the paper's colour, which cut the bars into days. */
function separators(): Html {
  const lines = Array.from({ length: 30 }, (_, at) => `M${rounded(LEFT + (at + 1) * DAY)} ${TOP}V${HEIGHT}`);
  return html`<path class="between" d="${lines.join("")}"/>`;
}

function topOf(month: string): number {
  return TOP + (Number(month.slice(5)) - 1) * MONTH;
}

function nameOf(month: string): string {
  return MONTHS[Number(month.slice(5)) - 1] ?? month;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function monthTable(id: string, { year, months }: CalendarYear): Html {
  return dataTable("By month", {
    id: `${id}-months`,
    caption: `Days of ${year}`,
    columns: [
      { head: "Month" },
      ...["Covered", "Partly", "Not covered", "Still to come"].map((head) => ({ head, kind: "number" as const })),
    ],
    rows: months.map(({ month, days }) => {
      const { covered, partly, none, future } = countsOf(days);
      return { key: month, cells: [month, covered, partly, none, future] };
    }),
  });
}

function daysOf({ months }: CalendarYear): readonly CalendarDay[] {
  return months.flatMap(({ days }) => days);
}

function countsOf(days: readonly CalendarDay[]): Readonly<Record<DayState, number>> {
  const counts = { covered: 0, partly: 0, none: 0, future: 0 };
  for (const { state } of days) {
    counts[state] += 1;
  }
  return counts;
}

/** `300 days covered, 2 partly, 63 not covered.` */
function tallyText(days: readonly CalendarDay[]): string {
  const { covered, partly, none, future } = countsOf(days);
  const others = [
    partly === 0 ? [] : [`${partly} partly`],
    none === 0 ? [] : [`${none} not covered`],
    future === 0 ? [] : [`${future} still to come`],
  ].flat();
  return `${[`${counted(covered, "day")} covered`, ...others].join(", ")}.`;
}
