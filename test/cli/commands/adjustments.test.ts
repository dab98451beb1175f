import { expect, test } from "vitest";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { TOOLS } from "../../../lambda/pack/exports/tools.ts";
import { historyOf } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { Exact, plain, total } from "../../pack/sums.ts";
import { marchItem, OF_MARCH } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { recordsOf } from "../../support/rfc4180.ts";
import { over, run } from "./run.ts";

// Trades that the venue made without a fill: 1,000 INS bought at 10 with a fee of 1, settled at 0, are a loss of
// 1,000 × (0 − 10) − 1 = −10,001.

const INS = { orderType: "buy", market: "INS-USD", quantity: "1000", price: "10", fees: "1" };
const BOUGHT = marchItem("bought", 1, INS);
const HEADER = "market,time,side,quantity,price,fee,note\n";

async function exported(lines: string, items: readonly CompletedOrder[] = [BOUGHT]) {
  const store = memoryStore("shelf");
  const { job } = makeBench({ history: historyOf(items), job: { store } });
  // Reads the archive; the command then makes the pack.
  await exportPack(job, OF_MARCH);
  store.put("main/inputs/adjustments.csv", Buffer.from(HEADER + lines));
  const line = ["export", "--period", "month-2025-03", "--method", "average", "--json"];
  const ran = await run(line, { components: over(store, job.clock) });
  const { dir = "" } = JSON.parse(ran.stdout);
  const text = (name: string) => {
    const body = store.snapshot().get(`${dir.replace("shelf/", "")}/${name}`);
    return Buffer.from(body ?? []).toString();
  };
  return { ...ran, text, rows: (name: string) => recordsOf(text(name).replaceAll(/\r?\n/g, "\r\n")) };
}

const NET = "realised_pnl_net_of_fees_excl_funding";
const netsOf = (rows: readonly Readonly<Record<string, string>>[]) => rows.map((row) => [row["currency"], row[NET]]);

test("a settlement at zero is a loss, with the opening fee", async () => {
  const { code, stderr, rows, text } = await exported("INS-USD,2025-03-20,sell,1000,0,0,delisted\n");
  expect(code).toBe(0);
  expect(netsOf(rows("summary.csv"))).toEqual([["USD", "-10001"]]);
  const sentence =
    "A trade that the user declared, not a fill of the venue (adjustments.csv, line 2): sell 1000 INS-USD at 0, fee 0, 2025-03-20 00:00 (UTC): delisted";
  expect(stderr).toContain(sentence);
  // It is no fill of the venue, and every table that names fills says so.
  expect(rows("fills.csv").map(({ match_id }) => match_id)).toEqual(["bought"]);
  expect(rows("realised-pnl.csv")).toMatchObject([
    { close_match_id: "adjustments.csv:2", close_order_id: "adjustment", declared_trade: "close" },
  ]);
  // Sums say how many there are.
  for (const name of ["summary.csv", "summary-months.csv", "closed-trades.csv"]) {
    expect(rows(name), name).toMatchObject([{ fills: "2", declared_trades: "1" }]);
  }
  expect(rows("fees.csv").map(({ liquidity, fills }) => [liquidity, fills])).toEqual([
    ["taker", "1"],
    ["declared", "1"],
  ]);
  const entry = "losses of 2025-03-20 (1 declared trade)";
  for (const name of ["journal.csv", "journal.hledger", "journal.beancount", "imports/koinly.csv"]) {
    expect(text(name), name).toContain(entry);
  }
  const noted = "With 1 trade that the user declared in adjustments.csv.";
  expect(text("journal.beancount").endsWith(`\n; ${noted}\n`)).toBe(true);
  expect(text("datapackage.json").split(noted)).toHaveLength(1 + TOOLS.length + 1); // imports/ and journal.csv
  expect(rows("exceptions.csv").map(({ match_id, reason }) => `${match_id} ${reason}`)).toContain(
    "adjustments.csv:2 declared_trade: the user declared this trade in adjustments.csv; it is booked, but not in fills.csv: delisted",
  );
  expect(rows("control-totals.csv")[0]).toMatchObject({ control: "fills_counted", left: "2", holds: "yes" });
  expect(rows("open-positions.csv").filter(({ quantity }) => quantity !== "0")).toEqual([]);
  // It is the first point to note.
  const report = text("report.html");
  const points = report.slice(report.indexOf("Points to note"));
  const first = /<li>(?<point>.*?)<\/li>/s.exec(points)?.groups?.["point"] ?? "";
  expect(first).toContain(sentence);
});

