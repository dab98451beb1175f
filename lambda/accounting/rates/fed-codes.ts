/**
 * The countries of the H.10 release, as its series and those of FRED name them. Venezuela is left out: its series goes on through three currencies.
 * Sri Lanka to Thailand as in the headings of a published file.
 */
export const FED_CURRENCIES: Readonly<Record<string, string>> = {
  AL: "AUD",
  BZ: "BRL",
  CA: "CAD",
  CH: "CNY",
  DN: "DKK",
  EU: "EUR",
  HK: "HKD",
  IN: "INR",
  JA: "JPY", // H.10
  JP: "JPY", // FRED
  KO: "KRW",
  MA: "MYR",
  MX: "MXN",
  NO: "NOK",
  NZ: "NZD",
  SD: "SEK",
  SF: "ZAR",
  SI: "SGD",
  SL: "LKR",
  SZ: "CHF",
  TA: "TWD",
  TH: "THB",
  UK: "GBP",
};
