import { Decimal } from "decimal.js";
import type { CompletedOrder } from "../../emulator/wire.ts";

/** One row that a tool kept, every cell as the text it was kept as. */
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
  /** Fills that the service has. */
  readonly fills: number;
  readonly lost: number;
  /** Rows beyond the first of a fill. */
  readonly doubled: number;
  /** Rows of no fill that the service has. */
  readonly invented: number;
  /**
   * Fills with a time or an amount that is not the service's, as an exact decimal; zeros at the end do not
   * matter.
   */
  readonly changed: number;
}

/** What a tool kept, against what the service has. */
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

/** decimal.js takes every digit of a text, however many there are, and refuses what is no number. */
function isSameAmount(kept: string, given: string): boolean {
  try {
    return new Decimal(kept).equals(given);
  } catch {
    return false;
  }
}
