import { describe, expect, test } from "vitest";
import type { Fill } from "../../../lambda/core/fill.ts";
import { inputsOf } from "../../../lambda/inputs/inputs.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { fileOf } from "../../inputs/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { bytesOf, completenessOf, MARCH, type PackOptions, packOf, rowsOf, WIDE } from "../pack.ts";

// Any line of the user's files that nothing used is an error or is named.

const FROM_BEGINNING = { from: 0, to: WIDE.to };
const IDS = "close_match_id,close_order_id,open_match_id,open_order_id,quantity\n";
const BOOK = "B1@100 B1@110 S1@130";

async function packWith(files: Readonly<Record<string, string>>, fills: readonly Fill[], request: PackOptions = {}) {
  const store = memoryStore();
  const given = Object.entries(files).map(([name, text]) => fileOf(name, text));
  const inputs = inputsOf(given, "main/inputs", "UTC");
  const pack = await packOf(store, fills, { inputs, isMethodChosen: true, ...request }, FROM_BEGINNING);
  return { store, pack };
}

const matched = (lines: string, fills = fillsFrom(BOOK)) =>
  packWith({ "matches.csv": IDS + lines }, fills, { method: "specific" });

describe("a line of matches.csv", () => {
  test("is used: the highest lot is closed, not the first", async () => {
    const { store, pack } = await matched("M3,O3,M2,O2,1\n");
    expect(rowsOf(store, pack, "realised-pnl.csv").map(({ gross_pnl }) => gross_pnl)).toEqual(["20"]);
  });

  const copy = "copy match_id and order_id of the closing fill from fills.csv";
  test.each([
    ["an unknown close", "M9,O9,M2,O2,1\n", "matches.csv, line 2: no fill has the match_id M9 and the order_id O9"],
    [
      "ids in each other's place",
      "O3,M3,M2,O2,1\n",
      "matches.csv, line 2: no fill has the match_id O3 and the order_id M3",
    ],
    [
      "close and lot in each other's place",
      "M2,O2,M3,O3,1\n",
      "matches.csv, line 2: the fill with the match_id M2 and the order_id O2 closes nothing",
    ],
    ["an unknown lot", "M3,O3,M9,O9,1\n", "matches.csv, line 2: it matches 1, more than the 0 left of the lot"],
  ])("with %s is refused", async (_, lines, message) => {
    const refused = expect(matched(lines)).rejects;
    await refused.toMatchObject({ kind: "usage", message: expect.stringContaining(message) });
    if (!message.includes("left of the lot")) {
      await expect(matched(lines)).rejects.toMatchObject({ hint: expect.stringContaining(copy) });
    }
  });

  test("all lines that are wrong are named together", async () => {
    await expect(matched("M8,O8,M2,O2,1\nM9,O9,M2,O2,1\n")).rejects.toMatchObject({
      message: expect.stringMatching(/line 2: .*M8.*line 3: .*M9/),
    });
  });

  test("for a close outside of the period is named", async () => {
    const later = fillsFrom("S1@90", { from: MARCH.to + 1000 });
    const fills = [...fillsFrom(BOOK), ...later.map((fill) => ({ ...fill, matchId: "M4", orderId: "O4" }))];
    const { store, pack } = await matched("M3,O3,M2,O2,1\nM4,O4,M1,O1,1\n", fills);
    const text = "matches.csv, line 3: not used, because its close is after the end of the period";
    expect(pack.notes).toContain(text);
    expect(completenessOf(store, pack).assumptions).toContain(`${text}.`);
    expect(bytesOf(store, pack, "report.html").toString()).toContain(text);
  });

  test("may name a declared trade, also one outside of the period", async () => {
    const lines = "BTC-USDT,2025-03-20,sell,1,130,0,x\nBTC-USDT,2025-04-02,sell,1,130,0,x\n";
    const files = {
      "adjustments.csv": `market,time,side,quantity,price,fee,note\n${lines}`,
      "matches.csv": `${IDS}adjustments.csv:2,adjustment,M2,O2,1\nadjustments.csv:3,adjustment,M1,O1,1\n`,
    };
    const { store, pack } = await packWith(files, fillsFrom("B1@100 B1@110"), { method: "specific" });
    expect(rowsOf(store, pack, "realised-pnl.csv").map(({ gross_pnl }) => gross_pnl)).toEqual(["20"]);
    expect(pack.notes).toContain("matches.csv, line 3: not used, because its close is after the end of the period");
  });

  test("for a close whose PnL is not known is named", async () => {
    const lines = "market,quantity,average_price,as_of,evidence\nBTC-USDT,1,,2025-03-01,no price\n";
    const files = { "matches.csv": `${IDS}M1,O1,M2,O2,1\n`, "opening-positions.csv": lines };
    const { pack } = await packWith(files, fillsFrom("S1@100 B1@1"), { method: "specific", beginning: WIDE.from });
    expect(pack.notes).toContain("matches.csv, line 2: not used, because the PnL of its close is not known");
  });

  test.each(["=M3", "-M3", "@M3", "a;=b"])("may have the id %s as fills.csv escapes it", async (id) => {
    const fills = fillsFrom(BOOK).map((fill, at) => (at === 2 ? { ...fill, matchId: id } : fill));
    const { store, pack } = await matched("", fills);
    const escaped = rowsOf(store, pack, "fills.csv")[2]?.["match_id"] ?? "";
    expect(escaped).not.toBe(id);
    for (const written of [id, escaped]) {
      const again = await matched(`${written},O3,M2,O2,1\n`, fills);
      expect(rowsOf(again.store, again.pack, "realised-pnl.csv")).toMatchObject([{ gross_pnl: "20" }]);
    }
  });
});

