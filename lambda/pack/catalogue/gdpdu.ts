import type { Period } from "../../core/period.ts";
import type { Column, FileFacts } from "../build/maker.ts";
import { visible } from "../files/journals/text.ts";
import type { Described } from "./datapackage.ts";

/**
 * The format that German tax audit programs read (GDPdU, now GoBD). The grammar belongs to Audicon, so its
 * file is named here and is not in the pack.
 */
const GRAMMAR = "gdpdu-01-08-2002.dtd";

export const GDPDU: FileFacts = {
  path: "index.xml",
  description: `Description of every table, for German tax audit software (GDPdU, GoBD). The grammar that it names, ${GRAMMAR}, comes with that software.`,
  mediatype: "application/xml",
};

/**
 * Digits after the point in the product of two numbers of 18 places. A program that is told fewer may cut
 * them.
 */
const DECIMAL_ACCURACY = 36;
/** The longest time is `+012025-03-01T12:00:00.000Z`. The grammar has dates but no times. */
const TIME_LENGTH = 27;

/**
 * The whole of index.xml. `files`: of the pack; its tables are described. The grammar fixes the order of
 * elements.
 */
export function gdpduText(
  { account, period }: { readonly account: string; readonly period: Period },
  files: readonly Described[],
): string {
  const tables = files.flatMap(({ file, facts }) => {
    const { columns, mediatype } = facts;
    return columns === undefined || mediatype !== "text/csv" ? [] : [tableOf(file.path, facts, columns, period)];
  });
  const media = within("Media", text("Name", `${account} ${period.name}`), ...tables);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!DOCTYPE DataSet SYSTEM "${GRAMMAR}">`,
    ...linesOf(within("DataSet", text("Version", "1.0"), media)),
    "",
  ].join("\n");
}

function tableOf(url: string, { path, description }: FileFacts, columns: readonly Column[], period: Period): Element {
  const days = within("Range", text("From", period.firstDay), text("To", period.lastDay));
  return within(
    "Table",
    text("URL", url),
    text("Name", path.replace(/\.csv$/, "")),
    text("Description", description),
    within("Validity", days, text("Format", DATE_FORMAT)),
    within("UTF8"),
    text("DecimalSymbol", "."),
    text("DigitGroupingSymbol", ","),
    within("Range", text("From", "2")), // after the header, with its byte order mark
    within(
      "VariableLength",
      text("ColumnDelimiter", ","),
      text("RecordDelimiter", "\r\n"),
      text("TextEncapsulator", '"'),
      ...columns.map(({ name, kind, description: meaning }) =>
        within("VariableColumn", text("Name", name), text("Description", meaning), ...typeOf(kind)),
      ),
    ),
  );
}

const DATE_FORMAT = "YYYY-MM-DD";

function typeOf(kind: Column["kind"]): Element[] {
  switch (kind) {
    case "decimal":
      return [within("Numeric", text("Accuracy", String(DECIMAL_ACCURACY)))];
    case "integer":
      return [within("Numeric", text("Accuracy", "0"))];
    case "date":
      return [within("Date", text("Format", DATE_FORMAT))];
    case "time":
      return [within("AlphaNumeric"), text("MaxLength", String(TIME_LENGTH))];
    case "text":
      return [within("AlphaNumeric")];
  }
}

interface Element {
  readonly name: string;
  readonly content: string | readonly Element[];
}

function text(name: string, content: string): Element {
  return { name, content };
}

function within(name: string, ...content: readonly Element[]): Element {
  return { name, content };
}

function linesOf({ name, content }: Element): string[] {
  if (typeof content === "string") {
    return [`<${name}>${escaped(content)}</${name}>`];
  }
  return content.length === 0
    ? [`<${name}/>`]
    : [`<${name}>`, ...content.flatMap(linesOf).map((line) => `  ${line}`), `</${name}>`];
}

/**
 * Escapes line ends as numbers, because XML readers would change them, and characters that XML does not allow
 * as code points.
 */
function escaped(content: string): string {
  return content
    .split("\r\n")
    .map((line) => visible(line).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`))
    .join("&#13;&#10;");
}
