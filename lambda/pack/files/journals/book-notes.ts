import type { AccountSettings } from "../../build/account-settings.ts";
import type { Section } from "../imports/readme.ts";

/** What imports/README.txt says of imports/xero.csv and imports/quickbooks.csv: how to import them, or how to set them up. */
export function bookNotes({ bookCurrency, xero, quickbooks }: AccountSettings): readonly Section[] {
  const contents = `Journals by month and market, in ${bookCurrency} with two places: each amount converted at the rate of its day, then added up. What rounding leaves is a line of its own, so that each journal adds up to 0. Deposits and withdrawals are not in them: your bank account has them.`;
  return [
    xero === null
      ? notSetUp("xero", "Xero")
      : {
          title: "xero.csv, for Xero",
          lines: [
            contents,
            "Import it under manual journals, with the date format day/month/year: the journals come as drafts.",
            "Xero takes 300 lines a file: import xero-2.csv and so on too, where there are such.",
            "What Xero does with a journal that is imported twice: not found. Its columns and rules: Xero's help page; the exact header line: programs of others.",
          ],
        },
    quickbooks === null
      ? notSetUp("quickbooks", "QuickBooks Online")
      : {
          title: "quickbooks.csv, for QuickBooks Online",
          lines: [
            contents,
            "Turn account numbers off before the import: accounts are matched by their names.",
            "Turn the warning about duplicate journal numbers on: a journal has the same number in each pack, so that no month comes in twice.",
            "Its columns and rules: Intuit's help pages; the exact header line, and that a number has at most 21 characters: programs and pages of others.",
          ],
        },
  ];
}

function notSetUp(key: "xero" | "quickbooks", name: string): Section {
  return {
    title: `${key}.csv, for ${name}`,
    lines: [`Not made: it needs ${key} (the names of your accounts) and bookCurrency in inputs/accounts.json.`],
  };
}
