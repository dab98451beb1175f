import type { Designation, Designations } from "../accounting/methods/specific.ts";
import { FillbookError } from "../core/errors.ts";
import { idAt, positiveAt } from "./cells.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const MATCH_COLUMNS = [
  "close_match_id",
  "close_order_id",
  "open_match_id",
  "open_order_id",
  "quantity",
] as const;

/** The lines of one close in the order of the file. Throws `usage` with the line. */
export function readMatches(file: InputFile): Designations {
  const designations = new Map<string, Designation[]>();
  const lines = new Map<string, number>();
  readTable(file, MATCH_COLUMNS, (row) => {
    const close = `${idAt(row, "close_match_id")}\u0000${idAt(row, "close_order_id")}`;
    const designation = {
      openMatchId: idAt(row, "open_match_id"),
      openOrderId: idAt(row, "open_order_id"),
      quantity: positiveAt(row, "quantity"),
      where: row.where,
    };
    const key = `${close} ${designation.openMatchId} ${designation.openOrderId}`;
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw new FillbookError(
        "usage",
        `${row.where}: line ${earlier} already matches the same close with the same lot`,
        {
          hint: "remove one of them, or add their quantities up in one line",
        },
      );
    }
    lines.set(key, row.line);
    const those = designations.get(close) ?? [];
    those.push(designation);
    designations.set(close, those);
  });
  return designations;
}
