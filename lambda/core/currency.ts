import { type Amount, fixed, tenTo } from "./amount.ts";
import { grouped } from "./text.ts";

/** The code of a currency to convert into, as the user writes it: `EUR`, `USDC`. */
const CODE = /^[A-Z]{3,5}$/;

export function isCurrencyCode(text: string): boolean {
  return CODE.test(text);
}

/** What people write of a currency besides its code. */
const CALLED = { EUR: "€ EURO EUROS", USD: "$ US$ DOLLAR", GBP: "£ POUND", JPY: "¥ YEN", INR: "₹ RUPEE", CHF: "FRANC" };

/** The code of the currency that was probably meant; null: none can be told. What is a code is meant. */
export function meantCurrency(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  const called = Object.entries(CALLED).find(([, names]) => names.split(" ").includes(code))?.[0] ?? code;
  return isCurrencyCode(called) ? called : null;
}

/** National currencies by their digits after the decimal point (ISO 4217, list one, 2025). */
const NATIONAL: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP
    CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN
    NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
    SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};
const MINOR_UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries(NATIONAL).flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, Number(digits)])),
);

/** A coin that is named after a national currency is worth about as much: USDT, USDC, EURC. */
const LIKE_NATIONAL = /USD|EUR|GBP/;
/** One of any other coin may be worth a hundred thousand dollars. */
const COIN_DIGITS = 8;

/** How many digits after the decimal point people write for an amount. */
export function minorUnitsOf(currency: string): number {
  return MINOR_UNITS.get(currency) ?? (LIKE_NATIONAL.test(currency) ? 2 : COIN_DIGITS);
}

/** 0.01 of USD, 1 of JPY. */
export function minorUnit(currency: string): Amount {
  return tenTo(-minorUnitsOf(currency));
}

/**
 * The amount in whole minor units of its currency (cents of USD), rounded half even, as plain text with all their
 * digits: `-0.50` USD, `1200` JPY. Every view for people rounds like this.
 */
export function formatMinor(amount: Amount, currency: string): string {
  return fixed(amount, minorUnitsOf(currency));
}

/** The same for people, in groups of thousands: `-1,234.50`. */
export function formatMoney(amount: Amount, currency: string): string {
  const [units = "", ...fraction] = formatMinor(amount, currency).split(".");
  return [grouped(units), ...fraction].join(".");
}

/** The part after the last hyphen of `<BASE>-<QUOTE>`. Null if the market's name has another form. */
export function quoteCurrencyOf(market: string | null): string | null {
  const hyphen = market?.lastIndexOf("-") ?? -1;
  const quote = market?.slice(hyphen + 1) ?? "";
  return hyphen > 0 && quote !== "" ? quote : null;
}
