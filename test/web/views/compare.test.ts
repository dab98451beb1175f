import { expect, test } from "vitest";
import { comparePage } from "../../../lambda/web/views/compare.ts";
import { readable } from "../site/uploads.ts";
import { comparisonOf } from "./comparisons.ts";
import { frameOf, packOf } from "./samples.ts";

test("two versions: money first, then how they were made, their points, late fills and files", () => {
  const before = packOf();
  const gaps = [{ from: "2025-03-05T00:00:00.000Z", to: "2025-03-06T00:00:00.000Z" }];
  const points = [{ about: "note", text: "Contract type not stated." }] as const;
  const verdict = { ...before.claim.verdict, points };
  const after = packOf({ claim: { ...before.claim, method: "average", currency: null, gaps, verdict } });
  const page = comparePage(frameOf(), { account: "main", before, after, changes: comparisonOf((text) => text) });
  const text = readable(page);
  const rows = [
    "Net realised PnL, excl. funding −1,284,417.02 +1,310.50 +1,285,727.52",
    "Method FIFO Average cost",
    "Converted into EUR nothing",
    "Not read nothing 2025-03-05T00:00:00.000Z to 2025-03-06T00:00:00.000Z",
    "Point to note Cash in USD differs by 1,148.73 from balances.csv. nothing",
    "Point to note nothing Contract type not stated.",
    "0.412 0.398",
    "fills.csv differs",
  ];
  const places = rows.map((row) => text.replaceAll(/ +/g, " ").indexOf(row));
  expect(places.filter((place) => place === -1)).toEqual([]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(text).not.toContain("Exceptions");
});
