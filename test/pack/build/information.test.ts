import { expect, test } from "vitest";
import { fillsFrom } from "../../accounting/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { bytesOf, completenessOf, csvOf, FILES, MARCH, packOf, WIDE } from "../pack.ts";

const DAY_MS = 86_400_000;
/**
 * A position opened before March and closed at a loss on its first day, and one more lot opened five days
 * before that.
 */
const FILLS = [
  ...fillsFrom("B1@100 B1@100 S1@90", { from: MARCH.from - 40 * DAY_MS, stepMs: 35 * DAY_MS }).slice(0, 2),
  ...fillsFrom("B1@1 B1@1 S1@90", { from: MARCH.from - 2, stepMs: 1 }).slice(2),
];

test("the columns and the file of --information are only in a pack that requests them, beside its usual files", async () => {
  const store = memoryStore();
  const request = { method: "fifo", beginning: WIDE.from } as const;
  const plain = await packOf(store, FILLS, request);
  const informed = await packOf(store, FILLS, { ...request, information: true });
  expect(plain.version).not.toBe(informed.version);
  expect(plain.files.map(({ path }) => path)).toEqual(FILES);
  const at = FILES.indexOf("disposals.csv") + 1;
  expect(informed.files.map(({ path }) => path)).toEqual(FILES.toSpliced(at, 0, "carry-forward.csv"));

  const own = ["days_held", "possible_wash_sale"];
  const [header = [], ...rows] = csvOf(store, informed, "disposals.csv");
  expect(csvOf(store, plain, "disposals.csv")).toEqual(
    [header, ...rows].map((row) => row.filter((_, column) => !own.includes(header[column] ?? ""))),
  );
  // The other fill before the pack counts too.
  expect(rows.map((row) => own.map((name) => row[header.indexOf(name)]))).toEqual([["40", "yes"]]);

  expect(completenessOf(store, informed)["information"]).toBe(true);
  expect(completenessOf(store, plain)).not.toHaveProperty("information");
  expect(bytesOf(store, informed, "report.html").toString()).toContain("--information");
  expect(bytesOf(store, plain, "report.html").toString()).not.toContain("--information");
  expect(bytesOf(store, informed, "fills.csv")).toEqual(bytesOf(store, plain, "fills.csv"));
});
