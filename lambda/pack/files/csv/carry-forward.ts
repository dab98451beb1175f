import type { Amount } from "../../../accounting/amount.ts";
import { isBrokenIn } from "../../../accounting/breaks.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { quoteCurrencyOf } from "../../../core/market.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { closeRowsOf } from "./closes.ts";
import { amount, type CsvColumn, integer, REQUIRED, text } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";
import { convertDisposal, disposalOf } from "./disposals.ts";

/** Sums of the disposals of one settlement currency. */
interface Sums {
  /** Disposals above zero, and below it. */
  gains: Amount;
  losses: Amount;
  /** Closes, or fills that may have closed something, whose gain is not known. */
  unknown: number;
  /** Disposals whose gain is known. */
  known: number;
}

interface Row extends Sums {
  readonly currency: string;
  readonly amounts: "settled" | "converted";
  readonly isComplete: boolean;
}

function columnsOf({ methods }: PackContext): CsvColumn<Row>[] {
  return [
    text(
      "currency",
      "Currency of every amount in the row. Empty: fills whose market is not known.",
      ({ currency }) => currency,
    ),
    text(
      "amounts",
      "settled: disposals settled in this currency, not converted. converted: disposals in all currencies, each converted at the rate of its day.",
      ({ amounts }) => amounts,
      REQUIRED,
    ),
    text("method", "The chosen cost method.", () => METHOD_NAMES[methods.primary], REQUIRED),
    amount(
      "gains",
      "Sum of the positive gain_or_loss amounts in disposals.csv. Empty if no gain or loss is known.",
      (row) => knownOf(row, row.gains),
    ),
    amount("losses", "Sum of the negative gain_or_loss amounts in disposals.csv: zero or a negative amount.", (row) =>
      knownOf(row, row.losses),
    ),
    amount("net_result_excl_funding", "gains + losses.", (row) => knownOf(row, netOf(row))),
    amount(
      "loss_to_carry_forward_excl_funding",
      "Loss of this period alone: the net loss as a positive amount, or 0 if there is none. Empty if is_complete is no. Losses of earlier periods, losses already used and national limits are not considered. This is not advice.",
      (row) => (row.isComplete ? lossOf(row) : null),
    ),
    integer(
      "closes_with_unknown_gain",
      "Number of fills that closed, or may have closed, a position, and whose gain could not be calculated. Totals exclude them.",
      ({ unknown }) => unknown,
      REQUIRED,
    ),
    text(
      "is_complete",
      "yes, or no: fills are missing or may be missing, or a gain is not known.",
      ({ isComplete }) => (isComplete ? "yes" : "no"),
      REQUIRED,
    ),
  ];
}

/**
 * carry-forward.csv: the sums of disposals.csv, and the loss that the period leaves. Its size grows with
 * currencies, not with fills.
 */
export function carryForwardMaker(context: PackContext, converter: Converter | null): FileMaker {
  const settled = new Map<string, Sums>();
  const sumsOf = (currency: string) =>
    getOrMake(settled, currency, () => ({ gains: 0n, losses: 0n, unknown: 0, known: 0 }));
  const converted: Sums = { gains: 0n, losses: 0n, unknown: 0, known: 0 };
  return new CsvMaker<Row>({
    path: "carry-forward.csv",
    description:
      "Information, not advice: gains, losses and the net gain or loss of the period by settlement currency and the chosen method, excluding funding. Whether and how a loss can be carried forward is for the preparer to decide. Losses of earlier periods and national limits are not considered.",
    columns: columnsOf(context),
    rowsOf(batch) {
      for (const { trade, fill } of batch) {
        const sums = sumsOf(trade?.currency ?? quoteCurrencyOf(fill.market) ?? "");
        sums.unknown += trade === null ? 1 : 0;
      }
      for (const row of closeRowsOf(batch, context)) {
        const sums = sumsOf(row.trade.currency);
        const disposal = disposalOf(row);
        if (disposal === null) {
          sums.unknown += 1;
          continue;
        }
        addTo(sums, disposal.proceeds - disposal.cost);
        if (converter !== null) {
          addTo(converted, convertDisposal(converter, row)?.gain ?? 0n);
        }
      }
      return [];
    },
    rowsAtEnd() {
      const isWhole = wholeness(context);
      const rows = [...settled]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(
          ([currency, sums]): Row => ({
            ...sums,
            currency,
            amounts: "settled",
            isComplete: sums.unknown === 0 && isWhole(currency),
          }),
        );
      if (converter === null) {
        return rows;
      }
      const unknown = rows.reduce((sum, row) => sum + row.unknown, 0);
      const isComplete = isWhole(null) && rows.every((row) => row.isComplete);
      return [...rows, { ...converted, unknown, currency: converter.to, amounts: "converted", isComplete }];
    },
  });
}

function addTo(sums: Sums, gain: Amount): void {
  sums[gain > 0n ? "gains" : "losses"] += gain;
  sums.known += 1;
}

/** Null: none is known. That is not zero. */
function knownOf({ known, unknown }: Sums, amountOf: Amount): Amount | null {
  return known === 0 && unknown > 0 ? null : amountOf;
}

function netOf({ gains, losses }: Sums): Amount {
  return gains + losses;
}

function lossOf(sums: Sums): Amount {
  const net = netOf(sums);
  return net < 0n ? -net : 0n;
}

/** Whether no fill of the period can be missing in markets of a currency; null: in any market. */
function wholeness({ complete, breaks, period }: PackContext): (currency: string | null) => boolean {
  const broken = breaks.filter((one) => isBrokenIn(one, period)).map(({ market }) => quoteCurrencyOf(market) ?? "");
  return (currency) => complete && (currency === null ? broken.length === 0 : !broken.includes(currency));
}
