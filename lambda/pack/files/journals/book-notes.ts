import type { AccountSettings } from "../../build/account-settings.ts";
import type { Section } from "../imports/readme.ts";

/**
 * The text of imports/README.txt about the files for accounting programs: how to import them, or how to set
 * them up.
 */
export function bookNotes({ bookCurrency, xero, quickbooks, datev }: AccountSettings): readonly Section[] {
  const contents = `Journals by month and market, in ${bookCurrency} with two places: each amount converted at the rate of its day, then added up. What rounding leaves is a line of its own, so that each journal adds up to 0. Deposits and withdrawals are not in them: your bank account has them.`;
  return [
    xero === null
      ? notSetUp("xero.csv, for Xero", "xero (the names of your accounts) and bookCurrency")
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
      ? notSetUp("quickbooks.csv, for QuickBooks Online", "quickbooks (the names of your accounts) and bookCurrency")
      : {
          title: "quickbooks.csv, for QuickBooks Online",
          lines: [
            contents,
            "Turn account numbers off before the import: accounts are matched by their names.",
            "Turn the warning about duplicate journal numbers on: a journal has the same number in each pack, so that no month comes in twice.",
            "Its columns and rules: Intuit's help pages; the exact header line, and that a number has at most 21 characters: programs and pages of others.",
          ],
        },
    datev === null
      ? notSetUp(DATEV_TITLE, "datev (the numbers of your bookkeeper's accounts)")
      : {
          title: DATEV_TITLE,
          lines: [
            contents,
            "A posting batch for each month in which there is something to post, as DATEV advises: each line is the account of the margin balance (Konto) against the one of the result, of fees, of funding or of rounding (Gegenkonto). A journal has the same number (Belegfeld 1) in each pack.",
            "Your bookkeeper imports the files of the folder by the batch import (Stapelverarbeitung) of DATEV Rechnungswesen. Their names must stay as they are.",
            "The batches are not locked (Festschreibung 0) and have no tax keys: use accounts that book no VAT by themselves (no Automatikkonten).",
            "The time at which a batch was made is given as the beginning of its last day, so that a pack that is made again has the same bytes. A character that Windows-1252 lacks becomes % and four hexadecimal digits.",
            "Its fields, their order and their expressions: DATEV's developer portal, format version 13. DATEV's checking program (Prüfprogramm DATEV-Format) was not run on it.",
          ],
        },
  ];
}

const DATEV_TITLE = "datev/EXTF_….csv, for DATEV";

function notSetUp(title: string, needs: string): Section {
  return { title, lines: [`Not made: it needs ${needs} in inputs/accounts.json.`] };
}
