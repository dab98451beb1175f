import { feesOf, type Sum, sumOf } from "../../../accounting/aggregate.ts";
import type { DeclaredPosition } from "../../../accounting/booked.ts";
import { declarationsFor } from "../../../accounting/breaks.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import { type Amount, totalOf, withSign, ZERO } from "../../../core/amount.ts";
import type { MarketSums } from "../../build/fill-sums.ts";
import { type Carry, carryOf } from "./borders.ts";
import type { Control } from "./controls.ts";

/** What the controls of a market are calculated from. */
interface Material {
  readonly market: MarketStatement;
  readonly statement: Statement;
  /** Undefined: no fill in the period. */
  readonly sums: Readonly<MarketSums> | undefined;
  readonly opening: Opening;
  /** True: the user declares that fills are missing within the period. */
  readonly isBroken: boolean;
}

/** The opening of the period's accounts. Null: not known. */
interface Opening {
  readonly position: Amount | null;
  readonly carry: Carry | null;
}

const UNKNOWN: Opening = { position: null, carry: null };

export function marketControls(
  market: MarketStatement,
  { statement, sums, declared }: Pick<Material, "statement" | "sums"> & { declared: readonly DeclaredPosition[] },
): Control[] {
  const isBroken = statement.marketMonths.some((one) => one.market === market.market && one.breaks > 0);
  const opening = isBroken ? UNKNOWN : openingOf(market, sums, declared);
  const material = { market, statement, sums, opening, isBroken };
  return [position(material), feesSplit(material), ...carried(material), openLots(material)];
}

/**
 * The position at the beginning of the period, else the one that the user declares within it before the first
 * fill.
 */
function openingOf(
  { market, before }: MarketStatement,
  sums: Readonly<MarketSums> | undefined,
  declared: readonly DeclaredPosition[],
): Opening {
  if (before.position !== null || sums === undefined || sums.first === null) {
    return { position: before.position, carry: carryOf(before) };
  }
  const last = declarationsFor(declared, market).findLast(({ asOf }) => asOf <= sums.since);
  if (last === undefined) {
    return UNKNOWN;
  }
  const { quantity } = last;
  const price = quantity.isZero() ? ZERO : last.price;
  const carry = price === null ? null : { openValue: quantity.times(price), deferredFee: ZERO };
  return { position: quantity, carry };
}

function position(material: Material): Control {
  const { market, sums, opening } = material;
  const isFollowed = opening.position !== null && (sums === undefined || sums.isFollowed);
  const closing = market.after.position;
  return {
    ...named("position", market),
    leftIs: "opening or declared position, plus bought less sold quantity in fills.csv",
    rightIs: "position in open-positions.csv (short: negative)",
    sides:
      isFollowed && opening.position !== null && closing !== null
        ? { left: opening.position.plus(sums?.bought ?? ZERO).minus(sums?.sold ?? ZERO), right: closing }
        : { reason: reasonOf(material) },
  };
}

function feesSplit(material: Material): Control {
  const { market, statement, sums } = material;
  return {
    ...named("fees_split", market),
    leftIs: "fees of the closing parts plus fees of the opening parts of all fills",
    rightIs: "fees_paid + rebates in summary-markets.csv",
    sides:
      sums === undefined || sums.isFollowed
        ? { left: sums?.feeParts ?? ZERO, right: feesOf(sumFor(market, statement)) }
        : { reason: reasonOf(material) },
  };
}

function carried(material: Material): Control[] {
  const { market, statement, sums, opening } = material;
  const sum = sumFor(market, statement);
  const [start, end] = [opening.carry, carryOf(market.after)];
  const isKnown = start !== null && end !== null && (sums?.blanks.size ?? 0) === 0;
  const unknown = { reason: reasonOf(material) };
  const method = METHOD_NAMES[statement.methods.primary];
  return [
    {
      ...named("cash_flow", market),
      method,
      leftIs: "value sold less value bought (quantity × price) in fills.csv",
      rightIs:
        "gross_pnl − open_value_at_end + open_value_at_start in summary-markets.csv, by the method; a declared position counts as open at the start",
      sides: isKnown
        ? { left: sums?.cash ?? ZERO, right: sum.gross.minus(end.openValue).plus(start.openValue) }
        : unknown,
    },
    {
      ...named("fees_carried", market),
      method,
      leftIs: "deferred_fees_at_start + fees_paid + rebates in summary-markets.csv",
      rightIs: "fees_recognised + deferred_fees_at_end in summary-markets.csv",
      sides: isKnown ? { left: start.deferredFee.plus(feesOf(sum)), right: sum.fees.plus(end.deferredFee) } : unknown,
    },
  ];
}

/** Lots and positions are kept separately. */
function openLots(material: Material): Control {
  const { market, statement } = material;
  const { position: closing, blank, lots } = market.after;
  return {
    ...named("open_lots", market),
    method: METHOD_NAMES[statement.methods.primary],
    leftIs: "sum of quantity in open-lots.csv (short: negative)",
    rightIs: "position in open-positions.csv (short: negative)",
    sides:
      blank === null && closing !== null
        ? { left: totalOf(lots, ({ sign, quantity }) => withSign(sign, quantity)), right: closing }
        : { reason: blank ?? reasonOf(material) },
  };
}

function named(control: string, { market, currency }: MarketStatement) {
  return { control, currency, market, method: null };
}

function sumFor({ market, currency }: MarketStatement, { marketMonths }: Statement): Sum {
  return sumOf(marketMonths.filter((one) => one.market === market && one.currency === currency));
}

function reasonOf({ market: { before, after }, sums, isBroken }: Material): string {
  const [blank = before.blank ?? after.blank ?? "opening_unknown"] = sums?.blanks ?? [];
  return isBroken ? "break_declared" : blank;
}
