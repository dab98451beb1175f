import { formatAmount } from "../../../accounting/amount.ts";
import { magnitude } from "../../../core/decimal.ts";
import { FillbookError } from "../../../core/errors.ts";
import { encodeWindows1252, NOT_WINDOWS_1252 } from "../../../formats/windows-1252.ts";
import type { DatevSettings } from "../../build/account-settings.ts";
import type { PackContext, WholeFile } from "../../build/maker.ts";
import { escapeUnits } from "../imports/plain.ts";
import type { BookJournal, BookLine, BookRole } from "./book-tally.ts";
import { batchText, EXTENSION, type Posting, PREFIX } from "./datev-format.ts";
import { numbering } from "./numbering.ts";
import { padPlaces } from "./postings.ts";

/** Belegfeld 1 */
const MAX_NUMBER = 36;
/** Buchungstext */
const MAX_TEXT = 60;
/** Bezeichnung */
const MAX_LABEL = 30;
/** Umsatz: ten digits and two places. */
const MAX_AMOUNT = "9999999999.99";

/** The words of German bookkeepers. */
const TEXTS: Readonly<Record<Exclude<BookRole, "cash">, string>> = {
  realised: "realisiertes Ergebnis",
  fees: "Handelsgebühren",
  funding: "Funding",
  rounding: "Rundungsdifferenz",
};

/**
 * imports/datev/: a posting batch for each month with a journal. DATEV advises one batch for each posting
 * period. No batch may reach into another business year, and a business year begins with a month here.
 * `currency`: of the books.
 */
export function datevFiles(
  journals: readonly BookJournal[],
  { account, period }: Pick<PackContext, "account" | "period">,
  settings: DatevSettings,
  currency: string,
): readonly WholeFile[] {
  const numbers = numbering(account, MAX_NUMBER);
  return [...Map.groupBy(journals, ({ day }) => day)].map(([day, ofMonth]) => {
    const month = day.slice(0, 7);
    const postings = ofMonth.flatMap((journal) => postingsOf(journal, numbers(journal), settings, currency));
    const batch = {
      ...settings,
      yearBegins: yearBegins(month, settings.yearBegins),
      firstDay: period.firstDay.startsWith(month) ? period.firstDay : `${month}-01`,
      lastDay: day,
      label: labelOf(month, account),
      currency,
    };
    return {
      path: `imports/datev/${PREFIX}${account}_${month}${EXTENSION}`,
      description: `Posting batch of ${month} in the DATEV format, for German bookkeepers: by market, in the book currency. Read imports/README.txt before the import.`,
      mediatype: "text/csv",
      csv: { encoding: "windows-1252", delimiter: ";", headerRow: 2 },
      content: encodeWindows1252(batchText(batch, postings)),
      rows: postings.length,
    };
  });
}

/** Posts the margin balance against each other line. The sum of these is the balance's own line. */
function postingsOf(journal: BookJournal, number: string, settings: DatevSettings, currency: string): Posting[] {
  return journal.lines.flatMap((line) =>
    line.role === "cash"
      ? []
      : [
          {
            amount: amountOf(line, number),
            account: settings.cash,
            isDebit: line.amount < 0n,
            contraAccount: settings[line.role],
            currency,
            day: journal.day,
            number,
            text: textOf(journal, line, TEXTS[line.role]),
          },
        ],
  );
}

function amountOf({ amount }: BookLine, number: string): string {
  const text = padPlaces(formatAmount(magnitude(amount)), 2);
  if (text.length > MAX_AMOUNT.length) {
    throw new FillbookError("usage", `${number} posts ${text}, but a DATEV posting can have at most ${MAX_AMOUNT}`, {
      hint: "leave datev out of accounts.json, and give your bookkeeper summary.csv",
    });
  }
  return text;
}

/**
 * `BTC-USDT realisiertes Ergebnis, 3 Ergebnisse unbekannt (6,25 USDT)`. If it is too long, the settled amount
 * is left out, and then the market is cut. A figure is never cut.
 */
function textOf({ market, unknown }: BookJournal, { settled }: BookLine, role: string): string {
  const gap = unknown === 0 ? "" : `, ${unknown} ${unknown === 1 ? "Ergebnis" : "Ergebnisse"} unbekannt`;
  const name = inWindows1252(market);
  const text = ` ${role}${gap}`;
  const whole = name + text + (settled === null ? "" : inWindows1252(` (${settled.replace(/^(-?\d+)\./, "$1,")})`));
  if (whole.length <= MAX_TEXT) {
    return whole;
  }
  const room = MAX_TEXT - text.length;
  return (name.length <= room ? name : `${name.slice(0, room - 1)}…`) + text;
}

function inWindows1252(text: string): string {
  return text.replace(NOT_WINDOWS_1252, escapeUnits);
}

/** The first day of the month's business year. `begins`: `07-01` */
function yearBegins(month: string, begins: string): string {
  const [year = "", ofYear = ""] = month.split("-");
  return `${Number(year) - (ofYear < begins.slice(0, 2) ? 1 : 0)}-${begins}`;
}

/** `fillbook 03/2025 main`. A label may not contain a hyphen. */
function labelOf(month: string, account: string): string {
  const [year = "", ofYear = ""] = month.split("-");
  return `fillbook ${ofYear}/${year} ${account.replaceAll("-", "_")}`.slice(0, MAX_LABEL);
}
