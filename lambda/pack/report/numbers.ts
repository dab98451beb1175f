import { type Amount, rounded, roundedTo, ZERO } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

const PRICE_PLACES = 8;
/** The significant digits of a label beside a mark. */
const SIGNIFICANT = 3;
/** Many digits may continue on the next line. */
const FEW_DIGITS = 9;
/** Screen readers say it. Many skip a hyphen. */
const MINUS = "−";

/** `sign`: above zero it has one too. `tone`: a colour says the same. */
type Mark = "none" | "sign" | "tone";

/** An amount in whole minor units of its currency. The element holds the exact one. */
function amounts(mark: Mark) {
  return (amount: Amount, currency: string): Html => data(String(amount), formatMinor(amount, currency), mark);
}

/** A fee, a volume or a value. */
export const money = amounts("none");
/** PnL, always with its sign. */
export const result = amounts("tone");
/** A signed amount that is not PnL. */
export const signedMoney = amounts("sign");

/** A quantity, a price or a rate, with every digit. */
export function units(value: Amount | string, mark: Mark = "none"): Html {
  return data(String(value), String(value), mark);
}

/** An average price at 8 places; the element holds it at 18. */
export function averagePrice(price: Amount): Html {
  return data(String(price), String(rounded(price, PRICE_PLACES)), "none");
}

/** A plain decimal for people. The element holds the exact value, and says so if another one is shown. */
function data(exact: string, shown: string, mark: Mark): Html {
  const isRounded = (shown.includes(".") ? shown.replace(/\.?0+$/, "") : shown) !== exact;
  const { sign, whole, fraction } = partsOf(shown);
  const hasTone = mark !== "none" && /[1-9]/.test(shown);
  const tone = sign === "" ? "gain" : "loss";
  const digits: HtmlValue =
    fraction.length <= FEW_DIGITS ? fraction : [fraction.slice(0, FEW_DIGITS), html`<wbr>`, fraction.slice(FEW_DIGITS)];
  const text = [hasTone && sign === "" ? "+" : sign, grouped(whole), fraction === "" ? "" : ".", digits];
  return html`<data value="${exact}"${isRounded ? html` title="${exact}"` : null}${hasTone && mark === "tone" ? html` class="${tone}"` : null}>${text}</data>`;
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

function partsOf(text: string): { readonly sign: string; readonly whole: string; readonly fraction: string } {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  return { sign: text.startsWith("-") ? MINUS : "", whole, fraction };
}
