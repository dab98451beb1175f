import { METHOD_NAMES, METHODS } from "../../accounting/method.ts";
import { durationText } from "../../core/text.ts";
import { isoTime, MINUTE_MS, type TimeRange } from "../../core/time.ts";
import { DEFAULT_DATE_BY } from "../../pack/make/date-by.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import { sentenceOf } from "../sentence-of.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** `1 Mar 2025`, in UTC. */
export function dayText(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `1 Mar 2025 12:30 UTC`; with seconds if they are not zero. */
export function instant(ms: number): Html {
  const iso = isoTime(ms);
  const time = iso.slice(11, ms % MINUTE_MS === 0 ? 16 : 23);
  return html`<time datetime="${iso}">${dayText(ms)} ${time} UTC</time>`;
}

/** The time of an event, to the minute. */
export function moment(ms: number): Html {
  return html`<time datetime="${isoTime(ms)}">${momentText(ms)}</time>`;
}

/** As plain text, for places where an element is not allowed. */
export function momentText(ms: number): string {
  return `${dayText(ms)} ${isoTime(ms).slice(11, 16)} UTC`;
}

/** The same for a text such as `2025-03-01T12:30:00.000Z`; any other text stays as it is. */
export function instantOf(text: string): Html {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? outside(text) : instant(ms);
}

/** To the minute; its length shows what is shorter. */
export function stretch({ from, to }: TimeRange): Html {
  return html`${moment(from)} to ${moment(to)} (${durationText(to - from)})`;
}

/** The most UTF-16 units of a sentence that may contain text from outside. */
const LONGEST_SENTENCE = 2000;

/** A message. It may be longer than a name, and its text direction cannot affect what follows. */
export function sentence(text: string): Html {
  return html`<bdi>${text.length <= LONGEST_SENTENCE ? text : `${text.slice(0, LONGEST_SENTENCE)}…`}</bdi>`;
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
export function settingsName({
  method,
  basis = DEFAULT_DATE_BY,
  currency = null,
}: {
  readonly method: string;
  readonly basis?: string | undefined;
  readonly currency?: string | null | undefined;
}): Html {
  const byBasis = basis === DEFAULT_DATE_BY ? null : html`, by time of ${outside(basis)}`;
  return html`<bdi>${methodText(method)}</bdi>${byBasis}${currency === null ? null : html`, in ${outside(currency)}`}`;
}
