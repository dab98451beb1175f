import { type Amount, divide, fixed, rounded, roundedTo, wholeNumber, ZERO } from "../../core/amount.ts";
import { formatMinor, roundToMinor } from "../../core/currency.ts";
import { grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
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

/** A quantity or a price, with every digit. */
export function units(value: Amount): Html {
  return exactData(String(value), "none");
}

/** A signed quantity, with every digit. */
export function signedUnits(value: Amount): Html {
  return exactData(String(value), "sign");
}

/** An average price at 8 places; the element holds it at 18. */
export function averagePrice(price: Amount): Html {
  const [exact, shown] = [String(price), String(rounded(price, PRICE_PLACES))];
  return data({ exact, shown, isRounded: exact !== shown, mark: "none" });
}

const TEN_THOUSAND = wholeNumber(10_000);
const POINT_PLACES = 2;

/** Ten-thousandths of the volume, rounded half even to 2 places. Nothing if there is no volume. */
export function basisPoints(part: Amount, volume: Amount): Html {
  if (volume.isZero()) {
    return html`<span class="none">–</span>`;
  }
  const points = divide(part.times(TEN_THOUSAND), volume, POINT_PLACES);
  const { sign, whole, fraction } = partsOf(fixed(points, POINT_PLACES));
  return html`${sign}${grouped(whole)}.${fraction}`;
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
  return (amount.gt(ZERO) ? "+" : "") + compact(String(roundedTo(amount, SIGNIFICANT)));
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
  const isRounded = !roundToMinor(amount, currency).eq(amount);
  return data({ exact: String(amount), shown: formatMinor(amount, currency), isRounded, mark });
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
