import { describe, expect, test } from "vitest";
import { fillsFrom } from "../../accounting/make.ts";
import { fileOf } from "../../inputs/make.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { bytesOf, MARCH, packOf, rowsOf, WIDE } from "../pack.ts";

// What cannot be calculated with is held apart: it is named, and in no total.

const fillAt = (day: number, changes: Parameters<typeof makeFill>[0]) =>
  makeFill({
    matchId: `m${day}`,
    orderId: `o${day}`,
    filledAt: null,
    txCreated: MARCH.from + day * 86_400_000,
    ...changes,
  });

async function packWith(fills: readonly ReturnType<typeof makeFill>[], types: Readonly<Record<string, string>> = {}) {
  const store = memoryStore();
  const contractTypes = new Map(Object.entries(types));
  const pack = await packOf(store, fills, { beginning: WIDE.from, contractTypes });
  return { pack, store, rows: (path: string) => rowsOf(store, pack, path) };
}

test("a fill that cannot be read as a trade, but says that it closes, has its row without amounts", async () => {
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
  expect(closes.map(({ close_match_id }) => close_match_id)).toEqual(["m3", "m6"]);
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
    "4 fills cannot be read as a trade; volume and fees exclude them too. Declare the position after the last such fill in opening-positions.csv and make the pack again: exceptions.csv names each.",
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
    const expected = [notKnown, { ...known, rebates: "0" }].map((row) => expect.objectContaining(row));
    expect(rows(path)).toEqual(expect.arrayContaining(expected));
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
