import { MINUTE_MS } from "../../lambda/core/time.ts";
import { type HistoryOptions, planHistory } from "../emulator/history-plan.ts";
import type { Switches } from "../emulator/switches.ts";

/**
 * Leaves out what nothing shows:
 * - cursors that count rows from the top of a window that they forget come back with rows of any time, so
 *   only first pages are worth anything;
 * - an empty cursor is refused, although others are not the end: it says that there is no more;
 * - cursors that are times lose the rest of a millisecond, and short pages do not show that they were full; where
 *   rows come again, the last ones of that millisecond do.
 */
export function withoutKnownLimits(switches: Partial<Switches>): Partial<Switches> {
  return {
    ...switches,
    ...(switches.cursorDates === "forgotten" ? { offsetCursors: false } : {}),
    ...(switches.cursorRefused === true || hasLifetime(switches)
      ? { cursorValues: switches.cursorValues?.filter((value) => value !== "") ?? [] }
      : {}),
    ...(switches.shortPages === true || (switches.repeatRows ?? 0) > 0 ? { timeCursors: false } : {}),
  };
}

/**
 * Raises a row cap so that the account can be read. A cap below the rows of one millisecond makes that
 * impossible, because no dates ask for less. A cap equal to them does too, because an answer that ends there
 * may be whole or cut. A range with exclusive ends must include the milliseconds on both sides; one whose
 * dates filter by filledAt, a minute.
 */
export function withReadableCap(switches: Partial<Switches>, account: HistoryOptions): Partial<Switches> {
  const { rowCap } = switches;
  if (rowCap === undefined || rowCap === null) {
    return switches;
  }
  const rows = Math.max(
    rowCap.rows,
    mostWithin(switches.filterBy === "filledAt" ? 2 * MINUTE_MS : 3, planHistory(account)) + 1,
  );
  return { ...switches, rowCap: { ...rowCap, rows } };
}

/** The most rows within any `widthMs` ms. */
export function mostWithin(widthMs: number, rows: readonly { readonly time: number }[]): number {
  let most = 0;
  let first = 0;
  rows.forEach(({ time }, index) => {
    while ((rows[first]?.time ?? time) <= time - widthMs) {
      first += 1;
    }
    most = Math.max(most, index + 1 - first);
  });
  return most;
}

function hasLifetime({ cursorLifetimeMs, cursorLifetimePages }: Partial<Switches>): boolean {
  return (cursorLifetimeMs ?? cursorLifetimePages ?? null) !== null;
}
