import { daysAfter, MAX_AGE_DAYS, type Span } from "./dates.ts";

/**
 * A file of published rates that comes with the program, unchanged. A pack uses it only if the user puts it
 * among the pack's files.
 */
export interface PublishedRates extends Span {
  /** The name to type. */
  readonly name: string;
  /** Its name in the folder rates. Only its name says what a file of HMRC is for. */
  readonly file: string;
  readonly what: string;
  /** The terms of use, in the publisher's words. */
  readonly licence: string;
  readonly source: string;
}

/**
 * The files are in lambda/cli/published-rates. Its README.md says where they are from and what they were
 * compared with.
 */
const ECB: PublishedRates = {
  name: "ecb",
  file: "ecb.csv",
  what: "ECB, daily reference rates for 1 EUR",
  from: "2022-01-03",
  to: "2026-03-05",
  licence: "Source: European Central Bank. Free to use if the ECB is named as the source.",
  source: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip",
};

export const PUBLISHED_RATES: readonly PublishedRates[] = [
  ECB,
  hmrcAverage("2024-12", "2024-01-01", "2024-12-31"),
  hmrcAverage("2025-3", "2024-04-06", "2025-04-05"),
  hmrcAverage("2025-12", "2025-01-01", "2025-12-31"),
  hmrcAverage("2026-3", "2025-04-06", "2026-04-05"),
];

function hmrcAverage(month: string, from: string, to: string): PublishedRates {
  const file = `average_csv_${month}.csv`;
  return {
    name: `hmrc-${month.replace(/-(\d)$/, "-0$1")}`,
    file,
    what: "HMRC, yearly averages for 1 GBP",
    from,
    to,
    licence:
      "HM Revenue & Customs: contains public sector information licensed under the Open Government Licence v3.0.",
    source: `https://www.trade-tariff.service.gov.uk/api/v2/exchange_rates/files/${file}`,
  };
}

/** The euro, and the currencies that the ECB's file has up to its last day. */
const ECB_CURRENCIES = new Set(
  "EUR AUD BRL CAD CHF CNY CZK DKK GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR".split(
    " ",
  ),
);

/** Whether the ECB's file has the currency. */
export function isOfEcb(currency: string): boolean {
  return ECB_CURRENCIES.has(currency);
}

/** Whether it has a rate between the currency and the euro for a local day. */
export function isInEcb(currency: string, day: string): boolean {
  return isOfEcb(currency) && ECB.from <= day && day <= daysAfter(ECB.to, MAX_AGE_DAYS);
}

/** How to get that file, for messages. */
export const ECB_OFFER = `"fillbook rates ${ECB.name}" (with the --inputs of the export, if it has one) puts the ECB's rates of ${ECB.from} to ${ECB.to} there`;
