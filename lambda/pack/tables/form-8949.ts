import type { Close } from "../../accounting/posted.ts";
import type { RateConverter } from "../../accounting/rates/converter.ts";
import type { Amount } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import type { PackContext } from "../make/maker.ts";
import { closesIn, FILL_IDS, STATUS } from "./closes.ts";
import { account, REQUIRED, rate, text } from "./column.ts";
import { type Form8949Line, form8949Lines, USD } from "./form-8949-lines.ts";
import type { Column, Table } from "./table.ts";

/**
 * The first year whose form has separate boxes for digital assets (IRS, Instructions for Form 8949, 2025,
 * What's New).
 */
const DIGITAL_ASSETS_SINCE = 2025;

function columnsOf(context: PackContext): Column<Row>[] {
  const dollars = (amount: Amount | undefined) => (amount === undefined ? null : formatMinor(amount, USD));
  const byTerm =
    (short: string, long: string) =>
    ({ line: { term } }: Row) =>
      term === null ? null : { short, long }[term];
  const hasDigitalAssets = Number(context.period.firstDay.slice(0, 4)) >= DIGITAL_ASSETS_SINCE;
  return [
    account(({ own }) => own.account),
    text(
      ["part", "Part"],
      "I: held for one year or less. II: held for more than one year. Empty if it is not known, as for a pool (average cost) with parts older than a year, and for a declared position.",
      byTerm("I", "II"),
    ),
    text(
      ["box", "Box"],
      "Box to check if no Form 1099 was received and perpetual futures are not treated as digital assets.",
      byTerm("C", "F"),
    ),
    text(
      ["box_if_digital_asset", "Box if a digital asset"],
      "Box to check if no Form 1099-DA was received and perpetual futures are treated as digital assets. The form has these boxes from 2025.",
      hasDigitalAssets ? byTerm("I", "L") : () => null,
    ),
    text(
      ["description_of_property", "Description of property"],
      "Column (a): what was closed: quantity, market, and long or short.",
      ({ line }) => line.property,
      REQUIRED,
    ),
    text(
      ["date_acquired", "Date acquired"],
      "Column (b), MM/DD/YYYY in the pack's time zone. VARIOUS: there is no single day. For a short position: the day of the closing purchase.",
      ({ line }) => line.acquired,
      REQUIRED,
    ),
    text(
      ["date_sold", "Date sold"],
      "Column (c), MM/DD/YYYY in the pack's time zone. For a short position: the day on which it was closed.",
      ({ line }) => line.sold,
      REQUIRED,
    ),
    rate(["proceeds", "Proceeds"], "Column (d), in dollars and cents: value of the sale less its fee.", ({ line }) =>
      dollars(line.amounts?.proceeds),
    ),
    rate(
      ["cost_or_other_basis", "Cost or other basis"],
      "Column (e): value of the purchase plus its fee.",
      ({ line }) => dollars(line.amounts?.cost),
    ),
    text(["code", "Code"], "Column (f): left empty for the preparer.", () => null),
    rate(["adjustment", "Adjustment"], "Column (g): left empty for the preparer.", () => null),
    rate(
      ["gain_or_loss", "Gain or loss"],
      "Column (h): (d) − (e), fees included, excluding funding.",
      ({ line: { amounts } }) => (amounts === null ? null : dollars(amounts.proceeds.minus(amounts.cost))),
    ),
    ...FILL_IDS,
    STATUS,
  ];
}

interface Row extends Close {
  readonly line: Form8949Line;
}

/** form-8949.csv: the matches of the chosen method as the lines of the form. */
export function form8949Table(context: PackContext, converter: RateConverter): Table<Row> {
  const lineOf = form8949Lines(context, converter);
  return {
    path: "form-8949.csv",
    description:
      "Lines for the United States' Form 8949, in dollars and cents, by the method that the user chose. Fees are included in proceeds and basis. Whether perpetual futures belong on this form, and under which box, is for the preparer to decide, so both boxes are given. Each line is rounded separately, so the total can differ from realised-pnl.csv by up to one cent a line.",
    columns: columnsOf(context),
    rows: { each: (batch) => closesIn(batch).map((close) => ({ ...close, line: lineOf(close) })) },
  };
}
