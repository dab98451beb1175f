import { expect, test } from "vitest";
import { plainChanges } from "../../../lambda/web/views/plain-change.ts";

const said = (name: string, before: string, after: string) =>
  plainChanges([{ what: `completeness.json: ${name}`, before, after }]).map((one) => [one.what, one.before, one.after]);

test.each([
  ["method", "average", "fifo", "Method", "Average cost", "FIFO"],
  ["method chosen", "false", "true", "The method was chosen", "no", "yes"],
  [
    "accounts methods",
    "average, fifo",
    "fifo, average",
    "Method, and the one for comparison",
    "Average cost, FIFO",
    "FIFO, Average cost",
  ],
  ["accounts fundingIncluded", "true", "false", "Funding is included", "yes", "no"],
  [
    "accounts markets BTC-USD opening",
    "assumed_flat",
    "declared",
    "BTC-USD: opening position",
    "assumed to be nil",
    "declared by the user",
  ],
  ["months 2025-03 rows", "3", "4", "Fills of 2025-03", "3", "4"],
  [
    "gaps",
    "",
    "2025-03-05T00:00:00.000Z to 2025-03-06T12:30:00.000Z",
    "Not read",
    "",
    "2025-03-05 00:00 UTC to 2025-03-06 12:30 UTC",
  ],
  ["accounts inputs inputs/funding.csv sha256", "", "ab", "Your file funding.csv", "not used", "used"],
  [
    "accounts inputs inputs/rates/ecb.csv sha256",
    "cd",
    "ab",
    "Your file rates/ecb.csv",
    "used",
    "used, with other content",
  ],
])("%s", (name, before, after, ...words) => {
  expect(said(name, before, after)).toEqual([words]);
});

test("what a name means that is not known here stays as it is; totals are in their own table", () => {
  expect(said("something new", "1", "2")).toEqual([["something new", "1", "2"]]);
  expect(said("accounts net realised pnl USD amount", "1", "2")).toEqual([]);
  expect(said("accounts net realised pnl USD partial", "false", "true")).toEqual([
    ["USD: the total is a partial total", "no", "yes"],
  ]);
});

test("no difference is told in the words of a program", () => {
  const names = ["method", "method chosen", "accounts fundingIncluded", "accounts report currency", "totals set hash"];
  for (const [what = ""] of names.flatMap((name) => said(name, "a", "b"))) {
    expect(what).not.toMatch(/completeness\.json|_|[a-z][A-Z]/);
  }
});
