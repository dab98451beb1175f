import { describe, expect, test } from "vitest";
import { importMakers } from "../../../../lambda/pack/files/imports/imports.ts";
import { booksOf, fillsFrom } from "../../../accounting/make.ts";
import { importsOf } from "./files.ts";

// Fills of one second that a tool could treat as one.

const SECOND = Date.UTC(2025, 2, 1, 12);

/** Data rows, without the header. */
function rowsOf(file: string, texts: ReadonlyMap<string, string>): string[] {
  return (texts.get(file) ?? "").split("\r\n").slice(1, -1);
}

describe("eight equal fills of one second", () => {
  const line = Array.from({ length: 8 }, () => "B1@100/0.10").join(" ");
  const { texts, rows } = importsOf(booksOf(fillsFrom(line, { from: SECOND, stepMs: 100 })));

  test("are one row if the tool has no id for a row, and the row gives their number", () => {
    expect(rowsOf("koinly.csv", texts)).toEqual([
      "2025-03-01 12:00:00,0.80,USDT,,,,,,,futures fee,BTC-USDT fee of buy 1 @ 100 (8 fills),",
    ]);
    expect(rowsOf("cointracking.csv", texts)).toEqual([
      '"Margin Fee","","","0.80","USDT","","","fillbook main","BTC-USDT","fee of buy 1 @ 100 (8 fills)","2025-03-01 12:00:00"',
    ]);
    expect(rowsOf("cointracker.csv", texts)).toEqual(["03/01/2025 12:00:00,,,0.80,USDT,,,margin fee"]);
    expect(texts.get("README.txt")).toContain("another: 7, which");
  });

  test("are eight rows if it has an id, or if the times differ", () => {
    expect(["summ.csv", "blockpit.csv", "bittytax.csv", "rotki.csv"].map((file) => rows.get(file))).toEqual([
      8, 8, 8, 8,
    ]);
  });
});

test("fills of one millisecond are one row also in files that keep milliseconds", () => {
  const { texts } = importsOf(booksOf(fillsFrom("B1@100/0.10 =B1@100/0.10", { from: SECOND })));
  expect(rowsOf("bittytax.csv", texts)).toEqual([
    "Margin-Fee,,,,0.20,USDT,,,,,fillbook main,2025-03-01T12:00:00.000Z,BTC-USDT",
  ]);
  expect(rowsOf("rotki.csv", texts)).toEqual([
    "Loss,external,USDT,0.20,,,BTC-USDT fee of buy 1 @ 100 (2 fills),1740830400000",
  ]);
});

test("a sum that equals a third row is merged with it", () => {
  const { texts } = importsOf(booksOf(fillsFrom("B1@100/0.1 =B2@100/0.1 =B1@100/0.2 =B1@100/0.4 =B1@100/0.3")));
  expect(rowsOf("koinly.csv", texts)).toEqual([
    "2025-03-01 12:00:00,0.80,USDT,,,,,,,futures fee,BTC-USDT fee of buy 1 @ 100 and others (4 fills),",
    "2025-03-01 12:00:00,0.30,USDT,,,,,,,futures fee,BTC-USDT fee of buy 1 @ 100,",
  ]);
});

test("markets stay separate if the tool sees them, but not if it only looks at time, amount and currency", () => {
  const fills = fillsFrom("B1@100/0.10 =B1@100/0.10");
  const { texts, rows } = importsOf(
    booksOf(fills.map((fill, at) => ({ ...fill, market: at === 0 ? "BTC-USDT" : "ETH-USDT" }))),
  );
  expect(rowsOf("koinly.csv", texts)).toEqual([
    "2025-03-01 12:00:00,0.20,USDT,,,,,,,futures fee,BTC-USDT fee of buy 1 @ 100 and others (2 fills),",
  ]);
  expect(["cointracker.csv", "cointracking.csv", "bittytax.csv"].map((file) => rows.get(file))).toEqual([1, 2, 2]);
});

test("a loss and a fee of the same amount stay two rows, and README.txt warns that Koinly may merge them", () => {
  const { texts, rows } = importsOf(booksOf(fillsFrom("B1@100 S1@99/1")));
  expect(rows.get("koinly.csv")).toBe(2);
  expect(texts.get("README.txt")).toMatch(/Rows that differ from another only in tag and text: 1\./);
});

test("payments of funding are merged as payments", () => {
  const payment = { time: SECOND, market: "BTC-USDT", amount: 5n * 10n ** 35n, currency: "USDT" };
  const funding = [payment, { ...payment, market: "ETH-USDT" }, { ...payment, amount: -payment.amount }];
  const { texts } = importsOf(booksOf([], { funding }));
  expect(rowsOf("koinly.csv", texts)).toEqual([
    "2025-03-01 12:00:00,,,1.00,USDT,,,,,realized gain,BTC-USDT funding received and others (2 payments),",
    "2025-03-01 12:00:00,0.50,USDT,,,,,,,funding fee,BTC-USDT funding paid,",
  ]);
  expect(rowsOf("cointracking.csv", texts)[0]).toBe(
    '"Other Income","1.00","USDT","","","","","fillbook main","Funding Rate","BTC-USDT funding received and others (2 payments)","2025-03-01 12:00:00"',
  );
  expect(rowsOf("summ.csv", texts).map((row) => row.split(",")[11])).toEqual([
    "funding/2025-03-01T12:00:00.000Z/BTC-USDT/1",
    "funding/2025-03-01T12:00:00.000Z/ETH-USDT/1",
    "funding/2025-03-01T12:00:00.000Z/BTC-USDT/2",
  ]);
});

test("only the newest date is held back while fills are added", () => {
  const line = Array.from({ length: 1000 }, () => "B1@100/0.10").join(" ");
  const { booked, context } = booksOf(fillsFrom(line, { from: SECOND, stepMs: 250 }));
  const makers = importMakers(context).filter(({ path }) => /^imports\/\w+\.csv$/.test(path));
  for (const batch of booked.map((one) => [one])) {
    for (const maker of makers) {
      maker.add(batch);
    }
  }
  // 250 seconds with four equal fills each. The tools merge by the second, by the millisecond, or not at all.
  expect(makers.map(({ path, rows }) => [path.slice(8), rows])).toEqual([
    ["koinly.csv", 249],
    ["cointracking.csv", 249],
    ["summ.csv", 996],
    ["cointracker.csv", 249],
    ["bittytax.csv", 999],
    ["blockpit.csv", 996],
    ["rotki.csv", 999],
  ]);
});
