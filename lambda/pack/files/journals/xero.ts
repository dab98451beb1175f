import { formatAmount } from "../../../accounting/amount.ts";
import type { XeroSettings } from "../../build/account-settings.ts";
import type { WholeFile } from "../../build/maker.ts";
import { type BookFile, bookFiles } from "./book-files.ts";
import type { BookJournal } from "./book-tally.ts";
import { padPlaces } from "./postings.ts";

const XERO: BookFile = {
  name: "xero",
  description:
    "Manual journals for Xero: by month and market, in the book currency. Read imports/README.txt before the import.",
  header: [
    "*Narration",
    "*Date",
    "Description",
    "*AccountCode",
    "*TaxRate",
    "*Amount",
    "TrackingName1",
    "TrackingOption1",
    "TrackingName2",
    "TrackingOption2",
  ],
  mostLines: 299, // 300 with the header
};

/**
 * imports/xero.csv: manual journals, one for each month and market. If there are more lines than Xero
 * accepts, xero-2.csv and so on.
 */
export function xeroFiles(
  journals: readonly BookJournal[],
  account: string,
  settings: XeroSettings,
): readonly WholeFile[] {
  return bookFiles(
    XERO,
    journals.map((journal) => rowsOf(journal, account, settings)),
  );
}

function rowsOf({ month, market, day, lines }: BookJournal, account: string, settings: XeroSettings): string[][] {
  const date = `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;
  return lines.map(({ role, amount, text }) => {
    const own = [`${settings.narration} ${account} ${month} ${market}`, date, text, settings[role], settings.taxRate];
    return [...own, padPlaces(formatAmount(amount), 2), ...["", "", "", ""]];
  });
}
