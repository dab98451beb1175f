import { type Amount, divideHalfEven, formatAmount } from "../../../accounting/amount.ts";
import { formatUnits } from "../../../core/decimal.ts";
import { grouped } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import { type Html, html } from "./html.ts";

/** Digits after the point in a table. */
const PLACES = 2;
/** Where the first ones are zeros, so many after them. */
const SIGNIFICANT = 2;
const PRICE_PLACES = 8;

/** A fee, a volume, a value. */
export function money(amount: Amount): Html {
  return data(formatAmount(amount), PLACES);
}

/** A result: with its sign, above zero too. */
export function result(amount: Amount): Html {
  return data(formatAmount(amount), PLACES, "tone");
}

/** An amount with its sign that is no result. */
export function signedMoney(amount: Amount): Html {
  return data(formatAmount(amount), PLACES, "sign");
}

/** A quantity or a price × 10^18, with every digit. */
export function units(value: bigint): Html {
  return data(formatUnits(value));
}

/** A signed quantity × 10^18, with every digit. */
export function signedUnits(value: bigint): Html {
  return data(formatUnits(value), Number.POSITIVE_INFINITY, "sign");
}

/** What a unit was opened for, on average: a division, at 18 places half even. */
export function averagePrice(value: Amount, quantity: bigint): Html {
  return data(formatUnits(divideHalfEven(value, quantity)), PRICE_PLACES);
}

/** Ten-thousandths of the volume, rounded half even to 2 places; of no volume there are none. */
export function basisPoints(part: Amount, volume: Amount): Html {
  if (volume === 0n) {
    return html`<span class="none">–</span>`;
  }
  const hundredths = divideHalfEven(part * 1_000_000n, volume);
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, "0");
  return html`${hundredths < 0n ? MINUS : ""}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

/** An instant, to the second; the whole of it is in the element. */
export function utc(ms: number): Html {
  const iso = isoTime(ms);
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

/** A tick of an axis: exact, thousands with k, M or bn. */
export function compact(text: string): string {
  const { sign, whole, fraction } = partsOf(text);
  const step = LARGE.find(({ digits }) => whole.length > digits && /^\d{0,2}0*$/.test(whole.slice(-digits)));
  if (step === undefined || fraction !== "") {
    return sign + pointed(whole, fraction);
  }
  return sign + pointed(whole.slice(0, -step.digits), whole.slice(-step.digits)) + step.suffix;
}

/** A label beside a mark: its sign and first three digits, the rest cut. */
export function glance(text: string): string {
  const { sign, whole, fraction } = partsOf(text);
  const plus = toneOf(text) === "gain" ? "+" : sign;
  const step = LARGE.find(({ digits }) => whole.length > digits);
  if (step !== undefined) {
    const head = whole.slice(0, -step.digits);
    return plus + pointed(head, whole.slice(-step.digits, whole.length - step.digits + 3 - head.length)) + step.suffix;
  }
  return plus + pointed(whole, shownDigits(whole, fraction, Math.max(0, 3 - whole.length)));
}

function pointed(whole: string, fraction: string): string {
  const digits = fraction.replace(/0+$/, "");
  return grouped(whole) + (digits === "" ? "" : `.${digits}`);
}

const LARGE = [
  { digits: 9, suffix: "bn" },
  { digits: 6, suffix: "M" },
  { digits: 3, suffix: "k" },
] as const;

/** Screen readers say it; many are silent about a hyphen. */
const MINUS = "−";

function partsOf(text: string): { readonly sign: string; readonly whole: string; readonly fraction: string } {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  return { sign: text.startsWith("-") ? MINUS : "", whole, fraction };
}

/**
 * A plain decimal for people: at least `PLACES` digits after the point where they are limited, further ones cut. The element holds the exact value, and
 * shows it where digits are cut.
 */
function data(exact: string, places = Number.POSITIVE_INFINITY, mark: "none" | "sign" | "tone" = "none"): Html {
  const { sign, whole, fraction } = partsOf(exact);
  const digits = shownDigits(whole, fraction, places);
  const isCut = digits.length < fraction.length;
  const padded = Number.isFinite(places) ? digits.padEnd(PLACES, "0") : digits;
  const tone = toneOf(exact);
  const text = (mark !== "none" && tone === "gain" ? "+" : sign) + grouped(whole) + (padded === "" ? "" : `.${padded}`);
  const classes = [mark === "tone" ? tone : null, isCut ? "cut" : null].filter((name) => name !== null).join(" ");
  return html`<data value="${exact}"${isCut ? html` title="${exact}"` : null}${classes === "" ? null : html` class="${classes}"`}>${text}</data>`;
}

/** Of a number that would be shown as zero, its first digits that are not. */
function shownDigits(whole: string, fraction: string, places: number): string {
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return fraction.slice(0, whole === "0" && zeros >= places ? zeros + SIGNIFICANT : places);
}

function toneOf(exact: string): "gain" | "loss" | null {
  if (!/[1-9]/.test(exact)) {
    return null;
  }
  return exact.startsWith("-") ? "loss" : "gain";
}
