import { hash } from "node:crypto";
import { formatAmount } from "../../../accounting/amount.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { magnitude } from "../../../core/decimal.ts";
import { csvBatch } from "../../../formats/csv.ts";
import { type AccountSettings, fillIn, type QuickBooksSettings } from "../../build/account-settings.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { plain } from "../imports/plain.ts";
import { padPlaces } from "./amounts.ts";
import { type BookJournal, BookTally } from "./book-tally.ts";

const HEADER = [
  "*JournalNo",
  "*JournalDate",
  "*AccountName",
  "*Debits",
  "*Credits",
  "Description",
  "Name",
  "Currency",
  "Location",
  "Class",
];

/**
 * imports/quickbooks.csv: journal entries for QuickBooks Online, one for each month and market. `converter`: into the book currency; without it, or without
 * account names, the file has its header only.
 */
export function quickBooksMaker(
  context: PackContext,
  { quickbooks }: AccountSettings,
  converter: Converter | null,
): FileMaker {
  const tally = converter === null || quickbooks === null ? null : new BookTally(context, converter);
  let count = 0;
  return {
    path: "imports/quickbooks.csv",
    description:
      "Journal entries for QuickBooks Online: by month and market, in the book currency. See imports/README.txt before importing it.",
    mediatype: "text/csv",
    begin: () => csvBatch([HEADER]).text,
    add(batch) {
      tally?.add(batch);
      return "";
    },
    end() {
      const numbers = numbering(context.account);
      const rows = (tally?.journals ?? []).flatMap((journal) =>
        quickbooks === null ? [] : rowsOf(journal, numbers(journal), context.account, quickbooks),
      );
      count = rows.length;
      return csvBatch(rows).text;
    },
    get rows() {
      return count;
    },
  };
}

function rowsOf(
  { day, currency, lines }: BookJournal,
  number: string,
  account: string,
  settings: QuickBooksSettings,
): string[][] {
  const [year = "", month = "", date = ""] = day.split("-");
  const journalDate = (settings.dateOrder === "DMY" ? [date, month, year] : [month, date, year]).join("/");
  return lines.map(({ role, amount, text }) => {
    const name = fillIn(settings[role], account, plain(currency));
    const cents = padPlaces(formatAmount(magnitude(amount)), 2);
    const [debit, credit] = amount > 0n ? [cents, ""] : ["", cents];
    return [number, journalDate, name, debit, credit, text, ...["", "", "", ""]];
  });
}

/** What QuickBooks takes as a number. */
const MAX_NUMBER = 21;

/**
 * `FB-202503-BTCUSDT`: the same in every run, as it is by the number that QuickBooks knows a journal again. Of an account other than main, its name comes
 * before the market; what is too long, or taken, becomes digits of a SHA-256.
 */
function numbering(account: string): (journal: BookJournal) => string {
  const taken = new Set<string>();
  return ({ month, market, currency }) => {
    const start = `FB-${month.replace("-", "")}-`;
    const own = account === "main" ? "" : `${account.toUpperCase()}-`;
    const name = `${start}${own}${market.replaceAll("-", "")}`;
    const digits = hash("sha256", JSON.stringify([account, market, currency]), "hex").toUpperCase();
    const isGood = /^[A-Z0-9-]*$/.test(name) && name.length <= MAX_NUMBER && !taken.has(name);
    const number = isGood ? name : (start + digits).slice(0, MAX_NUMBER);
    taken.add(number);
    return number;
  };
}
