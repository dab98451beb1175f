import { createHash } from "node:crypto";
import type { Manifest, RestatementFile } from "../../archive/manifest.ts";
import type { Restatement } from "../../archive/merge.ts";
import { type SeenRestatement, tradeTimesOf } from "../../archive/restatements.ts";
import { type Fill, tradeTime } from "../../core/fill.ts";
import { isWithin } from "../../core/ranges.ts";
import { isoTime, type TimeRange } from "../../core/time.ts";
import { csvBatch, csvHeader } from "../../formats/csv.ts";
import { csvCell, FILL_COLUMNS, rowOf } from "../../formats/fill-columns.ts";
import { canonicalJson } from "../../formats/json.ts";
import type { FileFacts } from "./maker.ts";
import type { PackFileWriter } from "./pack-files.ts";

export type ReadRestatements = (file: RestatementFile) => Promise<readonly SeenRestatement[]>;

export const RESTATEMENT_COLUMNS = [
  { name: "account", kind: "text", required: true, description: "Name of the account in fillbook." },
  { name: "seen_at", kind: "time", required: true, description: "Time at which fillbook found the difference, UTC." },
  {
    name: "kind",
    kind: "text",
    required: true,
    description:
      "late: the venue did not report the fill when its time was first read. changed: a value differs. enriched: a missing value was added.",
  },
  { name: "match_id", kind: "text", required: true, description: "match_id of the fill." },
  { name: "order_id", kind: "text", required: true, description: "order_id of the fill." },
  { name: "market", kind: "text", description: "Market of the fill, as the venue reports it now." },
  {
    name: "trade_time_before",
    kind: "time",
    description: "filled_at, or else tx_created, before the change, UTC. Empty for a late fill.",
  },
  {
    name: "trade_time_after",
    kind: "time",
    required: true,
    description: "filled_at, or else tx_created, after the change, UTC.",
  },
  {
    name: "column",
    kind: "text",
    description:
      "Column of fills.csv that differs. extra: fields without a column, as JSON. Empty for a late fill: fills.csv has its values under the same match_id and order_id.",
  },
  { name: "before", kind: "text", description: "Value before the change. Empty if the venue gave none." },
  { name: "after", kind: "text", description: "Value after the change." },
] as const;

export const RESTATEMENTS: FileFacts = {
  path: "restatements.csv",
  description:
    "Fills of the period that the venue reported late or changed after their time was first read, including fills that a change moved out of the period. One row for each column that differs, oldest first. Text that a spreadsheet would run as a formula begins with an apostrophe.",
  mediatype: "text/csv",
  columns: RESTATEMENT_COLUMNS,
};

/** The fields that the service sends. What fillbook calculates changes with them. */
const COMPARED = FILL_COLUMNS.filter(({ field }) => field !== null);

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

/**
 * The cells of restatements.csv after the account: one row for each changed column. A late fill, which has no
 * earlier version, has one row.
 */
export function restatementRows({ kind, before, after, seenAt }: SeenRestatement): (string | null)[][] {
  const common = [
    isoTime(seenAt),
    kind,
    after.matchId,
    after.orderId,
    after.market,
    before === null ? null : isoTime(tradeTime(before)),
    isoTime(tradeTime(after)),
  ];
  const differences = before === null ? [[null, null, null]] : differencesOf(before, after);
  return differences.map((difference) => [...common, ...difference]);
}

function differencesOf(before: Fill, after: Fill): (string | null)[][] {
  const [old, current] = [rowOf("", before), rowOf("", after)];
  const differences = COMPARED.map((column) => [column.name, csvCell(column, old), csvCell(column, current)]);
  const extras = ["extra", extraText(before), extraText(after)];
  return [...differences, extras].filter(([, was, is]) => was !== is);
}

function extraText({ extra }: Fill): string | null {
  return extra === null ? null : canonicalJson(extra);
}

/** A hash over everything in restatements.csv. */
export async function hashRestatements(batches: AsyncIterable<readonly SeenRestatement[]>): Promise<string> {
  const hash = createHash("sha256");
  for await (const batch of batches) {
    for (const row of batch.flatMap(restatementRows)) {
      hash.update(canonicalJson(row));
    }
  }
  return hash.digest("hex");
}

export type RestatementTotals = Record<Restatement["kind"], number> & {
  /** The rows of restatements.csv. */
  rows: number;
  /** The number of cells that got a leading apostrophe. */
  escaped: number;
};

/** Writes restatements.csv, account by account. The file is not finished yet. */
export async function writeRestatements(
  file: PackFileWriter,
  accounts: readonly (Restated & { readonly account: string })[],
  period: TimeRange,
): Promise<RestatementTotals> {
  const totals = { late: 0, changed: 0, enriched: 0, rows: 0, escaped: 0 };
  await file.write(csvHeader(RESTATEMENT_COLUMNS.map(({ name }) => name)));
  for (const { account, ...restated } of accounts) {
    for await (const batch of restatementsIn(period, restated)) {
      const rows = batch.flatMap(restatementRows).map((row) => [account, ...row]);
      const { text, escaped } = csvBatch(rows);
      await file.write(text);
      for (const { kind } of batch) {
        totals[kind] += 1;
      }
      totals.rows += rows.length;
      totals.escaped += escaped;
    }
  }
  return totals;
}
