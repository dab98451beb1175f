import type { AccountSettings } from "../../build/account-settings.ts";
import type { Section } from "../imports/readme.ts";

/** What imports/README.txt says of imports/xero.csv and imports/quickbooks.csv: how to import them, or which setting they lack. */
export function bookNotes({ bookCurrency, xero, quickbooks }: AccountSettings): readonly Section[] {
  return [
    {
      title: "xero.csv, for Xero",
      lines: [
        ...lackOf("xero", xero !== null, bookCurrency),
        "Import it under manual journals, with the date format day/month/year: the journals come as drafts.",
        "Xero takes 300 lines a file: import xero-2.csv and so on too, where there are such.",
        "What Xero does with a journal that is imported twice: not found. Its columns and rules: Xero's help page; the exact header line: programs of others.",
      ],
    },
    {
      title: "quickbooks.csv, for QuickBooks Online",
      lines: [
        ...lackOf("quickbooks", quickbooks !== null, bookCurrency),
        "Turn account numbers off before the import: accounts are matched by their names.",
        "Turn the warning about duplicate journal numbers on: a journal has the same number in each pack, so that no month comes in twice.",
        "Its columns and rules: Intuit's help pages; the exact header line, and that a number has at most 21 characters: programs and pages of others.",
      ],
    },
  ];
}

function lackOf(key: "xero" | "quickbooks", isSet: boolean, bookCurrency: string | null): string[] {
  const missing = [...(isSet ? [] : [key]), ...(bookCurrency === null ? ["bookCurrency"] : [])];
  return missing.length === 0
    ? [
        `Journals by month and market, in ${bookCurrency} with two places: each amount converted at the rate of its day, then added up. What rounding leaves is a line of its own, so that each journal adds up to 0.`,
      ]
    : [`It has its header only: inputs/accounts.json has no ${missing.join(" and no ")}.`];
}
