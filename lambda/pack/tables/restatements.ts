import { type SeenRestatement, tradeTimesOf } from "../../archive/restatements.ts";
import { type Fill, tradeTime } from "../../core/fill.ts";
import { isWithin } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import { csvCell, FILL_COLUMNS, rowOf } from "../../formats/fill-columns.ts";
import { canonicalJson } from "../../formats/json.ts";
import type { PackFiles } from "../make/pack-files.ts";
import type { PackSource } from "../make/request.ts";
import { CsvMaker } from "../writers/csv.ts";
import { account, REQUIRED, text, time } from "./column.ts";
import type { Table } from "./table.ts";

/** A column of a restated fill. Its three cells are null for a late fill, which has no earlier version. */
interface Row extends SeenRestatement {
  readonly account: string;
  readonly difference: readonly [column: string | null, before: string | null, after: string | null];
}

/** restatements.csv */
const RESTATEMENTS: Table<Row> = {
  path: "restatements.csv",
  description:
    "Fills of the period that the venue reported late or changed after their time was first read, including fills that a change moved out of the period. One row for each column that differs, oldest first. Text that a spreadsheet would run as a formula begins with an apostrophe.",
  columns: [
    account<Row>((row) => row.account),
    time("seen_at", "Time at which fillbook found the difference, UTC.", ({ seenAt }) => seenAt, REQUIRED),
    text(
      "kind",
      "late: the venue did not report the fill when its time was first read. changed: a value differs. enriched: a missing value was added.",
      ({ kind }) => kind,
      REQUIRED,
    ),
    text("match_id", "match_id of the fill.", ({ after }) => after.matchId, REQUIRED),
    text("order_id", "order_id of the fill.", ({ after }) => after.orderId, REQUIRED),
    text("market", "Market of the fill, as the venue reports it now.", ({ after }) => after.market),
    time(
      "trade_time_before",
      "filled_at, or else tx_created, before the change, UTC. Empty for a late fill.",
      ({ before }) => before && tradeTime(before),
    ),
    time(
      "trade_time_after",
      "filled_at, or else tx_created, after the change, UTC.",
      ({ after }) => tradeTime(after),
      REQUIRED,
    ),
    text(
      "column",
      "Column of fills.csv that differs. extra: fields without a column, as JSON. Empty for a late fill: fills.csv has its values under the same match_id and order_id.",
      ({ difference }) => difference[0],
    ),
    text("before", "Value before the change. Empty if the venue gave none.", ({ difference }) => difference[1]),
    text("after", "Value after the change.", ({ difference }) => difference[2]),
  ],
  rows: {},
};

/** The fields that the service sends. What fillbook calculates changes with them. */
const COMPARED = FILL_COLUMNS.filter(({ field }) => field !== null);

function rowsOf(name: string, one: SeenRestatement): Row[] {
  const differences = one.before === null ? [[null, null, null] as const] : differencesOf(one.before, one.after);
  return differences.map((difference) => ({ ...one, account: name, difference }));
}

function differencesOf(before: Fill, after: Fill): Row["difference"][] {
  const [old, current] = [rowOf("", before), rowOf("", after)];
  const columns = COMPARED.map((column) => [column.name, csvCell(column, old), csvCell(column, current)] as const);
  const extras = ["extra", extraText(before), extraText(after)] as const;
  return [...columns, extras].filter(([, was, is]) => was !== is);
}

function extraText({ extra }: Fill): string | null {
  return extra === null ? null : canonicalJson(extra);
}

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
    yield (await read(file)).filter((one) => tradeTimesOf(one).some((at) => isWithin(period, at)));
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
