import { FillbookError } from "../../core/errors.ts";
import { describe } from "../../formats/json.ts";
import { daysAfter, isoDay, lengthOf, monthFrom, type Span, slashDay } from "./dates.ts";
import type { Entry, RateFormat } from "./rate-file.ts";
import { checkWidth, type Row, type Sheet, wrongLine } from "./sheet.ts";

const CODE = "currency code";
const UNITS = "currency units per 1";
const BASE = "GBP";
const CURRENCY = /^[A-Z]{3}$/;

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

const MONTHLY_HEADINGS = [CODE, UNITS, "start date", "end date"];
const MAX_DAYS = 366;

export const HMRC_MONTHLY: RateFormat = {
  label: "HM Revenue & Customs, monthly rates",
  isEnded: true,
  recognises: ([header]) => indexesOf(header?.cells, MONTHLY_HEADINGS) !== null,
  read: (sheet) =>
    readRows(sheet, MONTHLY_HEADINGS, ({ line }, [first = "", last = ""]) => {
      const [from, to] = [slashDay(first), slashDay(last)];
      if (from === null || to === null || to < from || lengthOf({ from, to }) > MAX_DAYS) {
        const what = `${describe(first)} to ${describe(last)} is not a period from one day (dd/mm/yyyy) to another`;
        throw wrongLine(sheet.name, line, what);
      }
      return { from, to };
    }),
};

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

const STERLING = "sterling value of currency unit";
const YEARLY_HEADINGS = [CODE, UNITS, STERLING];
const NAME = /(average|spot)_csv_(\d{4})-(0?3|12)\.csv$/;

export const HMRC_YEARLY: RateFormat = {
  label: "HM Revenue & Customs, average or spot rates",
  isEnded: true,
  recognises: ([header]) => indexesOf(header?.cells, YEARLY_HEADINGS) !== null,
  read: (sheet) => {
    const span = spanOfName(sheet.name);
    return readRows(sheet, YEARLY_HEADINGS, () => span);
  },
};

/** `spanOf` gets the cells under the headings after the first two. */
function* readRows(
  { name, rows: [header, ...rows] }: Sheet,
  headings: readonly string[],
  spanOf: (row: Row, cells: readonly string[]) => Span,
): Iterable<Entry> {
  const indexes = indexesOf(header?.cells, headings) ?? [];
  for (const row of rows) {
    checkWidth(name, row, header?.cells.length ?? 0);
    const [quote = "", rate = "", ...more] = indexes.map((index) => row.cells[index] ?? "");
    if (!CURRENCY.test(quote)) {
      throw wrongLine(name, row.line, `${describe(quote)} is not a currency code`);
    }
    const span = spanOf(row, more);
    yield { series: `${BASE}/${quote}`, base: BASE, quote, kind: "period", ...span, rate, line: row.line };
  }
}

const MARCH = 3;

function spanOfName(name: string): Span {
  const [, kind, year = "", month = ""] = NAME.exec(name) ?? [];
  const first = isoDay(`${year}-${month.padStart(2, "0")}-01`);
  const last = first === null ? undefined : monthFrom(first)?.to;
  if (last === undefined) {
    throw new FillbookError(
      "usage",
      `the name of ${name}, a file of HM Revenue & Customs, does not say which period it is for`,
      {
        hint: "give it the name under which it is published: average_csv_YYYY-M.csv or spot_csv_YYYY-M.csv",
      },
    );
  }
  if (kind === "spot") {
    return { from: last, to: last };
  }
  if (Number(month) === MARCH) {
    return { from: `${Number(year) - 1}-04-06`, to: `${year}-04-05` };
  }
  const sameDayBefore = `${Number(last.slice(0, 4)) - 1}${last.slice(4)}`;
  return { from: daysAfter(sameDayBefore, 1), to: last };
}

/** The positions of the headings in a row, in their order. Null: one is missing. */
function indexesOf(cells: readonly string[] | undefined, headings: readonly string[]): number[] | null {
  const found = (cells ?? []).map(headingOf);
  const indexes = headings.map((heading) => found.indexOf(heading));
  return indexes.includes(-1) ? null : indexes;
}

/**
 * A heading of HMRC's files. Their spelling has changed over the years, and the pound sign with the encoding.
 */
function headingOf(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9/ ]/g, "")
    .replaceAll(/ +/g, " ")
    .trim()
    .replace(/ per pound$/, " per 1");
}