describe("a row that nothing used is counted and named", () => {
  const notesOf = async (name: string, text: string, request: PackOptions = {}) =>
    (await packWith({ [name]: text }, fillsFrom("B1@100"), request)).pack.notes;

  test("marks.csv: no price of an open position at the end", async () => {
    const text = "market,time,price\nBTC-USDT,2025-03-31,1\nBTC-USDT,2025-04-01,2\nETH-USDT,2025-04-01,3\n";
    const { store, pack } = await packWith({ "marks.csv": text }, fillsFrom("B1@100"));
    expect(rowsOf(store, pack, "open-positions.csv").map(({ mark_price }) => mark_price)).toEqual(["2"]);
    expect(pack.notes).toContain(
      "marks.csv: 2 of its 3 rows are not used, being no last price of a position known to be open on the period's last day (2025-03-31, UTC)",
    );
  });

  test("marks.csv: the price of a position that is not known", async () => {
    const text = "market,time,price\nBTC-USDT,2025-04-01,2\n";
    const inputs = inputsOf([fileOf("marks.csv", text)], "main/inputs", "UTC");
    const { notes } = await packOf(memoryStore(), fillsFrom("B1@100"), { inputs }); // read from February on
    expect(notes).toContain(
      "marks.csv: 1 of its 1 row is not used, being no last price of a position known to be open on the period's last day (2025-03-31, UTC)",
    );
  });

  test("opening-positions.csv: lines and prices, each by itself and once", async () => {
    const lines = [
      "BTC-USDT,1,90,2025-03-21,the fills give the cost",
      "BTC-USDT,9,90,2025-04-01,after the period",
      "*,0,,2025-01-31,not covered",
    ];
    const text = `market,quantity,average_price,as_of,evidence\n${lines.join("\n")}\n`;
    const { store, pack } = await packWith({ "opening-positions.csv": text }, fillsFrom("B1@100"));
    const texts = [
      "Declared 1 BTC-USDT (average price 90) at 2025-03-21 00:00 (UTC); its price is not used, because the earlier fills give the cost",
      "Declared 9 BTC-USDT (average price 90) at 2025-04-01 00:00 (UTC); not used, because its time is not before the end of the period",
    ];
    expect(pack.notes).toEqual(texts);
    const { assumptions } = completenessOf(store, pack);
    expect(assumptions.filter((one: string) => one.startsWith("Declared"))).toEqual([
      ...texts.map((one) => `${one}.`),
      "Declared no position in any other market at 2025-01-31 00:00 (UTC).",
    ]);
  });

  test("rates: a file without a rate that was used", async () => {
    const rates = "date,base,quote,rate,source\n2025,USD,EUR,0.9,x\n";
    expect(await notesOf("rates/own.csv", rates)).toContain(
      "rates/own.csv is not used, because nothing is converted: no currency was chosen",
    );
  });

  test("accounts.json: a par that converted nothing", async () => {
    const files = {
      "accounts.json": '{"par": {"USDT": "USD", "usdt": "EUR"}}',
      "rates/own.csv": "date,base,quote,rate,source\n2025,USD,EUR,0.9,x\n",
    };
    // With a fee, and with nothing to convert but the open position.
    for (const book of ["B1@100/1", "B1@100"]) {
      const { pack } = await packWith(files, fillsFrom(book), { currency: "EUR" });
      expect(pack.notes.filter((note) => note.includes("used"))).toEqual([
        "accounts.json: the par of usdt and EUR is not used",
      ]);
    }
    const why = "because nothing is converted: no currency was chosen";
    expect((await packWith({ "accounts.json": files["accounts.json"] }, fillsFrom("B1@100"))).pack.notes).toEqual([
      `accounts.json: the par of USDT and USD is not used, ${why}`,
      `accounts.json: the par of usdt and EUR is not used, ${why}`,
    ]);
  });

  test("funding.csv, opening-positions.csv, adjustments.csv: rows in a market without a fill, or in another currency", async () => {
    const opening = (market: string) => `market,quantity,average_price,as_of,evidence\n${market},1,90,2025-02-01,x\n`;
    expect(await notesOf("opening-positions.csv", opening("btc-usdt"))).toContain(
      "opening-positions.csv: 1 of its 1 row is in the market btc-usdt, of which no fill was booked",
    );
    const adjustment = "market,time,side,quantity,price,fee,note\nBTC-USD,2025-03-20,sell,1,130,0,x\n";
    expect(await notesOf("adjustments.csv", adjustment)).toContain(
      "adjustments.csv: 1 of its 1 row is in the market BTC-USD, of which no fill was booked",
    );
    // A currency is known by a declared trade, too; a payment of another period says nothing of it.
    const balances = ["USD", "GBP", "EUR"].map((currency) => `2025-04-01,${currency},5,x\n`).join("");
    const { pack } = await packWith(
      {
        "adjustments.csv": adjustment,
        "balances.csv": `time,currency,amount,note\n${balances}`,
        "transfers.csv": "time,amount,currency,note\n2025-05-01,1,GBP,x\n",
      },
      fillsFrom("B1@100"),
    );
    expect(pack.notes.filter((note) => note.startsWith("balances.csv"))).toEqual([
      "balances.csv: 1 of its 3 rows is in GBP, in which nothing was booked",
      "balances.csv: 1 of its 3 rows is in EUR, in which nothing was booked",
    ]);
    // A deposit does not make its own currency known; a payment does.
    const deposits = "time,currency,amount,note\n2025-03-20,GBP,5,x\n2025-03-20,EUR,5,x\n2025-03-20,USDT,5,x\n";
    const eur = "time,market,amount,currency,source\n2025-03-20,BTC-USDT,1,EUR,x\n";
    const moved = await packWith({ "transfers.csv": deposits, "funding.csv": eur }, fillsFrom("B1@100"));
    expect(moved.pack.notes.filter((note) => note.startsWith("transfers.csv"))).toEqual([
      "transfers.csv: 1 of its 3 rows is in GBP, in which nothing else was booked",
    ]);
    const payment = (market: string, currency: string, day: number) =>
      `2025-03-${10 + day},${market},1,${currency},x\n`;
    const funding = `time,market,amount,currency,source\n${payment("BTC-USD", "USD", 0)}${payment("BTC-USD", "USD", 1)}`;
    expect(await notesOf("funding.csv", funding + payment("BTC-USDT", "USD", 2))).toEqual([
      "funding.csv: 2 of its 3 rows are in the market BTC-USD, of which no fill was booked",
      "funding.csv: 1 of its 3 rows is of BTC-USDT in USD, which is not the market's currency",
    ]);
    for (const [name, text] of [
      ["opening-positions.csv", opening("BTC-USDT")],
      ["funding.csv", `time,market,amount,currency,source\n${payment("BTC-USDT", "USDT", 0)}`],
    ] as const) {
      expect(await notesOf(name, text)).toEqual([]);
    }
    const inverse = { contractTypes: new Map([["BTC-USDT", "Inverse"]]) };
    const coin = `time,market,amount,currency,source\n${payment("BTC-USDT", "BTC", 0)}`;
    expect((await notesOf("funding.csv", coin, inverse)).join()).not.toContain("funding.csv");
  });

  test("funding.csv, transfers.csv: rows that differ in their text alone, as of two exports that overlap", async () => {
    const funding = "time,market,amount,currency,source\n".concat(
      ...["2.0,USDT,a", "2,USDT,b", "2,USDT,c", "3,USDT,a"].map((end) => `2025-03-20,BTC-USDT,${end}\n`),
    );
    expect(await notesOf("funding.csv", funding)).toEqual([
      "funding.csv: 2 of its 4 rows are like another one but for its text; each of them counts",
    ]);
    const transfers = "time,currency,amount,note\n2025-03-20,USDT,5,a\n2025-03-20,USDT,-5,b\n2025-03-20,USDT,5,c\n";
    expect(await notesOf("transfers.csv", transfers)).toEqual([
      "transfers.csv: 1 of its 3 rows is like another one but for its text; each of them counts",
    ]);
  });
});

