import { usageError } from "../../core/errors.ts";
import { CENTRAL_BANKS } from "./central-banks.ts";
import { GENERIC, HEADINGS } from "./generic.ts";
import { type RateFile, rateFile } from "./rate-file.ts";
import { readSheet } from "./sheet.ts";
import { TAX_OFFICES } from "./tax-office.ts";

const FORMATS = [...CENTRAL_BANKS, ...TAX_OFFICES, GENERIC];

/**
 * Reads a rate file of any known form, recognised by its content. `name` is for messages and for the source
 * beside each amount. Throws `usage` with the file and line if the form is unknown, if the file was cut off,
 * or if a rate is missing or bad.
 */
export function recogniseRates(name: string, bytes: Uint8Array): RateFile {
  const sheet = readSheet(name, bytes);
  for (const format of FORMATS) {
    const entries = format.read(sheet);
    if (entries !== null) {
      return rateFile(sheet, format, entries);
    }
  }
  throw usageError(
    `${name} is not a rate file in a known format`,
    `use an unchanged published file (${FORMATS.map(({ label }) => label).join("; ")}), or write a CSV file with the headings ${HEADINGS.join(",")}, which may have the averages of months and years`,
  );
}
