import type { CompletedOrder } from "../emulator/wire.ts";

/**
 * What the views should show: a second implementation that calculates from the service's own rows, in whole
 * numbers of 10^-18.
 */
const PLACES = 18;
const ONE = 10n ** BigInt(PLACES);

/** null: it does not fit DECIMAL(38,18). */
export function unitsOf(text: string): bigint | null {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "" || fraction.replace(/0+$/, "").length > PLACES) {
    return null;
  }
  const units = BigInt(whole) * ONE + BigInt(fraction.slice(0, PLACES).padEnd(PLACES, "0"));
  return fitting(sign === "-" ? -units : units);
}

function fitting(units: bigint): bigint | null {
  return units > -(10n ** 38n) && units < 10n ** 38n ? units : null;
}

/**
 * In units of 10^-36. null: price or quantity does not fit, or their product has more than 20 digits before
 * the point.
 */
export function volumeOf({ price, quantity }: CompletedOrder): bigint | null {
  const [left, right] = [unitsOf(price), unitsOf(quantity)];
  const volume = left === null || right === null ? null : left * right;
  return volume === null || fitting(volume / ONE) === null ? null : volume;
}

/** From units of 10^-36 to 10^-18, half away from zero. */
export function rounded(volume: bigint): bigint {
  const half = volume < 0n ? -ONE / 2n : ONE / 2n;
  return (volume + half) / ONE;
}

/** In units of 10^-18. null: it does not fit. */
export function notionalOf(item: CompletedOrder): bigint | null {
  const volume = volumeOf(item);
  return volume === null || volume % ONE !== 0n ? null : volume / ONE;
}

/** The text that DuckDB prints for a DECIMAL(38,18). */
export function decimalText(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}

export function tradedAt({ filledAt, txCreated }: CompletedOrder): number {
  return filledAt ?? txCreated;
}

/** The first day of the month of trade, UTC. */
export function tradeMonth(item: CompletedOrder): string {
  return `${new Date(tradedAt(item)).toISOString().slice(0, 7)}-01`;
}

export function quoteOf({ market }: CompletedOrder): string {
  return market.slice(market.lastIndexOf("-") + 1);
}

export class Sum {
  units = 0n;
  rows = 0;

  /** Adds nothing if `units` is null or `isIn` is false. */
  add(units: bigint | null, isIn = true): void {
    if (units !== null && isIn) {
      this.units += units;
      this.rows += 1;
    }
  }

  get text(): string {
    return decimalText(this.units);
  }
}

/** Groups `items` by the text of `keyOf`, sorted by that text. */
export function grouped(
  items: Iterable<CompletedOrder>,
  keyOf: (item: CompletedOrder) => string,
): [string, CompletedOrder[]][] {
  const groups = Map.groupBy(items, keyOf);
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
}
