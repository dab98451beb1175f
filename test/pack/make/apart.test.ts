import { describe, expect, test } from "vitest";
import type { Fill } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { TOOLS } from "../../../lambda/pack/exports/tools.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { fileOf } from "../../inputs/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { bytesOf, fillOn, MARCH, type PackOptions, packOf, rowsOf, WIDE } from "../pack.ts";

// What cannot be calculated with is held apart: it is named, and in no total.

async function packWith(
  fills: readonly Fill[],
  types: Readonly<Record<string, string>> = {},
  request: PackOptions = {},
) {
  const store = memoryStore();
  const contractTypes = new Map(Object.entries(types));
  const pack = await packOf(store, fills, { beginning: WIDE.from, contractTypes, ...request });
  const texts = (...paths: readonly string[]) => paths.map((path) => bytesOf(store, pack, path).toString());
  return { pack, store, texts, rows: (path: string) => rowsOf(store, pack, path) };
}

// A fill closes nothing if it finds no position in its market, or is on the side of the position.
test("a fill that may have closed something has its row in each list of closes, and is counted alike everywhere", async () => {
  const one = { quantity: "1", price: "100", fee: "1" };
  const period = { ...parsePeriod("us-2025"), from: MARCH.from, to: MARCH.to };
  const { texts, rows } = await packWith(
    [
      fillOn(1, { ...one, market: "BTC-USD", side: "buy" }),
      fillOn(2, { ...one, market: "BTC-USD", side: null }),
      fillOn(3, { ...one, market: null, side: "buy" }),
      fillOn(4, { ...one, market: "BTC", side: "sell" }), // opens, in a currency that nobody knows
      fillOn(5, { ...one, market: "BTC", side: "sell" }),
      fillOn(6, { ...one, market: "ETH-USD", side: "sell", fee: "nothing" }), // opens
      fillOn(6, { ...one, matchId: "m6b", market: "B-USD", side: "sell", extra: { filledAt: "once" } }),
      fillOn(7, { ...one, market: "SOL-USD", side: "sell" }), // an inverse contract
      fillOn(8, { ...one, market: "A-USD", side: "buy" }),
      fillOn(9, { ...one, market: "A-USD", side: "buy", price: "nothing" }), // adds to the position
      fillOn(10, { ...one, market: "A-USD", side: "sell", quantity: "no" }), // what is open is not known here
    ],
    { "SOL-USD": "Inverse" },
    { period, currency: "USD", method: "fifo" },
  );
  const cellsOf = (path: string, ...names: string[]) =>
    rows(path).map((row) => names.map((name) => row[name]).join(","));
  expect(cellsOf("realised-pnl.csv", "close_match_id", "market", "currency", "gross_pnl", "status")).toEqual([
    "m2,BTC-USD,USD,,market_incomplete",
    "m3,,,,market_incomplete",
    "m5,BTC,,,market_incomplete",
    "m6b,B-USD,USD,,market_incomplete",
    "m7,SOL-USD,USD,,unsupported_contract_type",
    "m10,A-USD,USD,,market_incomplete",
  ]);
  const listed = ["close_match_id", "status"];
  expect(cellsOf("form-8949-unknown.csv", ...listed)).toEqual(cellsOf("realised-pnl.csv", ...listed));
  const opened = { description_of_property: "BTC-USD perpetual", date_acquired: "VARIOUS", date_sold: "03/02/2025" };
  expect(rows("form-8949-unknown.csv")[0]).toMatchObject(opened);
  for (const path of ["summary.csv", "summary-months.csv", "summary-days.csv"]) {
    const numbers = cellsOf(path, "closes_with_unknown_pnl").map(Number);
    expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(6); // so does exceptions.csv: laws.test.ts
  }
  const left =
    "Left out: PnL of 6 fills for which it could not be calculated; fees of 8 fills that cannot be read as a trade; fees of 1 fill of contracts that are not linear.";
  const [report, completeness, datapackage, ...journals] = texts(
    ...["report.html", "completeness.json", "datapackage.json", "journal.beancount", "journal.hledger"],
  );
  for (const text of [report, completeness]) {
    expect(text).toContain("PnL could not be calculated for 6 fills; totals exclude them.");
    expect(text).toContain("8 fills cannot be read as a trade; no amount includes them.");
    expect(text).toContain("BTC-USD: PnL of 1 fill could not be calculated");
    expect(text).toContain("ETH-USD: one of its fills cannot be read as a trade.");
  }
  expect(journals.filter((text) => text.endsWith(`\n; ${left}\n`))).toHaveLength(2);
  const described: { path: string; description: string }[] = JSON.parse(datapackage ?? "").resources;
  const paths = described.filter(({ description }) => description.includes(left)).map(({ path }) => path);
  expect(paths.map((path) => path.split("/")[0])).toEqual([...TOOLS.map(() => "imports"), "journal.csv"]);
  expect(rows("imports/koinly.csv").map((row) => row["Sent Amount"])).toEqual(["1.00", "1.00"]); // of m1 and m8
});

