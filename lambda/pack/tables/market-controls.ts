import { declarationsFor } from "../../accounting/breaks.ts";
import { type Cell, totalCell } from "../../accounting/cube/cell.ts";
import { type Border, carryOf, type Sums } from "../../accounting/cube/scopes.ts";
import type { Holding } from "../../accounting/holdings.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { type Amount, totalOf, withSign, ZERO } from "../../core/amount.ts";
import type { PackContext } from "../make/maker.ts";
import type { Control } from "./control.ts";
import type { FillSums, MarketSums } from "./fill-sums.ts";

/** What the controls of a market are calculated from. */
interface Material {
  readonly holding: Holding;
  /** Of its settlement currency. */
  readonly cell: Cell;
  readonly method: string;
  /** Undefined: no fill in the period. */
  readonly sums: Readonly<MarketSums> | undefined;
  readonly opening: Opening;
  /** True: the user declares that fills are missing within the period. */
  readonly isBroken: boolean;
}

/** The opening of the period's accounts. */
interface Opening {
  /** Null: not known. */
  readonly position: Amount | null;
  readonly carry: Border;
}

const UNKNOWN: Opening = { position: null, carry: { lacks: [] } };

export function marketControls(
  holding: Holding,
  { context, sums, fills }: { readonly context: PackContext; readonly sums: Sums; readonly fills: FillSums },
): Control[] {
  const own = sums.cells.filter(({ account, market }) => account === holding.account && market === holding.market);
  const isBroken = own.some(({ breaks }) => breaks > 0);
  const added = fills.market(holding);
  const material: Material = {
    holding,
    cell: totalCell(own.filter(({ currency }) => currency === holding.currency)),
    method: METHOD_NAMES[context.methods.primary],
    sums: added,
    opening: isBroken ? UNKNOWN : openingOf(holding, added, context),
    isBroken,
  };
  return [position(material), feesSplit(material), ...carried(material), openLots(material)];
}

/**
 * The position at the beginning of the period, else the one that the user declares within it before the first
 * fill.
 */
function openingOf(
  { account, market, before }: Holding,
  sums: Readonly<MarketSums> | undefined,
  { accounts }: PackContext,
): Opening {
  if (before.position !== null || sums === undefined || sums.first === null) {
    return { position: before.position, carry: carryOf(before) };
  }
  const { declared } = accounts.find((one) => one.account === account) ?? { declared: [] };
  const last = declarationsFor(declared, market).findLast(({ asOf }) => asOf <= sums.since);
  if (last === undefined) {
    return UNKNOWN;
  }
  const { quantity } = last;
  const price = quantity.isZero() ? ZERO : last.price;
  const carry = price === null ? UNKNOWN.carry : { openValue: quantity.times(price), deferredFee: ZERO };
  return { position: quantity, carry };
}

function position(material: Material): Control {
  const { holding, sums, opening } = material;
  const isFollowed = opening.position !== null && (sums === undefined || sums.isFollowed);
  const closing = holding.after.position;
  return {
    ...named("position", holding),
    leftIs: "opening or declared position, plus bought less sold quantity in fills.csv",
    rightIs: "quantity in open-positions.csv",
    sides:
      isFollowed && opening.position !== null && closing !== null
        ? { left: opening.position.plus(sums?.bought ?? ZERO).minus(sums?.sold ?? ZERO), right: closing }
        : { reason: reasonOf(material) },
  };
}

function feesSplit(material: Material): Control {
  const { holding, cell, sums } = material;
  return {
    ...named("fees_split", holding),
    leftIs: "fees of the closing parts plus fees of the opening parts of all fills",
    rightIs: "sum of fees_paid + rebates in summary-days.csv",
    sides:
      sums === undefined || sums.isFollowed
        ? { left: sums?.feeParts ?? ZERO, right: cell.feesPaid.plus(cell.rebates) }
        : { reason: reasonOf(material) },
  };
}

function carried(material: Material): Control[] {
  const { holding, cell, method, sums, opening } = material;
  const [start, end] = [opening.carry, carryOf(holding.after)];
  const isKnown = (sums?.blanks.size ?? 0) === 0;
  const sidesOf = (left: (from: Amounts) => Amount, right: (from: Amounts, to: Amounts) => Amount): Control["sides"] =>
    "lacks" in start || "lacks" in end || !isKnown
      ? { reason: reasonOf(material) }
      : { left: left(start), right: right(start, end) };
  return [
    {
      ...named("cash_flow", holding),
      method,
      leftIs: "value sold less value bought (quantity × price) in fills.csv",
      rightIs:
        "sum of gross_pnl in summary-days.csv − open_value at the end + open_value at the start, by the method; a declared position counts as open at the start",
      sides: sidesOf(
        () => sums?.cash ?? ZERO,
        (from, to) => cell.gross.minus(to.openValue).plus(from.openValue),
      ),
    },
    {
      ...named("fees_carried", holding),
      method,
      leftIs: "deferred fees at the start + sum of fees_paid + rebates in summary-days.csv",
      rightIs: "sum of fees_recognised in summary-days.csv + deferred_fee in open-positions.csv",
      sides: sidesOf(
        (from) => from.deferredFee.plus(cell.feesPaid).plus(cell.rebates),
        (_, to) => cell.fees.plus(to.deferredFee),
      ),
    },
  ];
}

type Amounts = Exclude<Border, { readonly lacks: unknown }>;

/** Lots and positions are kept separately. */
function openLots(material: Material): Control {
  const { holding, method } = material;
  const { position: closing, blank, lots } = holding.after;
  return {
    ...named("open_lots", holding),
    method,
    leftIs: "sum of quantity in open-lots.csv",
    rightIs: "quantity in open-positions.csv",
    sides:
      blank === null && closing !== null
        ? { left: totalOf(lots, ({ sign, quantity }) => withSign(sign, quantity)), right: closing }
        : { reason: blank ?? reasonOf(material) },
  };
}

function named(control: string, { account, market, currency }: Holding) {
  return { control, account, currency, market, method: null };
}

function reasonOf({ holding: { before, after }, sums, isBroken }: Material): string {
  const [blank = before.blank ?? after.blank ?? "opening_unknown"] = sums?.blanks ?? [];
  return isBroken ? "break_declared" : blank;
}
