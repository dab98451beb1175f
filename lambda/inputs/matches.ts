import type { Designation, Designations } from "../accounting/methods/specific.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { id, positive } from "./cells.ts";
import { type InputFile, MATCHES } from "./files.ts";
import { already, inputTable, rowsOf } from "./table.ts";

export const MATCHES_TABLE = inputTable({
  name: MATCHES,
  about: "for --method specific",
  // biome-ignore format: one line
  columns: { close_match_id: id, close_order_id: id, open_match_id: id, open_order_id: id, quantity: positive },
  once: ({ quantity: _, ...ids }) =>
    already(
      Object.values(ids).join("\0"),
      "matches the same close with the same lot",
      "remove one of them, or add their quantities up in one line",
    ),
});

/** The lines of one close in the order of the file. */
export function readMatches(file: InputFile, zone = "UTC"): Designations {
  const designations = new Map<string, Designation[]>();
  for (const { cells, where } of rowsOf(MATCHES_TABLE, file, zone)) {
    getOrMake(designations, `${cells.close_match_id}\0${cells.close_order_id}`, () => []).push({
      openMatchId: cells.open_match_id,
      openOrderId: cells.open_order_id,
      quantity: cells.quantity,
      where,
    });
  }
  return designations;
}