test("fees and notional of an inverse contract are in no total of its quote currency", async () => {
  const { pack, store, rows } = await packWith(
    [
      fillOn(1, { market: "BTC-USD", side: "buy", quantity: "100", price: "50000", fee: "0.0002" }),
      fillOn(2, { market: "BTC-USD", side: "sell", quantity: "100", price: "51000", fee: "0.0001" }),
      fillOn(3, { market: "ETH-USD", side: "buy", quantity: "2", price: "10", fee: "1" }),
    ],
    { "BTC-USD": "Inverse", "ETH-USD": "Vanilla" },
  );
  expect(rows("summary.csv")).toMatchObject([{ currency: "USD", fills: "3", volume: "20", fees_paid: "1" }]);
  // They are not nothing: they are not known.
  const notKnown = { market: "BTC-USD", volume: "", fees_paid: "", rebates: "", net_fees: "" };
  for (const path of ["fees.csv", "summary-days.csv"]) {
    const known = { market: "ETH-USD", volume: "20", fees_paid: "1", rebates: "0", net_fees: "1" };
    expect(rows(path)).toEqual(expect.arrayContaining([notKnown, known].map((row) => expect.objectContaining(row))));
  }
  expect(rows("imports/koinly.csv")).toMatchObject([{ "Sent Amount": "1.00", Tag: "futures fee" }]);
  expect(rows("balance.csv")).toMatchObject([{ net_fees: "1", fills_not_known: "2" }]);
  const note =
    "Fees of 0.0003 and a notional of 10100000 of BTC-USD are in no total, because they may not be in USD: its contract type is Inverse";
  expect(pack.notes).toContainEqual(note);
  expect(bytesOf(store, pack, "report.html").toString()).toContain(note);
});

/** A round trip in each market on each of three days. */
const FILLS = ["BTC-USDT", "ETH-USD"].flatMap((market) =>
  [1, 2, 3].flatMap((day) =>
    fillsFrom("B1@100/0.1 S1@110/0.1", { market, from: Date.UTC(2025, 2, day, 12) }).map((fill) => ({
      ...fill,
      matchId: `${market}-${day}-${fill.matchId}`,
    })),
  ),
);

function packInEuros(lines: string) {
  const store = memoryStore();
  const inputs = { ...NO_INPUTS, rates: [fileOf("rates/own.csv", `date,base,quote,rate,source\n${lines}`)] };
  return { store, made: packOf(store, FILLS, { inputs, currency: "EUR", beginning: WIDE.from }) };
}

describe("a pack that lacks rates", () => {
  test("names all of them at once, and is not published", async () => {
    const { store, made } = packInEuros("2025-01,USD,EUR,0.9,a\n");
    await expect(made).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/from USD to EUR on 3 days, .*; from USDT to EUR on 3 days, .*rates\/own\.csv/),
      hint: expect.stringContaining("main/inputs/rates/"),
    });
    expect([...store.snapshot().keys()].filter((key) => key.endsWith("latest.json"))).toEqual([]);
  });

  test("only for the period's end is still made", async () => {
    const days = [1, 2, 3].flatMap((day) => ["USD", "USDT"].map((one) => `2025-03-0${day},${one},EUR,0.9,a\n`));
    await expect(packInEuros(days.join("")).made).resolves.toMatchObject({ dir: expect.any(String) });
  });
});
