import type { DataFile } from "../../archive/manifest-entries.ts";
import type { TimeRange } from "../../core/time.ts";
import { DATE_BY } from "./date-by.ts";
import type { PackRequest } from "./request.ts";
import { coveredSince } from "./selected.ts";
import { dataFilesIn } from "./selection.ts";

/**
 * How many fills the making of a pack reads, by what the index says of its data files: none of them is read
 * for it.
 */
export interface FillsRead {
  /** Of the period. */
  readonly period: number;
  /** Before it, which the accounts come from. */
  readonly history: number;
}

/** A data file that reaches over an end counts whole. */
export async function countFillsRead(
  request: Pick<PackRequest, "manifest" | "manifestIndex" | "period" | "basis" | "beginning">,
): Promise<FillsRead> {
  const { manifest, manifestIndex, period, beginning } = request;
  const basis = DATE_BY[request.basis];
  const since = coveredSince(manifest.coverage, period.from, beginning);
  const rowsIn = async (range: TimeRange) => sumOfRows(await dataFilesIn(manifestIndex, range, basis));
  return { period: await rowsIn(period), history: await rowsIn({ from: since, to: period.from }) };
}

function sumOfRows(dataFiles: readonly DataFile[]): number {
  return dataFiles.reduce((sum, { rows }) => sum + rows, 0);
}
