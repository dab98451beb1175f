import { describe, expect, test } from "vitest";
import { UnknownValues } from "../../../lambda/pack/tables/unknown-values.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { bytesOf, csvOf, packOf, WIDE } from "../pack.ts";
import { rowsIn, tablesOf } from "./make.ts";

// A field `rebate`, `feeCurrency: BNB`, `positionSide`, and a row with `fillType` `funding` change money unseen. The
// interface (2.2) shows `complete`; `limit` and `market`; `none`; `maker` and `taker`.

const REBATE =
  '2 fills have the field "rebate", which the venue\'s documentation does not name and fillbook does not book: it may be money; an example: "9.90"';
const FUNDING =
  '1 fill has the fill_type "funding", a value that the venue\'s documentation does not list; booked like any other fill, but it may be no trade';

const fills = fillsFrom("B1@100 B1@110 S1@130").map((fill, at) =>
  makeFill({ ...fill, ...(at === 2 ? { fillType: "funding" } : { extra: { rebate: at === 0 ? "9.90" : "1" } }) }),
);

test("are counted in exceptions.csv, one row a field or value, with an example", () => {
  const rows = rowsIn(tablesOf(booksOf(fills)), "exceptions.csv").filter(({ reason = "" }) => /^unknown_/.test(reason));
  expect(
    rows.map(({ match_id, order_id, column, reason, value }) => [match_id, order_id, column, reason, value]),
  ).toEqual([
    ["M1", "O1", "rebate", `unknown_field: ${REBATE}`, "9.90"],
    ["M3", "O3", "fill_type", `unknown_value: ${FUNDING}`, "funding"],
  ]);
});

test("come first among the points to note, and in what the terminal says", async () => {
  const store = memoryStore();
  const pack = await packOf(store, fills, {}, { from: 0, to: WIDE.to });
  expect(pack.notes.slice(0, 2)).toEqual([REBATE, FUNDING]);
  const page = bytesOf(store, pack, "report.html").toString().replaceAll("&quot;", '"').replaceAll("&#39;", "'");
  const points = page.slice(page.indexOf("Points to note"));
  expect(points.indexOf(REBATE)).toBeGreaterThan(0);
  expect(points.slice(0, points.indexOf(REBATE))).not.toContain("</li>");
  const columns = csvOf(store, pack, "exceptions.csv").map((row) => row[5]);
  expect(columns).toContain("rebate");
});

describe("the count", () => {
  const notesOf = (...all: readonly Parameters<UnknownValues["add"]>[]) => {
    const values = new UnknownValues();
    for (const one of all) {
      values.add(...one);
    }
    return values.notes(false);
  };

  test("has fills before the period too, since positions come from them", () => {
    const fill = makeFill({ extra: { positionSide: "LONG" } });
    expect(notesOf(["main", fill, true], ["main", fill])[0]).toMatch(/^2 fills \(1 before the period\) have the field/);
  });

  test.each([{ tradeType: "liquidation" }, { triggerType: "stop" }, { liquidity: "both" }])("%j", (value) => {
    expect(notesOf(["main", makeFill(value)])).toHaveLength(1);
  });

  test("has nothing that the interface shows, and nothing that is listed with its fill", () => {
    for (const liquidity of ["maker", "taker", null]) {
      for (const tradeType of ["limit", "market", null]) {
        expect(notesOf(["main", makeFill({ liquidity, tradeType, extra: { fees: {} } })])).toEqual([]);
      }
    }
  });

  test("is bounded", () => {
    const all = Array.from({ length: 103 }, (_, at) => ["main", makeFill({ fillType: `type ${at}` })] as const);
    const drawn = all.map(([account, fill]): [string, typeof fill] => [account, fill]);
    const notes = notesOf(...drawn);
    expect(notes).toHaveLength(101);
    // A field is never lost among values.
    expect(notesOf(...drawn, ["main", makeFill({ extra: { rebate: "9" } })]).join()).toContain('field "rebate"');
    expect(notes[100]).toBe("3 more values of fields, or in them, that the venue's documentation does not list");
  });
});
