import { type SeenRestatement, tradeTimesOf } from "../../archive/restatements.ts";
import { isWithin } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import { RESTATEMENTS, rowsOf } from "../tables/restatements.ts";
import { CsvMaker } from "../writers/csv.ts";
import type { PackFiles } from "./pack-files.ts";
import type { PackSource } from "./request.ts";

/** The restatements of an account. */
type Restated = Pick<PackSource, "manifest" | "readRestatements">;

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

/** Writes restatements.csv, account by account. */
export async function writeRestatements(
  files: PackFiles,
  accounts: readonly (Restated & { readonly account: string })[],
  period: TimeRange,
) {
  const totals = { late: 0, changed: 0, enriched: 0 };
  const facts = new CsvMaker(RESTATEMENTS);
  const file = await files.open(facts.path);
  await file.write(facts.begin());
  for (const one of accounts) {
    for await (const restated of restatementsIn(period, one)) {
      await file.write(facts.textOf(restated.flatMap((own) => rowsOf(one.account, own))));
      for (const { kind } of restated) {
        totals[kind] += 1;
      }
    }
  }
  return { file: await file.finish(facts.rows), facts, totals };
}
