import type { RateConverter } from "../../../accounting/rates/converter.ts";
import type { Amount } from "../../../core/amount.ts";
import { formatMinor } from "../../../core/currency.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { type CloseRow, closeRowsOf, FILL_IDS, statusColumn } from "../csv/closes.ts";
import { type CsvColumn, decimal, REQUIRED, text } from "../csv/columns.ts";
import { CsvMaker } from "../csv/csv-maker.ts";
import { form8949Lines, USD } from "./form-8949.ts";

/**
 * The first year whose form has separate boxes for digital assets (IRS, Instructions for Form 8949, 2025,
 * What's New).
 */
const DIGITAL_ASSETS_SINCE = 2025;

function columnsOf(context: PackContext, converter: RateConverter): CsvColumn<CloseRow>[] {
  const lineOf = memoizeLast(form8949Lines(context, converter));
  const dollars = (amount: Amount | undefined) => (amount === undefined ? null : formatMinor(amount, USD));
  const byTerm = (short: string, long: string) => (row: CloseRow) => {
    const { term } = lineOf(row);
    return term === null ? null : { short, long }[term];
  };
  const hasDigitalAssets = Number(context.period.firstDay.slice(0, 4)) >= DIGITAL_ASSETS_SINCE;
  return [
    text(
      "part",
      "I: held for one year or less. II: held for more than one year. Empty if it is not known, as for a pool (average cost) with parts older than a year, and for a declared position.",
      byTerm("I", "II"),
    ),
    text(
      "box",
      "Box to check if no Form 1099 was received and perpetual futures are not treated as digital assets.",
      byTerm("C", "F"),
    ),
    text(
      "box_if_digital_asset",
      "Box to check if no Form 1099-DA was received and perpetual futures are treated as digital assets. The form has these boxes from 2025.",
      hasDigitalAssets ? byTerm("I", "L") : () => null,
    ),
    text(
      "description_of_property",
      "Column (a): what was closed: quantity, market, and long or short.",
      (row) => lineOf(row).property,
      REQUIRED,
    ),
    text(
      "date_acquired",
      "Column (b), MM/DD/YYYY in the pack's time zone. VARIOUS: there is no single day. For a short position: the day of the closing purchase.",
      (row) => lineOf(row).acquired,
      REQUIRED,
    ),
    text(
      "date_sold",
      "Column (c), MM/DD/YYYY in the pack's time zone. For a short position: the day on which it was closed.",
      (row) => lineOf(row).sold,
      REQUIRED,
    ),
    decimal("proceeds", "Column (d), in dollars and cents: value of the sale less its fee.", (row) =>
      dollars(lineOf(row).amounts?.proceeds),
    ),
    decimal("cost_or_other_basis", "Column (e): value of the purchase plus its fee.", (row) =>
      dollars(lineOf(row).amounts?.cost),
    ),
    text("code", "Column (f): left empty for the preparer.", () => null),
    decimal("adjustment", "Column (g): left empty for the preparer.", () => null),
    decimal("gain_or_loss", "Column (h): (d) − (e), fees included, excluding funding.", (row) => {
      const { amounts } = lineOf(row);
      return amounts === null ? null : dollars(amounts.proceeds.minus(amounts.cost));
    }),
    ...FILL_IDS,
    statusColumn("the gain"),
  ];
}

/** form-8949.csv: the matches of the chosen method as the lines of the form. */
export function form8949Maker(context: PackContext, converter: RateConverter): FileMaker {
  return new CsvMaker<CloseRow>({
    path: "form-8949.csv",
    description:
      "Lines for the United States' Form 8949, in dollars and cents, by the method that the user chose. Fees are included in proceeds and basis. Whether perpetual futures belong on this form, and under which box, is for the preparer to decide, so both boxes are given. Each line is rounded separately, so the total can differ from realised-pnl.csv by up to one cent a line.",
    columns: columnsOf(context, converter),
    rowsOf: (batch) => closeRowsOf(batch, context),
  });
}
