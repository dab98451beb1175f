import { appendFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetWriteFile } from "hyparquet-writer";
import papaparse from "papaparse";
import type { CompletedOrder } from "../../../emulator/wire.ts";
import { AccountFile, pageBodies } from "../account-file.ts";
import type { CaseInput, Measured } from "../case.ts";
import type { Meter } from "../meter.ts";

const AMOUNTS = ["quantity", "price", "fees", "triggerPrice"] as const;
const TEXTS = [
  ...(["market", "orderType", "executionType", "tradeType", "fillType", "triggerType"] as const),
  ...(["orderId", "matchId", "transactionHash"] as const),
];
const FIELDS = ["filledAt", "txCreated", ...TEXTS, ...AMOUNTS] as const;

/**
 * A first simple solution: a Set of joined identities, papaparse for one page at a time, and the Parquet
 * writer as in its documentation. No field is checked.
 */
export async function plainLoop({ dir, fills }: CaseInput, meter: Meter): Promise<Measured> {
  const [csv, parquet] = [join(dir, "plain.csv"), join(dir, "plain.parquet")];
  const seen = new Set<string>();
  const all: CompletedOrder[] = [];
  writeFileSync(csv, `${FIELDS.join(",")}\r\n`);
  for (const body of pageBodies(new AccountFile(dir), meter)) {
    const page: { completedOrders: CompletedOrder[] } = JSON.parse(body);
    const fresh = page.completedOrders.filter(({ matchId, orderId }) => {
      const identity = `${matchId}:${orderId}`;
      const isNew = !seen.has(identity);
      seen.add(identity);
      return isNew;
    });
    appendFileSync(csv, `${papaparse.unparse(fresh, { columns: [...FIELDS], header: false })}\r\n`);
    all.push(...fresh);
  }
  await parquetWriteFile({
    filename: parquet,
    columnData: [
      { name: "filledAt", data: all.map((one) => dateOf(one.filledAt)) },
      { name: "txCreated", data: all.map((one) => dateOf(one.txCreated)) },
      ...TEXTS.map((name) => ({ name, data: all.map((one) => one[name]) })),
      ...AMOUNTS.map((name) => ({ name, data: all.map((one) => scaled(one[name])) })),
    ],
    schema: [
      { name: "root", num_children: FIELDS.length },
      ...["filledAt", "txCreated"].map((name) => ({
        ...{ name, type: "INT64" as const, converted_type: "TIMESTAMP_MILLIS" as const },
        repetition_type: "OPTIONAL" as const,
      })),
      ...TEXTS.map((name) => ({ name, type: "BYTE_ARRAY" as const, converted_type: "UTF8" as const })),
      ...AMOUNTS.map((name) => ({
        ...{ name, type: "FIXED_LEN_BYTE_ARRAY" as const, type_length: 16, repetition_type: "OPTIONAL" as const },
        ...{ converted_type: "DECIMAL" as const, precision: 38, scale: 18 },
      })),
    ],
  });
  const bytes = statSync(csv).size + statSync(parquet).size;
  rmSync(csv);
  rmSync(parquet);
  if (all.length !== fills) {
    throw new Error(`the plain loop has ${all.length} of ${fills} fills`);
  }
  return { facts: { rows: fills, bytes } };
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}

/** An amount × 10^18, which is the writer's form of a decimal. */
function scaled(text: string): bigint {
  const [whole = "", digits = ""] = text.split(".");
  return BigInt(whole + digits.padEnd(18, "0"));
}
