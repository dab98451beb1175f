import { type Amount, rounded } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { grouped } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { type Html, html } from "./html.ts";

const PRICE_PLACES = 8;
/** Many digits may continue on the next line. */
const FEW_DIGITS = 9;

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
  const hasTone = mark !== "none" && /[1-9]/.test(shown);
  const tone = shown.startsWith("-") ? "loss" : "gain";
  const text = signed(shown, hasTone);
  const end = text.includes(".") ? text.indexOf(".") + 1 + FEW_DIGITS : text.length;
  const more = end < text.length ? [html`<wbr>`, text.slice(end)] : null;
  return html`<data value="${exact}"${isRounded ? html` title="${exact}"` : null}${hasTone && mark === "tone" ? html` class="${tone}"` : null}>${text.slice(0, end)}${more}</data>`;
}

/** Digits in threes, with a minus that screen readers say: many skip a hyphen. `hasPlus`: above zero. */
export function signed(decimal: string, hasPlus: boolean): string {
  const [whole = "", ...fraction] = decimal.replace("-", "").split(".");
  const plus = hasPlus ? "+" : "";
  return (decimal.startsWith("-") ? "−" : plus) + [grouped(whole), ...fraction].join(".");
}

/** An instant to the second. The element holds it exactly. */
export function utc(ms: number): Html {
  const iso = isoTime(ms);
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}
