import { usageError } from "../../core/errors.ts";
import { describe } from "../../formats/json.ts";
import { dayIn, daysAfter, lengthOf, type Span, spanIn } from "./dates.ts";
import type { RateFormat } from "./rate-file.ts";
import { long } from "./tables.ts";

const CODE = "currency code";
const UNITS = "currency units per 1";
const MAX_DAYS = 366;

/*
 * HM Revenue & Customs, monthly rates, one file a month: trade-tariff.service.gov.uk/exchange_rates/monthly.
 * Checked against a recorded answer of September 2026; the older form (ISO-8859-1, other capitals, published
 * on gov.uk until 2020) is unverified against a file as published.
 *
 *   Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date
 *   USA,Dollar,USD,1.3367,01/08/2026,31/08/2026
 *
 * 1 GBP = so many units, so that an amount is divided by it. A code stands there once for each of its
 * territories. The rate is for the dates that the line gives, and for no day after them.
 */
const HMRC_MONTHLY = long({
  label: "HM Revenue & Customs, monthly rates",
  headings: [CODE, UNITS, "start date", "end date"],
  entryOf: ([quote = "", rate = "", first = "", last = ""], wrong) => {
    const [from, to] = [dayIn(first, "slashes"), dayIn(last, "slashes")];
    if (from === null || to === null || to < from || lengthOf({ from, to }) > MAX_DAYS) {
      throw wrong(`${describe(first)} to ${describe(last)} is not a period from one day (dd/mm/yyyy) to another`);
    }
    return { base: "GBP", quote, rate, kind: "period", from, to };
  },
});

/*
 * HM Revenue & Customs, averages for the year and spot rates, to 31 March and to 31 December:
 * trade-tariff.service.gov.uk/exchange_rates/average and /spot. Checked against copies of both of December
 * 2025, and of all averages since March 2021 that have codes.
 *
 *   Country,Unit Of Currency,Currency Code,Sterling value of Currency Unit £,Currency Units per £1
 *   Indonesia,Rupiah,IDR,0.0000,21608.1584
 *
 * Until March 2023 the headings were others. The averages to March 2020 and to December 2020, 2021 and 2022
 * have no codes and are not read.
 *
 * 1 GBP = so many units. The sterling value is rounded to 4 decimals, to zero even: it is never used. What
 * the file is for stands nowhere in it, but in its name: average_csv_2025-12.csv, spot_csv_2026-3.csv. An
 * average is for the 12 months to the end of that month. HMRC takes that of March for the tax year to 5 April, so
 * it is used from 6 April to 5 April. A spot rate is for its last day alone.
 */
const HMRC_YEARLY = long({
  label: "HM Revenue & Customs, average or spot rates",
  headings: [CODE, UNITS, "sterling value of currency unit"],
  entryOf: ([quote = "", rate = ""], _, file) => ({ base: "GBP", quote, rate, kind: "period", ...spanOfName(file) }),
});

export const TAX_OFFICES: readonly RateFormat[] = [HMRC_MONTHLY, HMRC_YEARLY];

function spanOfName(name: string): Span {
  const [, kind, year = "", month = ""] = /(average|spot)_csv_(\d{4})-(0?3|12)\.csv$/.exec(name) ?? [];
  const last = spanIn(`${year}-${month.padStart(2, "0")}`)?.to;
  if (last === undefined) {
    throw usageError(
      `the name of ${name}, a file of HM Revenue & Customs, does not say which period it is for`,
      "give it the name under which it is published: average_csv_YYYY-M.csv or spot_csv_YYYY-M.csv",
    );
  }
  if (kind === "spot") {
    return { from: last, to: last };
  }
  const to = month === "12" ? last : `${year}-04-05`;
  return { from: daysAfter(`${Number(year) - 1}${to.slice(4)}`, 1), to };
}