/** Who adds up the files that the left sides of controls name gets the left sides. Each market begins flat. */
function expectLefts(rows: (name: string) => readonly Readonly<Record<string, string>>[]): void {
  const [fills, declared] = [rows("fills.csv"), rows("inputs/adjustments.csv")];
  const controls = rows("control-totals.csv").filter(({ control = "" }) => /^(position|cash_flow)$/.test(control));
  expect(new Set(controls.map(({ market }) => market))).toEqual(new Set(["INS-USD", "NEW-USD"]));
  for (const { control, market, left = "", left_is = "" } of controls) {
    const files = [left_is.includes("fills.csv") ? fills : [], left_is.includes("adjustments.csv") ? declared : []];
    const sums = files.flat().flatMap(({ side, quantity = "", price = "", ...row }) => {
      const bought = new Exact(quantity).times(side === "buy" ? 1 : -1);
      return row["market"] === market ? bought.times(control === "position" ? 1 : new Exact(price).neg()) : [];
    });
    expect(left, `${control} ${market}`).toBe(plain(total(sums)));
  }
}

// The old market is closed at its cost, and gets back the opening fee that this recognises; the new market begins
// with both.
const SOLD = { orderType: "sell", fees: "2" } as const;
test.each([
  [
    "a renaming",
    "INS-USD,2025-03-20,sell,1000,10,-1,INS is now NEW\nNEW-USD,2025-03-20,buy,1000,10,1,INS is now NEW\n",
    marchItem("sold", 25, { market: "NEW-USD", quantity: "1000", price: "12", ...SOLD }),
  ],
  [
    "a redenomination",
    "INS-USD,2025-03-20,sell,1000,10,-1,1 INS is 1000 NEW\nNEW-USD,2025-03-20,buy,1000000,0.01,1,1 INS is 1000 NEW\n",
    marchItem("sold", 25, { market: "NEW-USD", quantity: "1000000", price: "0.012", ...SOLD }),
  ],
])("%s gains nothing, and carries cost and fee on", async (_, lines, sold) => {
  const { rows } = await exported(lines, [BOUGHT, sold]);
  const closes = rows("realised-pnl.csv").map(({ market, gross_pnl }) => `${market} ${gross_pnl}`);
  expect(closes).toEqual(["INS-USD 0", "NEW-USD 2000"]);
  // (12 − 10) × 1,000 less the fees of 1 and 2, as without a renaming.
  expect(netsOf(rows("summary.csv"))).toEqual([["USD", "1997"]]);
  expectLefts(rows);
  const without = await exported("", [
    BOUGHT,
    marchItem("sold", 25, { market: "INS-USD", quantity: "1000", price: "12", ...SOLD }),
  ]);
  expect(netsOf(without.rows("summary.csv"))).toEqual([["USD", "1997"]]);
});

test("a period that has declared trades alone has PnL; trades of one time are booked in the file's order", async () => {
  const bought = marchItem("bought", -20, INS);
  // From line 9 to line 10 the order is not that of the text.
  const others = Array.from({ length: 7 }, (_, at) => `X-USD,2025-03-02,buy,1,${at},0,x\n`).join("");
  const lines = "INS-USD,2025-03-20,sell,1000,0,0,delisted\nINS-USD,2025-03-20,buy,1000,6,0,opened\n";
  const { text, rows } = await exported(others + lines, [bought]);
  const { accounts } = JSON.parse(text("completeness.json"));
  expect(accounts).toMatchObject({ net_realised_pnl: [{ currency: "USD", amount: "-10001" }] });
  expect(rows("realised-pnl.csv").map(({ gross_pnl }) => gross_pnl)).toEqual(["-10000"]); // 1,000 × (0 − 10)
});

test("a trade before the period counts towards its positions; one after it is named", async () => {
  const { stderr, rows } = await exported(
    "INS-USD,2025-02-20,buy,5,8,0,before\nINS-USD,2025-03-20,sell,1005,10,0,x\nINS-USD,2025-04-20,sell,1,0,0,after\n",
  );
  expect(netsOf(rows("summary.csv"))).toEqual([["USD", "9"]]); // 5 × (10 − 8) − 1
  expect(stderr).toContain(
    "adjustments.csv: 1 of its 3 rows is before the period and part of the positions at its start",
  );
  expect(stderr).toContain("adjustments.csv: 1 of its 3 rows is not used, being after the end of the period");
});
