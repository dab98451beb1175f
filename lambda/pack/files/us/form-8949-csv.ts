import { type Amount, formatMinor } from "../../../accounting/amount.ts";
import type { RateConverter } from "../../../accounting/rates/converter.ts";
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
      "I: held for a year or less. II: for more. Empty where it cannot be known: of a pool (average cost) with parts older than a year, and of a position that the user declares.",
      byTerm("I", "II"),
    ),
    text(
      "box",
      "The box to check where no Form 1099 came, and perpetual futures are no digital assets.",
      byTerm("C", "F"),
    ),
    text(
      "box_if_digital_asset",
      "The box to check where no Form 1099-DA came, and they are digital assets: the form has such boxes since 2025.",
      hasDigitalAssets ? byTerm("I", "L") : () => null,
    ),
    text(
      "description_of_property",
      "Column (a): what was closed, and whether it was long or short.",
      (row) => lineOf(row).property,
      REQUIRED,
    ),
    text(
      "date_acquired",
      "Column (b), MM/DD/YYYY in the pack's zone; VARIOUS where there is no one day. Of a short the day of the closing purchase.",
      (row) => lineOf(row).acquired,
      REQUIRED,
    ),
    text(
      "date_sold",
      "Column (c), MM/DD/YYYY in the pack's zone. Of a short the day on which it was closed.",
      (row) => lineOf(row).sold,
      REQUIRED,
    ),
    decimal("proceeds", "Column (d), in cents of the dollar: what it was sold for, less the fee of the sale.", (row) =>
      dollars(lineOf(row).amounts?.proceeds),
    ),
    decimal("cost_or_other_basis", "Column (e): what it was bought for, and the fee of the purchase.", (row) =>
      dollars(lineOf(row).amounts?.cost),
    ),
    text("code", "Column (f): always empty, for the preparer.", () => null),
    decimal("adjustment", "Column (g): always empty, for the preparer.", () => null),
    decimal("gain_or_loss", "Column (h): (d) − (e), fees included, without funding.", (row) => {
      const { amounts } = lineOf(row);
      return amounts === null ? null : dollars(amounts.proceeds - amounts.cost);
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
      "The lines of the United States' Form 8949, in dollars and cents, fees in proceeds and basis, by the method that the user chose. Whether perpetual futures belong on this form, and under which box, is the preparer's to decide: both boxes are named. Each line is rounded by itself, so the lines add up to realised-pnl.csv within a cent a line.",
    columns: columnsOf(context, converter),
    rowsOf: (batch) => closeRowsOf(batch, context),
  });
}
