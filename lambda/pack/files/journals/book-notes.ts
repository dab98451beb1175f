import type { AccountSettings } from "../../build/account-settings.ts";
import type { Section } from "../imports/readme.ts";

/**
 * The text of imports/README.txt about the files for accounting programs: how to import them, or how to set
 * them up.
 */
export function bookNotes({ bookCurrency, xero, quickbooks, datev }: AccountSettings): readonly Section[] {
  const contents = `Journals by month and market, in ${bookCurrency} with two decimal places. Each amount is converted at the rate of its day, then the amounts are added up. Each journal adds up to 0; a rounding difference has its own line. The journals do not include deposits and withdrawals, because your bank account has them.`;
  return [
    xero === null
      ? notSetUp("xero.csv, for Xero", "xero (the names of your accounts) and bookCurrency")
      : {
          title: "xero.csv, for Xero",
          lines: [
            contents,
            "Import it as manual journals, with the date format day/month/year. Xero creates the journals as drafts.",
            "Xero accepts at most 300 lines in a file. If there are files xero-2.csv and so on, import them too.",
            "The columns and rules are from Xero's help page, and the exact header line is from other programs. Not found: how Xero treats a journal that is imported twice.",
          ],
        },
    quickbooks === null
      ? notSetUp("quickbooks.csv, for QuickBooks Online", "quickbooks (the names of your accounts) and bookCurrency")
      : {
          title: "quickbooks.csv, for QuickBooks Online",
          lines: [
            contents,
            "Turn off account numbers before the import, because accounts are matched by name.",
            "Turn on the warning about duplicate journal numbers. A journal has the same number in every pack, so the warning keeps you from importing a month twice.",
            "The columns and rules are from Intuit's help pages. The exact header line and the limit of 21 characters for a number are from other programs and pages.",
          ],
        },
    datev === null
      ? notSetUp(DATEV_TITLE, "datev (the numbers of your bookkeeper's accounts)")
      : {
          title: DATEV_TITLE,
          lines: [
            contents,
            "One posting batch for each month with postings, as DATEV recommends. Each line posts the account of the margin balance (Konto) against the account of realised PnL, fees, funding or rounding (Gegenkonto). A journal has the same number (Belegfeld 1) in every pack.",
            "Your bookkeeper imports the files of this folder with the batch import (Stapelverarbeitung) of DATEV Rechnungswesen. Do not rename the files.",
            "The batches are not locked (Festschreibung 0) and have no tax keys. Use accounts that do not post VAT automatically (no Automatikkonten).",
            "The creation time in each batch is the start of its last day, so that a pack that is made again has the same bytes. A character that Windows-1252 does not have is written as % and four hexadecimal digits.",
            "The fields, their order and their formats are from DATEV's developer portal, format version 13. The files were not tested with DATEV's checking program (Prüfprogramm DATEV-Format).",
          ],
        },
  ];
}

const DATEV_TITLE = "datev/EXTF_….csv, for DATEV";

function notSetUp(title: string, needs: string): Section {
  return { title, lines: [`This file was not made. It needs ${needs} in inputs/accounts.json.`] };
}
