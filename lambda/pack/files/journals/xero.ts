import { formatAmount } from "../../../accounting/amount.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { csvBatch } from "../../../formats/csv.ts";
import type { AccountSettings } from "../../build/account-settings.ts";
import type { FileFacts, FileMaker, PackContext, WholeFile } from "../../build/maker.ts";
import { padPlaces } from "./amounts.ts";
import { type BookJournal, BookTally } from "./book-tally.ts";

const HEADER = [
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
];

/** What Xero takes in one file is 300; here with the header. */
const MAX_LINES = 299;

/** The first file, and after its end those that follow it. */
export interface XeroMaker extends FileMaker {
  more(): readonly WholeFile[];
}

/**
 * imports/xero.csv: manual journals, one for each month and market, and xero-2.csv and so on where there are more lines than Xero takes. `converter`: into
 * the book currency; without it, or without account codes, the file has its header only.
 */
export function xeroMaker(context: PackContext, { xero }: AccountSettings, converter: Converter | null): XeroMaker {
  const tally = converter === null || xero === null ? null : new BookTally(context, converter);
  let files: readonly (readonly string[][])[] = [];

  const rowsOf = ({ month, market, day, lines }: BookJournal) => {
    if (xero === null) {
      return [];
    }
    const date = `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;
    return lines.map(({ role, amount, text }) => {
      const own = [`${xero.narration} ${context.account} ${month} ${market}`, date, text, xero[role], xero.taxRate];
      return [...own, padPlaces(formatAmount(amount), 2), ...["", "", "", ""]];
    });
  };
  const factsOf = (number: number): FileFacts => ({
    path: `imports/xero${number === 1 ? "" : `-${number}`}.csv`,
    description:
      "Manual journals for Xero: by month and market, in the book currency. See imports/README.txt before importing it.",
    mediatype: "text/csv",
  });

  return {
    ...factsOf(1),
    begin: () => csvBatch([HEADER]).text,
    add(batch) {
      tally?.add(batch);
      return "";
    },
    end() {
      const journals = (tally?.journals ?? []).map(rowsOf);
      files = inFiles(journals);
      return csvBatch(files[0] ?? []).text;
    },
    more: () =>
      files.slice(1).map((rows, at) => ({
        ...factsOf(at + 2),
        text: csvBatch([HEADER, ...rows]).text,
        rows: rows.length,
      })),
    get rows() {
      return files[0]?.length ?? 0;
    },
  };
}

/** Rows of as many files as are needed: no journal is cut. */
function inFiles(journals: readonly (readonly string[][])[]): readonly (readonly string[][])[] {
  const files: string[][][] = [];
  for (const rows of journals) {
    const last = files.at(-1);
    if (last === undefined || last.length + rows.length > MAX_LINES) {
      files.push([...rows]);
    } else {
      last.push(...rows);
    }
  }
  return files;
}
