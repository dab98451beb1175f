import { METHOD_NAMES, METHODS } from "../../accounting/method.ts";
import { durationText } from "../../core/text.ts";
import { isoTime, MINUTE_MS, type TimeRange } from "../../core/time.ts";
import type { Completeness } from "../../pack/catalogue/completeness.ts";
import { DEFAULT_DATE_BY } from "../../pack/make/date-by.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import type { MakeRequest } from "../ports.ts";
import { sentenceOf } from "../words.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** `1 Mar 2025`, in UTC. */
export function dayText(ms: number): string {
  return DAY.format(ms);
}

/** The time of an event, to the minute: `1 Mar 2025 12:30 UTC`. */
export function moment(ms: number): Html {
  return timeElement(ms, isoTime(ms).slice(11, 16));
}

/** The same for a text such as `2025-03-01T12:30:00.000Z`, exactly; any other text stays as it is. */
export function instantOf(text: string): Html {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? outside(text) : timeElement(ms, text.slice(11, ms % MINUTE_MS === 0 ? 16 : 23));
}

function timeElement(ms: number, time: string): Html {
  return html`<time datetime="${isoTime(ms)}">${dayText(ms)} ${time} UTC</time>`;
}

/** To the minute; its length shows what is shorter. */
export function stretch({ from, to }: TimeRange): Html {
  return html`${moment(from)} to ${moment(to)} (${durationText(to - from)})`;
}

/** The most UTF-16 units of a sentence that may contain text from outside. */
const LONGEST_SENTENCE = 2000;

/** A message. It may be longer than a name, and its text direction cannot affect what follows. */
export function sentence(text: string): Html {
  return outside(text, LONGEST_SENTENCE);
}

/** An error's message or hint as a sentence. */
export function asSentence(message: string): Html {
  return sentence(sentenceOf(message));
}

export function versionName(version: string): Html {
  return html`<code>${outside(version)}</code>`;
}

/** A method's name as accountants know it, for places where an element is not allowed. */
export function methodText(method: string): string {
  const known = METHODS.find((one) => one === method);
  return known === undefined ? outsideText(method) : METHOD_NAMES[known];
}

/** `FIFO, by time of transaction, in EUR`: the method, and the settings that differ from the default. */
export function settingsName({ method = "", basis = DEFAULT_DATE_BY, currency }: Partial<MakeRequest>): Html {
  const byBasis = basis === DEFAULT_DATE_BY ? null : html`, by time of ${outside(basis)}`;
  return html`<bdi>${methodText(method)}</bdi>${byBasis}${currency === undefined ? null : html`, in ${outside(currency)}`}`;
}

/** The same of a pack. */
export function settingsOfPack({ method, basis, accounts }: Completeness): Html {
  const currency = accounts.report_currency ?? undefined;
  return settingsName({ method, basis, currency });
}
