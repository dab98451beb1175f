import { FillbookError } from "../../core/errors.ts";
import { BANK_OF_CANADA } from "./bank-of-canada.ts";
import { BANK_OF_ENGLAND } from "./bank-of-england.ts";
import { ECB } from "./ecb.ts";
import { FED_H10, FRED } from "./fed.ts";
import { GENERIC } from "./generic.ts";
import { HMRC_MONTHLY, HMRC_YEARLY } from "./hmrc.ts";
import { collect, type RateFile, type RateFormat } from "./rate-file.ts";
import { RBA } from "./rba.ts";
import { readSheet } from "./sheet.ts";

const FORMATS: readonly RateFormat[] = [
  ECB,
  HMRC_MONTHLY,
  HMRC_YEARLY,
  BANK_OF_CANADA,
  RBA,
  FED_H10,
  FRED,
  BANK_OF_ENGLAND,
  GENERIC,
];

/**
 * Reads a rate file of any known form, recognised by its content. `name` is for messages and for the source
 * beside each amount. Throws `usage` with the file and line if the form is unknown, if the file was cut off,
 * or if a rate is missing or bad.
 */
export function recogniseRates(name: string, bytes: Uint8Array): RateFile {
  const sheet = readSheet(name, bytes);
  const format = FORMATS.find(({ recognises }) => recognises(sheet.rows));
  if (format === undefined) {
    throw new FillbookError("usage", `${name} is not a rate file in a known format`, {
      hint: `use an unchanged published file (${FORMATS.map(({ label }) => label).join("; ")}), or write a CSV file with the headings date,base,quote,rate,source`,
    });
  }
  if (format.isEnded && !sheet.isEnded) {
    throw new FillbookError("usage", `${name} (${format.label}) is cut off: it ends within a line`, {
      hint: "download it again; the last number may be incomplete",
    });
  }
  return collect(sheet, format);
}
