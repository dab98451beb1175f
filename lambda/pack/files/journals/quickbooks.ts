import { formatAmount } from "../../../accounting/amount.ts";
import { magnitude } from "../../../core/decimal.ts";
import { fillIn } from "../../build/account-forms.ts";
import type { QuickBooksSettings } from "../../build/account-settings.ts";
import type { WholeFile } from "../../build/maker.ts";
import { plain } from "../imports/plain.ts";
import { type BookFile, bookFiles } from "./book-files.ts";
import type { BookJournal } from "./book-tally.ts";
import { numbering } from "./numbering.ts";
import { padPlaces } from "./postings.ts";

const QUICKBOOKS: BookFile = {
  name: "quickbooks",
  description:
    "Journal entries for QuickBooks Online: by month and market, in the book currency. Read imports/README.txt before the import.",
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

/** The longest number that QuickBooks accepts. */
const MAX_NUMBER = 21;

/** imports/quickbooks.csv: journal entries for QuickBooks Online, one for each month and market. */
export function quickBooksFiles(
  journals: readonly BookJournal[],
  account: string,
  settings: QuickBooksSettings,
): readonly WholeFile[] {
  const numbers = numbering(account, MAX_NUMBER);
  return bookFiles(
    QUICKBOOKS,
    journals.map((journal) => rowsOf(journal, numbers(journal), account, settings)),
  );
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
