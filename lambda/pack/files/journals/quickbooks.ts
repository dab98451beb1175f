import { hash } from "node:crypto";
import { formatAmount } from "../../../accounting/amount.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { magnitude } from "../../../core/decimal.ts";
import { fillIn, type QuickBooksSettings } from "../../build/account-settings.ts";
import type { PackContext } from "../../build/maker.ts";
import { plain } from "../imports/plain.ts";
import { type BookFile, type BookMaker, bookMaker } from "./book-maker.ts";
import type { BookJournal } from "./book-tally.ts";
import { padPlaces } from "./postings.ts";

const QUICKBOOKS: BookFile = {
  name: "quickbooks",
  description:
    "Journal entries for QuickBooks Online: by month and market, in the book currency. See imports/README.txt before importing it.",
  header: [
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
  ],
  mostLines: Number.POSITIVE_INFINITY,
};

/** imports/quickbooks.csv: journal entries for QuickBooks Online, one for each month and market. */
export function quickBooksMaker(context: PackContext, settings: QuickBooksSettings, converter: Converter): BookMaker {
  const { account } = context;
  const numbers = numbering(account);
  return bookMaker(QUICKBOOKS, context, converter, (journal) => rowsOf(journal, numbers(journal), account, settings));
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
