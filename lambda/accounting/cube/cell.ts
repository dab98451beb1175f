import { type Amount, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import type { UnknownReason } from "../booked.ts";

/**
 * What a fill was. `declared`: a trade that the user declared. `untyped`: it cannot be read as a trade. "": no fill,
 * but a payment or a break.
 */
export type Kind = "maker" | "taker" | "other" | "declared" | "untyped" | "";

/** What a cell is about. Null: all of them together. */
export interface Names {
  readonly account: string | null;
  /** `2025-03` */
  readonly month: string | null;
  /** `2025-03-01`, of the period's zone */
  readonly day: string | null;
  /** "" for fills without one. */
  readonly market: string | null;
  /** The settlement currency, or that of a payment. "": not known. */
  readonly currency: string | null;
  readonly kind: Kind | null;
}

const COUNTS = [
  /** Fills that can be read as a trade, and those that cannot. */
  "fills",
  "untyped",
  /** Of those that can, fills of contracts that are not linear, and trades that the user declared. */
  "apart",
  "declared",
  /** Closing fills whose PnL is known; those whose PnL before fees is above and below zero. */
  "closes",
  "wonCloses",
  "lostCloses",
  /** Fills with a fee or a rebate. */
  "charged",
  /** Payments of funding other than 0. */
  "payments",
  /** Fills that share their time with a fill of the other side. Nothing gives their order. */
  "ties",
  /** Declared breaks. */
  "breaks",
  /** Round trips that ended; those with PnL before fees above and below zero. */
  "trips",
  "wonTrips",
  "lostTrips",
] as const;

const AMOUNTS = [
  /** Quantity × price. */
  "volume",
  /** PnL before fees of the closes that won, a part of `gross`. */
  "won",
  /** The result under the method for comparison. */
  "comparedGross",
  "comparedFees",
  /** Fees and notional of contracts that are not linear: nobody says in which currency they are. */
  "feesApart",
  "notionalApart",
] as const;

/** What a cell also has in the reporting currency. */
const MONEY = [
  /** Realised PnL before fees, and the fees that are recognised with it, by the chosen method. */
  "gross",
  "fees",
  /** Matches of closes net of fees: those above zero, and those below. They add up to `gross − fees`. Their numbers. */
  "gains",
  "losses",
  "gainRows",
  "lossRows",
  /** Fees of fills above zero, and those below zero as a negative amount. */
  "feesPaid",
  "rebates",
  /** Funding: received less paid. */
  "funding",
] as const;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Amounts in one currency. */
export type Money = Readonly<Record<(typeof MONEY)[number], Amount>>;

/** Sums of some fills and payments. Its amounts are meaningful only if all are in one currency. */
export interface Cell
  extends Names,
    Money,
    Readonly<Record<(typeof COUNTS)[number], number>>,
    Readonly<Record<(typeof AMOUNTS)[number], Amount>> {
  /** Fills that closed, or may have closed, a position, and whose PnL is not known, by reason. */
  readonly blanks: ReadonlyMap<UnknownReason, number>;
  /** Sums of lines that were converted, and rounded, one by one. Null: nothing is converted. */
  readonly converted: Money | null;
}

export type OpenMoney = Writable<Money>;

/** A cell that is still added to. */
export interface OpenCell extends Omit<Writable<Cell>, "converted" | "blanks" | keyof Names>, Names {
  blanks: Map<UnknownReason, number>;
  converted: OpenMoney | null;
}

export const ALL: Names = { account: null, month: null, day: null, market: null, currency: null, kind: null };

export function emptyCell(names: Names, isConverted: boolean): OpenCell {
  return {
    ...names,
    ...NO_COUNTS,
    ...NO_AMOUNTS,
    ...NO_MONEY,
    blanks: new Map(),
    converted: isConverted ? { ...NO_MONEY } : null,
  };
}

const NO_COUNTS = zeros(COUNTS, 0);
const NO_AMOUNTS = zeros(AMOUNTS, ZERO);
const NO_MONEY: Money = zeros(MONEY, ZERO);

function zeros<Key extends string, Zero>(keys: readonly Key[], zero: Zero): Record<Key, Zero> {
  return Object.fromEntries(keys.map((key) => [key, zero])) as Record<Key, Zero>;
}

/** Adds a cell to another one, whose names stay. */
export function addCell(sum: OpenCell, cell: Cell): void {
  for (const key of COUNTS) {
    sum[key] += cell[key];
  }
  for (const key of AMOUNTS) {
    sum[key] = sum[key].plus(cell[key]);
  }
  addMoney(sum, cell);
  if (sum.converted !== null && cell.converted !== null) {
    addMoney(sum.converted, cell.converted);
  }
  for (const [reason, count] of cell.blanks) {
    sum.blanks.set(reason, (sum.blanks.get(reason) ?? 0) + count);
  }
}

function addMoney(sum: OpenMoney, money: Money): void {
  for (const key of MONEY) {
    sum[key] = sum[key].plus(money[key]);
  }
}

export type Name = keyof Names;

/** The sums of cells that have these names alike, ordered by them. */
export function projected(cells: readonly Cell[], names: readonly Name[]): readonly Cell[] {
  const sums = new Map<string, OpenCell>();
  for (const cell of cells) {
    const none = () => emptyCell(onlyNames(cell, names), cell.converted !== null);
    addCell(getOrMake(sums, keyOf(cell, names), none), cell);
  }
  return [...sums.values()].sort(byNames(names));
}

/** The sum of all cells, whatever their names. */
export function totalCell(cells: readonly Cell[]): Cell {
  return projected(cells, [])[0] ?? emptyCell(ALL, false);
}

/** Of some names, those that are given. The others are null. */
export function onlyNames(of: Partial<Names>, names: readonly Name[]): Names {
  return { ...ALL, ...Object.fromEntries(names.map((name) => [name, of[name] ?? null])) };
}

export function keyOf(of: Partial<Names>, names: readonly Name[]): string {
  return JSON.stringify(names.map((name) => of[name]));
}

/** Orders by each name in turn. */
export function byNames(names: readonly Name[]): (a: Partial<Names>, b: Partial<Names>) => number {
  return (a, b) => {
    for (const name of names) {
      const order = compareText(a[name] ?? "", b[name] ?? "");
      if (order !== 0) {
        return order;
      }
    }
    return 0;
  };
}

/** Fills that closed, or may have closed, a position, and whose PnL is not known. */
export function blankCloses({ blanks }: Pick<Cell, "blanks">): number {
  return [...blanks.values()].reduce((sum, count) => sum + count, 0);
}
