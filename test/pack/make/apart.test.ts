import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { TOOLS } from "../../../lambda/pack/exports/tools.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { fileOf } from "../../inputs/make.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { bytesOf, MARCH, type PackOptions, packOf, rowsOf, WIDE } from "../pack.ts";

// What cannot be calculated with is held apart: it is named, and in no total.

const fillAt = (day: number, changes: Parameters<typeof makeFill>[0]) =>
  makeFill({
    matchId: `m${day}`,
    orderId: `o${day}`,
    filledAt: null,
    txCreated: MARCH.from + day * 86_400_000,
    ...changes,
  });

async function packWith(
  fills: readonly ReturnType<typeof makeFill>[],
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
      fillAt(1, { ...one, market: "BTC-USD", side: "buy" }),
      fillAt(2, { ...one, market: "BTC-USD", side: null }),
      fillAt(3, { ...one, market: null, side: "buy" }),
      fillAt(4, { ...one, market: "BTC", side: "sell" }), // opens, in a currency that nobody knows
      fillAt(5, { ...one, market: "BTC", side: "sell" }),
      fillAt(6, { ...one, market: "ETH-USD", side: "sell", fee: "nothing" }), // opens
      fillAt(7, { ...one, market: "SOL-USD", side: "sell" }), // an inverse contract
    ],
    { "SOL-USD": "Inverse" },
    { period, currency: "USD", method: "fifo" },
  );
  const expected = [
    ["m2", "market_incomplete"],
    ["m3", "market_incomplete"],
    ["m5", "market_incomplete"],
    ["m7", "unsupported_contract_type"],
  ];
  for (const path of ["realised-pnl.csv", "form-8949-unknown.csv"]) {
    expect(rows(path).map(({ close_match_id, status }) => [close_match_id, status])).toEqual(expected);
  }
  expect(rows("realised-pnl.csv").map(({ market, currency }) => [market, currency])).toEqual([
    ["BTC-USD", "USD"],
    ["", ""],
    ["BTC", ""],
    ["SOL-USD", "USD"],
  ]);
  const countOf = (path: string, column: string) =>
    rows(path).reduce((sum, { [column]: cell }) => sum + Number(cell), 0);
  for (const path of ["summary.csv", "summary-months.csv", "summary-days.csv"]) {
    expect(countOf(path, "closes_with_unknown_pnl"), path).toBe(expected.length);
  }
  const noted = rows("exceptions.csv").filter(({ column }) => column === "closes_with_unknown_pnl");
  expect(noted.reduce((sum, { value }) => sum + Number(value), 0)).toBe(expected.length);
  // One is not a trade of a linear contract, five are not read; the other's fee is booked.
  const left =
    "Left out: PnL of 4 fills for which it could not be calculated; fees of 5 fills that cannot be read as a trade; fees of 1 fill of contracts that are not linear.";
  const [report, completeness, datapackage, ...journals] = texts(
    ...["report.html", "completeness.json", "datapackage.json", "journal.beancount", "journal.hledger"],
  );
  for (const text of [report, completeness]) {
    expect(text).toContain("PnL could not be calculated for 4 fills; totals exclude them.");
    expect(text).toContain("5 fills cannot be read as a trade; no amount includes them.");
    expect(text).toContain("BTC-USD: PnL of 1 fill could not be calculated");
    expect(text).toContain("ETH-USD: one of its fills cannot be read as a trade.");
  }
  expect(journals.filter((text) => text.endsWith(`\n; ${left}\n`))).toHaveLength(2);
  const described: { path: string; description: string }[] = JSON.parse(datapackage ?? "").resources;
  const paths = described.filter(({ description }) => description.includes(left)).map(({ path }) => path);
  expect(paths.map((path) => path.split("/")[0])).toEqual([...TOOLS.map(() => "imports"), "journal.csv"]);
  expect(rows("imports/koinly.csv")).toMatchObject([{ "Sent Amount": "1.00", Tag: "futures fee" }]);
});

