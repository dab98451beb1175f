import { Decimal } from "decimal.js";
import type { CompletedOrder } from "../../emulator/wire.ts";

/** A row that a tool kept. Every cell is the text that the tool kept. */
export interface HeldRow {
  readonly matchId: string;
  readonly orderId: string;
  /** ms UTC */
  readonly txCreated: string;
  readonly price: string;
  readonly quantity: string;
  readonly fees: string;
}

export interface Counts {
  /** Number of the service's fills. */
  readonly fills: number;
  readonly lost: number;
  /** Further rows of a fill that already has a row. */
  readonly doubled: number;
  /** Rows that belong to no fill of the service. */
  readonly invented: number;
  /**
   * Fills whose time or amount differs from the service's, compared as exact decimals; trailing zeros do not
   * matter.
   */
  readonly changed: number;
}

/** Compares the rows that a tool kept with the service's fills. */
export function countRows(rows: Iterable<HeldRow>, truth: Iterable<CompletedOrder>): Counts {
  const fills = new Map([...truth].map((fill) => [identity(fill), fill]));
  const seen = new Set<string>();
  const changed = new Set<string>();
  let doubled = 0;
  let invented = 0;
  for (const row of rows) {
    const key = identity(row);
    const fill = fills.get(key);
    if (fill === undefined) {
      invented += 1;
      continue;
    }
    doubled += seen.has(key) ? 1 : 0;
    seen.add(key);
    if (!agrees(row, fill)) {
      changed.add(key);
    }
  }
  return { fills: fills.size, lost: fills.size - seen.size, doubled, invented, changed: changed.size };
}

function identity({ matchId, orderId }: Pick<HeldRow, "matchId" | "orderId">): string {
  return `${matchId} ${orderId}`;
}

function agrees(row: HeldRow, fill: CompletedOrder): boolean {
  return (
    row.txCreated === String(fill.txCreated) &&
    isSameAmount(row.price, fill.price) &&
    isSameAmount(row.quantity, fill.quantity) &&
    isSameAmount(row.fees, fill.fees)
  );
}

/** decimal.js reads any number of digits exactly, and refuses texts that are not numbers. */
function isSameAmount(kept: string, given: string): boolean {
  try {
    return new Decimal(kept).equals(given);
  } catch {
    return false;
  }
}