describe("a row whose time does not count is counted", () => {
  const notesOf = async (name: string, text: string) =>
    (await packWith({ [name]: text }, fillsFrom("B2@100/0.10 S1@110/0.33"), { beginning: WIDE.from })).pack.notes;
  const BEFORE = "2025-02-28T23:59:59.999Z";
  // A balance counts at the period's end too, a price only on the last day and at the end.
  const [FIRST, LAST, END, AFTER] = ["2025-03-01", "2025-03-31", "2025-04-01", "2025-04-01T00:00:00.001Z"] as const;
  const OUTSIDE = "not used, being outside the period (2025-03-01 to 2025-03-31, UTC)";
  const NO_PRICE =
    "not used, being no last price of a position known to be open on the period's last day (2025-03-31, UTC)";

  test.each([
    ["funding.csv", "time,market,amount,currency,source\n", "T,BTC-USDT,-1.25,USDT,x\n", END, OUTSIDE, [FIRST, LAST]],
    ["transfers.csv", "time,currency,amount,note\n", "T,USDT,50,x\n", END, OUTSIDE, [FIRST, LAST]],
    ["balances.csv", "time,currency,amount,note\n", "T,USDT,50,x\n", AFTER, OUTSIDE, [FIRST, LAST, END]],
    ["marks.csv", "market,time,price\n", "BTC-USDT,T,50\n", AFTER, NO_PRICE, [LAST, END]],
  ] as const)("%s", async (name, head, line, late, remark, inside) => {
    const notes = (...times: readonly string[]) =>
      notesOf(name, head + times.map((time) => line.replace(/\bT,/, `${time},`)).join(""));
    expect(await notes(BEFORE, late)).toEqual([`${name}: 2 of its 2 rows are ${remark}`]);
    for (const time of inside) {
      expect(await notes(BEFORE, time)).toEqual([`${name}: 1 of its 2 rows is ${remark}`]);
      expect(await notes(time)).toEqual([]);
    }
    expect(await notes()).toEqual([]); // the file says that there was nothing
  });

  test("but in opening-positions.csv rows before the period matter", async () => {
    const lines = "market,quantity,average_price,as_of,evidence\nBTC-USDT,0,,2025-02-20,x\n";
    expect(await notesOf("opening-positions.csv", lines)).toEqual([]);
  });
});
