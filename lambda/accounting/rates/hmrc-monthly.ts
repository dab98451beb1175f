import { lengthOf, slashDay } from "./dates.ts";
import { BASE, CODE, indexesOf, UNITS } from "./hmrc-header.ts";
import type { Entry, RateFormat } from "./rate-file.ts";
import { checkWidth, quoted, type Sheet, wrongLine } from "./sheet.ts";

/*
 * HM Revenue & Customs, monthly rates, one file a month: trade-tariff.service.gov.uk/exchange_rates/monthly. Checked against a recorded answer of
 * September 2026; the older form (ISO-8859-1, other capitals, published on gov.uk until 2020) is unverified against a file as published.
 *
 *   Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date
 *   USA,Dollar,USD,1.3367,01/08/2026,31/08/2026
 *
 * 1 GBP = so many units, so that an amount is divided by it. A code stands there once for each of its territories. The rate is for the dates that the line
 * gives, and for no day after them.
 */

const HEADINGS = [CODE, UNITS, "start date", "end date"];
const CURRENCY = /^[A-Z]{3}$/;
const MAX_DAYS = 366;

export const HMRC_MONTHLY: RateFormat = {
  label: "HM Revenue & Customs, monthly rates",
  isEnded: true,
  recognises: ([header]) => indexesOf(header?.cells, HEADINGS) !== null,
  read,
};

function* read({ name, rows: [header, ...rows] }: Sheet): Iterable<Entry> {
  const [code = 0, units = 0, start = 0, end = 0] = indexesOf(header?.cells, HEADINGS) ?? [];
  for (const row of rows) {
    checkWidth(name, row, header?.cells.length ?? 0);
    const { line, cells } = row;
    const [quote = "", rate = "", first = "", last = ""] = [cells[code], cells[units], cells[start], cells[end]];
    if (!CURRENCY.test(quote)) {
      throw wrongLine(name, line, `${quoted(quote)} is not the code of a currency`);
    }
    const [from, to] = [slashDay(first), slashDay(last)];
    if (from === null || to === null || to < from || lengthOf({ from, to }) > MAX_DAYS) {
      throw wrongLine(
        name,
        line,
        `${quoted(first)} to ${quoted(last)} is not a time from one day (dd/mm/yyyy) to another`,
      );
    }
    yield { series: `${BASE}/${quote}`, base: BASE, quote, kind: "period", from, to, rate, line };
  }
}
