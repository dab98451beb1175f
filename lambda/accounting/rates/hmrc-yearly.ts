import { FillbookError } from "../../core/errors.ts";
import { daysAfter, isoDay, monthFrom, type Span } from "./dates.ts";
import { BASE, CODE, indexesOf, UNITS } from "./hmrc-header.ts";
import type { Entry, RateFormat } from "./rate-file.ts";
import { checkWidth, quoted, type Sheet, wrongLine } from "./sheet.ts";

/*
 * HM Revenue & Customs, averages for the year and spot rates, to 31 March and to 31 December: trade-tariff.service.gov.uk/exchange_rates/average and /spot.
 * Checked against copies of both of December 2025. Files before 2020 have no code of the currency, and are not read.
 *
 *   Country,Unit Of Currency,Currency Code,Sterling value of Currency Unit £,Currency Units per £1
 *   Indonesia,Rupiah,IDR,0.0000,21608.1584
 *
 * 1 GBP = so many units. The sterling value is rounded to 4 decimals, to zero even: it is never used. What the file is for stands nowhere in it, but in its
 * name: average_csv_2025-12.csv, spot_csv_2026-3.csv. An average is for the 12 months to the end of that month. A spot rate is for its last day alone.
 */

const HEADINGS = [CODE, UNITS, "sterling value of currency unit"];
const CURRENCY = /^[A-Z]{3}$/;
const NAME = /(average|spot)_csv_(\d{4})-(0?3|12)\.csv$/;

export const HMRC_YEARLY: RateFormat = {
  label: "HM Revenue & Customs, average or spot rates",
  isEnded: true,
  recognises: ([header]) => indexesOf(header?.cells, HEADINGS) !== null,
  read,
};

function* read({ name, rows: [header, ...rows] }: Sheet): Iterable<Entry> {
  const span = spanOf(name);
  const [code = 0, units = 0] = indexesOf(header?.cells, HEADINGS) ?? [];
  for (const row of rows) {
    checkWidth(name, row, header?.cells.length ?? 0);
    const { line, cells } = row;
    const [quote = "", rate = ""] = [cells[code], cells[units]];
    if (!CURRENCY.test(quote)) {
      throw wrongLine(name, line, `${quoted(quote)} is not the code of a currency`);
    }
    yield { series: `${BASE}/${quote}`, base: BASE, quote, kind: "period", ...span, rate, line };
  }
}

function spanOf(name: string): Span {
  const [, kind, year = "", month = ""] = NAME.exec(name) ?? [];
  const first = isoDay(`${year}-${month.padStart(2, "0")}-01`);
  const last = first === null ? undefined : monthFrom(first)?.to;
  if (last === undefined) {
    throw new FillbookError("usage", `${name} is a file of HM Revenue & Customs that does not say what it is for`, {
      hint: "give it the name that it is published under: average_csv_YYYY-M.csv or spot_csv_YYYY-M.csv",
    });
  }
  if (kind === "spot") {
    return { from: last, to: last };
  }
  const sameDayBefore = `${Number(last.slice(0, 4)) - 1}${last.slice(4)}`;
  return { from: daysAfter(sameDayBefore, 1), to: last };
}