test("a fill that cannot be read as a trade, unless it opens, has its row without amounts", async () => {
  const market = "BTC-USD";
  const { pack, rows } = await packWith([
    fillAt(1, { market, side: "buy", quantity: "2", price: "100", fee: "1" }),
    fillAt(2, { market, side: "buy", quantity: "1", price: "nothing", fee: "1" }), // adds to the position
    fillAt(3, { market, side: "sell", quantity: "1", price: "110", fee: "nothing" }), // what is open is not known here
    fillAt(4, { market, side: null, quantity: "1", price: "110", fee: "1" }), // may be anything
    fillAt(5, { market: "ETH-USD", side: "sell", quantity: "3", price: "10", fee: "1" }),
    fillAt(6, { market: "ETH-USD", side: "buy", quantity: "no", price: "9", fee: "1" }), // closes the short position
  ]);
  const closes = rows("realised-pnl.csv");
  expect(closes.map(({ close_match_id }) => close_match_id)).toEqual(["m3", "m4", "m6"]);
  for (const { market: name, currency, status, gross_pnl, quantity, close_price } of closes) {
    expect([name, currency, status]).toEqual([name, "USD", "market_incomplete"]);
    expect([gross_pnl, quantity, close_price]).toEqual(["", "", ""]);
  }
  const listed = rows("exceptions.csv").map(({ match_id, column }) => [match_id, column]);
  expect(listed).toEqual(
    expect.arrayContaining([
      ["m2", "price"],
      ["m3", "fee"],
      ["m4", "side"],
      ["m6", "quantity"],
    ]),
  );
  expect(pack.notes).toContainEqual(
    "4 fills cannot be read as a trade; no amount includes them. Declare the position after the last such fill in opening-positions.csv and make the pack again: exceptions.csv names each.",
  );
});

test("fees and notional of an inverse contract are in no total of its quote currency", async () => {
  const { pack, store, rows } = await packWith(
    [
      fillAt(1, { market: "BTC-USD", side: "buy", quantity: "100", price: "50000", fee: "0.0002" }),
      fillAt(2, { market: "BTC-USD", side: "sell", quantity: "100", price: "51000", fee: "0.0001" }),
      fillAt(3, { market: "ETH-USD", side: "buy", quantity: "2", price: "10", fee: "1" }),
    ],
    { "BTC-USD": "Inverse", "ETH-USD": "Vanilla" },
  );
  expect(rows("summary.csv")).toMatchObject([{ currency: "USD", fills: "3", volume: "20", fees_paid: "1" }]);
  // They are not nothing: they are not known.
  const notKnown = { market: "BTC-USD", volume: "", fees_paid: "", rebates: "", net_fees: "" };
  for (const path of ["fees.csv", "summary-days.csv"]) {
    const known = { market: "ETH-USD", volume: "20", fees_paid: "1", net_fees: "1" };
    expect(
      rows(path).map(({ market = "", volume, fees_paid, rebates, net_fees }) => ({
        market,
        volume,
        fees_paid,
        rebates,
        net_fees,
      })),
    ).toEqual(expect.arrayContaining([notKnown, { ...known, rebates: "0" }]));
  }
  // Each of its fills may have closed something.
  expect(rows("realised-pnl.csv")).toMatchObject(
    ["m1", "m2"].map((close_match_id) => ({ close_match_id, status: "unsupported_contract_type", gross_pnl: "" })),
  );
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

function packIn(currency: string, lines: string, { fills = FILLS, accounts = null as string | null } = {}) {
  const store = memoryStore();
  const inputs = { ...NO_INPUTS, accounts, rates: [fileOf("rates/own.csv", `date,base,quote,rate,source\n${lines}`)] };
  const made = packOf(store, fills, { inputs, currency, beginning: WIDE.from });
  return { store, made };
}

describe("a pack that lacks rates", () => {
  test("names all of them at once, and is not published", async () => {
    const { store, made } = packIn("EUR", "2025-01,USD,EUR,0.9,a\n");
    await expect(made).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(
        /^there is no rate from USD to EUR on 3 days, 2025-03-01 to 2025-03-03; from USDT to EUR on 3 days, 2025-03-01 to 2025-03-03: searched rates\/own\.csv /,
      ),
      hint: expect.stringMatching(
        /^put a file that has them into the folder main\/inputs\/rates\/ .*; if 1 USDT is worth 1 USD to you, write \{"par": \{"USDT": "USD"\}\} into main\/inputs\/accounts\.json; /,
      ),
    });
    expect([...store.snapshot().keys()].filter((key) => key.endsWith("latest.json"))).toEqual([]);
  });

  test("only for the period's end is still made", async () => {
    const days = [1, 2, 3].flatMap((day) => ["USD", "USDT"].map((one) => `2025-03-0${day},${one},EUR,0.9,a\n`));
    await expect(packIn("EUR", days.join("")).made).resolves.toMatchObject({ dir: expect.any(String) });
  });
});
