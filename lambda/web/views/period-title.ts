import { readPackName } from "../../core/period-name.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import { DAY_MS } from "../../core/time.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import { dayText } from "./format.ts";

/** Countries with a shorter common name than the list of tax years has. */
const SHORT: Readonly<Record<string, string>> = { us: "US", uk: "UK" };
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** A period's name in plain words: `UK tax year 2025/26`. A name that states no time stays as it is. */
export function periodTitle(name: string): Html {
  const title = titleOf(name);
  return title === null ? outside(name) : html`${title}`;
}

/** As plain text, for places where an element is not allowed. */
export function periodTitleText(name: string): string {
  return titleOf(name) ?? outsideText(name);
}

/** The first and last day: `6 Apr 2025 – 5 Apr 2026`; null if the name does not state them. */
export function periodDays(name: string): string | null {
  const time = readPackName(name);
  return time && daysText(time.from, time.to);
}

/** From the first date to the one before the second; null if they are no dates. */
export function daysText(from: string, to: string): string | null {
  const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate(from) && isDate(to) ? `${dayText(Date.parse(from))} – ${dayText(Date.parse(to) - DAY_MS)}` : null;
}

function titleOf(name: string): string | null {
  const typed = readPackName(name)?.typed ?? null;
  const zone = /^[a-z]+-\d{4}(?:-\d{2}){0,2}-(?<zone>\D.*)$/.exec(name)?.groups?.["zone"];
  const title = typed === null ? periodDays(name) : titleOfTyped(typed);
  return typed === null || zone === undefined ? title : `${title}, ${outsideText(zone.replace("_", "/"))}`;
}

function titleOfTyped(typed: string): string {
  const [code = "", year = "", second = ""] = typed.split("-");
  switch (code) {
    case "calendar":
      return `Calendar year ${year}`;
    case "month":
      return MONTH.format(Date.parse(`${year}-${second}`));
    case "year":
      return `Twelve months ${periodDays(typed)}`;
    default: {
      const label = SHORT[code] ?? TAX_YEARS.find((one) => one.code === code)?.label ?? code;
      return `${label} tax year ${second === "" ? year : `${year}/${second}`}`;
    }
  }
}
