import { Decimal } from "decimal.js";
import type { CompletedOrder } from "../../emulator/wire.ts";

/**
 * A row that a tool kept, as the texts that it kept: `matchId`, `orderId`, `txCreated` in ms, price, quantity, fees.
 */
export type KeptRow = readonly string[];

/**
 * What is wrong with the kept rows: `right`, or how many of the service's fills are lost, doubled, changed, and how
 * many rows belong to none. Times and amounts are compared as exact decimals.
 */
export function verdictOn(rows: readonly KeptRow[], truth: Iterable<CompletedOrder>): string {
  const fills = new Map([...truth].map((fill) => [`${fill.matchId} ${fill.orderId}`, fill]));
  const seen = new Set<string>();
  const counts = { lost: 0, doubled: 0, changed: 0, invented: 0 };
  for (const [matchId, orderId, ...values] of rows) {
    const key = `${matchId} ${orderId}`;
    const fill = fills.get(key);
    if (fill === undefined) {
      counts.invented += 1;
    } else if (seen.has(key)) {
      counts.doubled += 1;
    } else {
      const { txCreated, price, quantity, fees } = fill;
      counts.changed += [txCreated, price, quantity, fees].every((one, at) => isSame(values[at] ?? "", one)) ? 0 : 1;
    }
    seen.add(key);
  }
  counts.lost = [...fills.keys()].filter((key) => !seen.has(key)).length;
  const wrong = Object.entries(counts).filter(([, count]) => count > 0);
  return wrong.length === 0
    ? "right"
    : wrong.map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");
}

/** decimal.js reads any number of digits exactly, and refuses texts that are not numbers. */
function isSame(kept: string, given: string | number): boolean {
  try {
    return new Decimal(kept).equals(given);
  } catch {
    return false;
  }
}
