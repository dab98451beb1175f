import { type SeenRestatement, tradeTimesOf } from "../../archive/restatements.ts";
import { type Fill, identityOf, tradeTime } from "../../core/fill.ts";
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

/** All of a fill but its ids and what it cost. Two fills of one venue share it by chance at most. */
export function likenessOf(account: string, fill: Fill): string {
  return [account, fill.market, fill.side, fill.quantity, fill.price, tradeTime(fill)].join("\0");
}

/** Writes restatements.csv, account by account. `gone`: by likeness, a fill that the venue no longer reports. */
export async function writeRestatements(
  files: PackFiles,
  accounts: readonly (Restated & { readonly account: string })[],
  period: TimeRange,
  gone: ReadonlyMap<string, string>,
) {
  const totals = { late: 0, changed: 0, enriched: 0, again: 0 };
  const facts = new CsvMaker(RESTATEMENTS);
  const file = await files.open(facts.path);
  await file.write(facts.begin());
  for (const one of accounts) {
    for await (const restated of restatementsIn(period, one)) {
      await file.write(facts.textOf(restated.flatMap((own) => rowsOf(one.account, own))));
      for (const { kind, after } of restated) {
        totals[kind] += 1;
        totals.again += (gone.get(likenessOf(one.account, after)) ?? identityOf(after)) === identityOf(after) ? 0 : 1;
      }
    }
  }
  return { file: await file.finish(facts.rows), facts, totals };
}
