import type { Manifest, RestatementFile } from "../../archive/manifest.ts";
import { type SeenRestatement, tradeTimesOf } from "../../archive/restatements.ts";
import { isWithin } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";

export type ReadRestatements = (file: RestatementFile) => Promise<readonly SeenRestatement[]>;

/** The restatements of an account. */
interface Restated {
  readonly manifest: Pick<Manifest, "restatements">;
  readonly readRestatements: ReadRestatements;
}

/**
 * Restatements of fills that were or are in the period, in filing order. A batch is one object of the
 * archive, and only one is in memory.
 */
export async function* restatementsIn(
  period: TimeRange,
  { manifest: { restatements }, readRestatements: read }: Restated,
): AsyncGenerator<readonly SeenRestatement[]> {
  const touching = restatements.filter(
    ({ firstTrade, lastTrade }) => firstTrade < period.to && lastTrade >= period.from,
  );
  for (const file of touching.toSorted((a, b) => a.seq - b.seq)) {
    yield (await read(file)).filter((one) => tradeTimesOf(one).some((time) => isWithin(period, time)));
  }
}
