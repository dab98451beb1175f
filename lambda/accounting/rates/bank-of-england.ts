import type { RateFormat } from "./rate-file.ts";
import { byNamedDay, NO_ROW, readWide, type Series } from "./wide.ts";

/*
 * Bank of England, Interactive Database, daily spot rates:
 * bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp with csv.x=yes, UsingCodes=Y and CSVF=TN.
 * Checked against a recorded answer of March 2026.
 *
 *   DATE,XUDLUSS,XUDLERS
 *   17 Mar 2026,1.3343,1.1577
 *
 * 1 GBP = so many units. Only series whose currency is certain are read: XUDLGBD, for one, is pounds a
 * dollar. An empty cell is taken as not published: unverified, as the recorded answer has none.
 */

const SERIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    XUDLADS: "AUD",
    XUDLBK25: "CZK",
    XUDLBK33: "HUF",
    XUDLBK47: "PLN",
    XUDLBK78: "ILS",
    XUDLBK83: "MYR",
    XUDLBK87: "THB",
    XUDLBK89: "CNY",
    XUDLBK93: "KRW",
    XUDLBK95: "TRY",
    XUDLBK97: "INR",
    XUDLCDS: "CAD",
    XUDLDKS: "DKK",
    XUDLERS: "EUR",
    XUDLHDS: "HKD",
    XUDLJYS: "JPY",
    XUDLNDS: "NZD",
    XUDLNKS: "NOK",
    XUDLSFS: "CHF",
    XUDLSGS: "SGD",
    XUDLSKS: "SEK",
    XUDLSRS: "SAR",
    XUDLTWS: "TWD",
    XUDLUSS: "USD",
    XUDLZOS4: "RON",
    XUDLZRS: "ZAR",
  }),
);

export const BANK_OF_ENGLAND: RateFormat = {
  label: "Bank of England, daily spot rates",
  isEnded: true,
  recognises: ([header]) => header?.cells[0] === "DATE" && header.cells.some((cell) => SERIES.has(cell)),
  read: (sheet) => readWide(sheet, { header: sheet.rows[0] ?? NO_ROW, seriesOf, missing: [""], spanOf: byNamedDay }),
};

function seriesOf(name: string): Series | null {
  const quote = SERIES.get(name);
  return quote === undefined ? null : { base: "GBP", quote, frequency: "day" };
}
