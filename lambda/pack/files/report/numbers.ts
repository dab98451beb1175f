import { type Amount, divideHalfEven, formatAmount, formatMinor, roundToMinor } from "../../../accounting/amount.ts";
import { formatUnits, magnitude, SCALE } from "../../../core/decimal.ts";
import { grouped } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

const PRICE_PLACES = 8;
/** The significant digits of a label beside a mark. */
const SIGNIFICANT = 3;

/** A fee, a volume or a value, in whole minor units of its currency. The element holds the exact amount. */
export function money(amount: Amount, currency: string): Html {
  return amountData(amount, currency, "none");
}

/** PnL, always with its sign. */
export function result(amount: Amount, currency: string): Html {
  return amountData(amount, currency, "tone");
}

/** A signed amount that is not PnL. */
export function signedMoney(amount: Amount, currency: string): Html {
  return amountData(amount, currency, "sign");
}

/** A quantity or a price × 10^18, with every digit. */
export function units(value: bigint): Html {
  return exactData(formatUnits(value), "none");
}

/** A signed quantity × 10^18, with every digit. */
export function signedUnits(value: bigint): Html {
  return exactData(formatUnits(value), "sign");
}

/**
 * The average opening price of a unit. It is a division; the element holds it at 18 places, rounded half
 * even.
 */
export function averagePrice(value: Amount, quantity: bigint): Html {
  const unit = 10n ** BigInt(SCALE - PRICE_PLACES);
  const [exact, shown] = [divideHalfEven(value, quantity), divideHalfEven(value, quantity * unit) * unit];
  return data({ exact: formatUnits(exact), shown: formatUnits(shown), isRounded: exact !== shown, mark: "none" });
}

/** Ten-thousandths of the volume, rounded half even to 2 places. Nothing if there is no volume. */
export function basisPoints(part: Amount, volume: Amount): Html {
  if (volume === 0n) {
    return html`<span class="none">–</span>`;
  }
  const hundredths = divideHalfEven(part * 1_000_000n, volume);
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, "0");
  return html`${hundredths < 0n ? MINUS : ""}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

/** An instant to the second. The element holds it exactly. */
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

/** A label beside a mark: its sign and first three digits, rounded half even. */
export function glance(amount: Amount): string {
  const digits = magnitude(amount).toString().length;
  const unit = 10n ** BigInt(Math.max(0, digits - SIGNIFICANT));
  return (amount > 0n ? "+" : "") + compact(formatAmount(divideHalfEven(amount, unit) * unit));
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

/** Screen readers say it. Many skip a hyphen. */
const MINUS = "−";

function partsOf(text: string): { readonly sign: string; readonly whole: string; readonly fraction: string } {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  return { sign: text.startsWith("-") ? MINUS : "", whole, fraction };
}

type Mark = "none" | "sign" | "tone";

function amountData(amount: Amount, currency: string, mark: Mark): Html {
  const isRounded = roundToMinor(amount, currency) !== amount;
  return data({ exact: formatAmount(amount), shown: formatMinor(amount, currency), isRounded, mark });
}

function exactData(exact: string, mark: Mark): Html {
  return data({ exact, shown: exact, isRounded: false, mark });
}

interface Shown {
  readonly exact: string;
  readonly shown: string;
  readonly isRounded: boolean;
  readonly mark: Mark;
}

/** A plain decimal for people. The element holds the exact value, and says so if another one is shown. */
function data({ exact, shown, isRounded, mark }: Shown): Html {
  const { sign, whole, fraction } = partsOf(shown);
  const tone = toneOf(shown);
  const text = [mark !== "none" && tone === "gain" ? "+" : sign, grouped(whole), fraction === "" ? "" : "."];
  return html`<data value="${exact}"${isRounded ? html` title="${exact}"` : null}${mark === "tone" && tone !== null ? html` class="${tone}"` : null}>${text}${breakable(fraction)}</data>`;
}

/** Many digits may continue on the next line. */
function breakable(digits: string): HtmlValue {
  return digits.length <= FEW_DIGITS ? digits : [digits.slice(0, FEW_DIGITS), html`<wbr>`, digits.slice(FEW_DIGITS)];
}

const FEW_DIGITS = 9;

function toneOf(text: string): "gain" | "loss" | null {
  if (!/[1-9]/.test(text)) {
    return null;
  }
  return text.startsWith("-") ? "loss" : "gain";
}
