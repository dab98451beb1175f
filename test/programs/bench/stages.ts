import { DataFileEncoder } from "../../../lambda/archive/data-file-format.ts";
import { MAX_DATA_FILE_ROWS } from "../../../lambda/archive/partitioning.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { PageDecoder } from "../../../lambda/service/decode.ts";
import { AccountFile, pageBodies } from "./account-file.ts";
import { ACCOUNT, type CaseInput, type Measured } from "./case.ts";
import type { Meter } from "./meter.ts";

const decoder = new PageDecoder();
const encoder = new DataFileEncoder();

// The unit, and the two stages for which fillbook has its own code, each alone. The work before a stage is
// done aside, and the work after it is omitted.

/** The unit P: only JSON.parse of the pages. */
export function parsePages({ dir }: CaseInput, meter: Meter): Measured {
  let rows = 0;
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    rows += JSON.parse(body).completedOrders.length;
  }
  return { facts: { rows } };
}

/** JSON.parse, and a check of every field of every row. */
export function decodePages({ dir }: CaseInput, meter: Meter): Measured {
  let rows = 0;
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    rows += decoder.decode(body).rows.length;
  }
  return { facts: { rows } };
}

/** Makes whole data files: exceptions, set hash and Parquet. */
export function encodeDataFiles({ dir }: CaseInput, meter: Meter): Measured {
  let bytes = 0;
  const measured = ofBatches(dir, meter, (fills) => {
    bytes += encoder.encode(ACCOUNT, fills).bytes.byteLength;
    return fills.length;
  });
  return { facts: { ...measured.facts, bytes } };
}

/** Works on as many rows at a time as a data file has at most. */
function ofBatches(dir: string, meter: Meter, work: (fills: readonly Fill[]) => number): Measured {
  let rows = 0;
  let pending: Fill[] = [];
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    meter.aside(() => pending.push(...decoder.decode(body).rows.flatMap((row) => ("fill" in row ? [row.fill] : []))));
    if (pending.length >= MAX_DATA_FILE_ROWS) {
      rows += work(pending);
      pending = [];
    }
  }
  rows += work(pending);
  return { facts: { rows } };
}
