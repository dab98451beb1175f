import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import type { PeriodMonth } from "../../core/period.ts";
import { compareText } from "../../core/text.ts";
import type { UnknownReason } from "../booked.ts";
import type { Border, Carry } from "../carried.ts";
import type { Holding } from "../holdings.ts";
import type { RateUse } from "../rates/uses.ts";
import { byNames, type Cell, emptyCell, keyOf, onlyNames, projected } from "./cell.ts";
import type { Cube } from "./cube.ts";

/** All sums of a period. */
export interface Sums {
  /** By account, month, market, currency and kind. */
  readonly cells: readonly Cell[];
  readonly months: readonly PeriodMonth[];
  /** By account, then market. */
  readonly holdings: readonly Holding[];
  /** The accounts for which the user gave a funding.csv. */
  readonly funded: ReadonlySet<string>;
  /** The rates that were used. */
  readonly rates: readonly RateUse[];
  /** The reporting currency. Null: nothing is converted. */
  readonly currency: string | null;
}

/** `cube`: one whose days have all ended. */
export function sumsOf(cube: Cube, holdings: readonly Holding[]): Sums {
  cube.countRatesOf(holdings);
  const { cells, months, funded, uses, currency } = cube;
  return { cells, months, holdings, funded, rates: uses.all, currency };
}

/** Why a figure is not known, or not wholly. */
export type Why = UnknownReason | "unreadable_fills" | "not_given";

/** The value of a figure in a row. */
export interface Known {
  /** Null: it is not known. */
  readonly amount: Amount | null;
  /** Why it is not known, or what a known amount leaves out. Empty: it is all there is. */
  readonly lacks: readonly Why[];
}

/** A row of figures: sums, and what was carried across its beginning and its end. */
export interface Scope {
  readonly cell: Cell;
  readonly holdings: readonly Holding[];
  readonly start: Border;
  readonly end: Border;
  /** For which of its accounts the user gave a funding.csv. */
  readonly funded: "all" | "some" | "none";
}

export type ScopeName = "account" | "month" | "market" | "currency";

/**
 * The rows of figures for these names, ordered by them. What was only carried has a row for the whole period, but
 * none for a month.
 */
export function scopesOf(sums: Sums, names: readonly ScopeName[]): Scope[] {
  const { months, holdings, funded } = sums;
  const lasting = names.filter((name) => name !== "month");
  const carriers = Map.groupBy(holdings, (holding) => keyOf(holding, lasting));
  const parts = Map.groupBy(sums.cells, (cell) => keyOf(cell, names));
  const rows = new Map(projected(sums.cells, names).map((cell) => [keyOf(cell, names), cell]));
  for (const [key, [first]] of lasting.length === names.length ? carriers : []) {
    if (first !== undefined && !rows.has(key)) {
      rows.set(key, emptyCell(onlyNames(first, names), sums.currency !== null));
    }
  }
  return [...rows.values()].sort(byNames(names)).map((cell) => {
    const own = carriers.get(keyOf(cell, lasting)) ?? [];
    const at = months.findIndex(({ name }) => name === cell.month);
    const [first, last] = cell.month === null ? [0, months.length - 1] : [at, at];
    const carriedAt = (border: number) => together(own.map(({ borders }) => borders[border] ?? NOTHING));
    // Of several accounts: one of those that have something in the row.
    const given = [...(parts.get(keyOf(cell, names)) ?? []), ...own].map((one) => funded.has(one.account ?? ""));
    const some = given.includes(false) ? "some" : "all";
    const extent = given.includes(true) ? some : "none";
    return { cell, holdings: own, start: carriedAt(2 * first), end: carriedAt(2 * last + 1), funded: extent };
  });
}

/** A row without anything that is carried: for sums of some fills. */
export function scopeOf(cell: Cell, funded: Scope["funded"] = "none"): Scope {
  return { cell, holdings: [], start: NOTHING, end: NOTHING, funded };
}

/** What its sums lack. Empty: no fills are missing, and the result of every close is known. */
export function lacksOf({ blanks, untyped, breaks }: Pick<Cell, "blanks" | "untyped" | "breaks">): readonly Why[] {
  const all: Why[] = [...blanks.keys()];
  return [...new Set(all.concat(breaks > 0 ? ["break_declared"] : [], untyped > 0 ? ["unreadable_fills"] : []))].sort(
    compareText,
  );
}

const NOTHING: Carry = { openValue: ZERO, deferredFee: ZERO };

/** Not known if one of them is not. */
function together(borders: readonly Border[]): Border {
  const lacks = [...new Set(borders.flatMap((border) => ("lacks" in border ? border.lacks : [])))].sort(compareText);
  const known = borders.filter((border): border is Carry => !("lacks" in border));
  return lacks.length > 0
    ? { lacks }
    : {
        openValue: totalOf(known, ({ openValue }) => openValue),
        deferredFee: totalOf(known, ({ deferredFee }) => deferredFee),
      };
}
