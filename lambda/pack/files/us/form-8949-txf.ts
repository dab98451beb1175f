import { type Amount, formatMinor } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import type { RateConverter } from "../../../accounting/rates/converter.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { closeRowsOf } from "../csv/closes.ts";
import { VARIOUS } from "../csv/disposals.ts";
import { type Form8949Line, form8949Lines, formDate, USD } from "./form-8949.ts";

// Tax Exchange Format, Intuit's specification of version 042 (2011): a header, then records. Each line of a
// record begins with the letter of its field, and the record ends with a caret. Record format 4 has security,
// date acquired, date sold, cost, net sales. An unknown value is an empty line.

/** Sales without a Form 1099-B (section IV: copy C of the form), of short, long and unknown term. */
const REFERENCES = { short: "712", long: "714", unknown: "716" } as const;
const END = "^\r\n";
/** The format is ASCII, and a value is one line. */
const NOT_ASCII = /[^ -~]/g;

/** form-8949.txf: the lines of form-8949.csv whose gain is known, for desktop tax programs. */
export function form8949TxfMaker(context: PackContext, converter: RateConverter): FileMaker {
  const lineOf = form8949Lines(context, converter);
  return {
    path: "form-8949.txf",
    description:
      "Lines of form-8949.csv whose gain is known, in Intuit's Tax Exchange Format 042, which desktop tax programs import. All lines are in copy C of the form (no Form 1099 received), because the format has no boxes for digital assets. A date of VARIOUS is left empty, as the format requires.",
    mediatype: "text/plain",
    format: "txf",
    begin: () => header(context),
    add(batch: readonly Booked[]) {
      let text = "";
      for (const row of closeRowsOf(batch, context)) {
        text += recordOf(lineOf(row));
      }
      return text;
    },
    end: () => "",
  };
}

/** The date is the period's last day, because a pack's bytes do not depend on when it is made. */
function header({ period: { lastDay } }: PackContext): string {
  return lines("V042", "Afillbook", `D ${formDate(lastDay)}`);
}

function recordOf({ property, acquired, sold, amounts, term }: Form8949Line): string {
  if (amounts === null) {
    return "";
  }
  return lines(
    "TD",
    `N${REFERENCES[term ?? "unknown"]}`,
    "C1",
    "L1",
    `P${property.replaceAll(NOT_ASCII, "?")}`,
    `D${acquired === VARIOUS ? "" : acquired}`,
    `D${sold}`,
    `$${dollars(amounts.cost)}`,
    `$${dollars(amounts.proceeds)}`,
  );
}

function dollars(amount: Amount): string {
  return formatMinor(amount, USD);
}

function lines(...fields: readonly string[]): string {
  return `${fields.join("\r\n")}\r\n${END}`;
}
