import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { declaredTexts } from "../../../lambda/accounting/declared.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, type TimeRange } from "../../../lambda/core/time.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { fileIn } from "../../inputs/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { bytesOf, completenessOf, MARCH, type PackOptions, packOf, rowsOf, WIDE } from "../pack.ts";

const DECLARING = "market,quantity,average_price,as_of,evidence,break\n";

/** In each of two markets: bought at 12:00 and 13:00 of 1 March, sold at 14:00 and 15:00. */
const FILLS = ["BTC-USDT", "ETH-USDT"].flatMap((market) =>
  fillsFrom("B1@100/0.1 B1@110/0.1 S1@130/0.1 S1@140/0.1", { market }).map((fill) => ({
    ...fill,
    matchId: `${market}-${fill.matchId}`,
  })),
);

/** The pack of March with these lines of opening-positions.csv. */
async function packDeclaring(lines: string, request: PackOptions = {}, coverage = WIDE) {
  const store = memoryStore();
  const { zone } = request.period ?? MARCH;
  const { openings } = fileIn("opening-positions.csv", DECLARING + lines, zone);
  const pack = await packOf(store, FILLS, { inputs: { ...NO_INPUTS, openings }, ...request }, coverage);
  return { store, pack, rows: (path: string) => rowsOf(store, pack, path) };
}

// What a pack says about the positions that the user declares.

const AFTER_PERIOD = "its time is not before the end of the period";
const FROM_FILLS = "the earlier fills give the cost";
const FROM_BEGINNING: PackOptions = { beginning: WIDE.from };
const PRICED = "ETH-USDT,2,105,2025-03-01T14:00:00Z";
const PRICED_TEXT = "2 ETH-USDT (average price 105) at 2025-03-01 14:00 (UTC)";

/** Of each text, `*`: the declared price is used. */
test.for<[what: string, lines: string, request: PackOptions, texts: readonly string[], coverage?: TimeRange]>([
  [
    "used, as their time is before the end of the period",
    "ETH-USDT,0,,2025-03-01T12:00:00Z,,\nETH-USDT,2,,2025-03-01T14:00:00Z,,\nSOL-USDT,1,,2025-03-31T23:59:59.999Z,,\n",
    {},
    [
      "0 ETH-USDT at 2025-03-01 12:00 (UTC)",
      "2 ETH-USDT at 2025-03-01 14:00 (UTC)",
      "1 SOL-USDT at 2025-03-31 23:59:59.999 (UTC)",
    ],
  ],
  [
    "after the period, unless a break begins in it",
    "ETH-USDT,0,,2025-04-01,,\nBTC-USDT,0,,2025-04-02,a letter,2025-03-31\n",
    {},
    [
      `0 ETH-USDT at 2025-04-01 00:00 (UTC); not used, because ${AFTER_PERIOD}`,
      "0 BTC-USDT at 2025-04-02 00:00 (UTC), after a break that began at 2025-03-31 00:00 (UTC)",
    ],
  ],
  [
    "of a market without calculated PnL",
    "ETH-USDT,1,100,2025-03-01,,\n",
    { contractTypes: new Map([["ETH-USDT", "Inverse"]]) },
    [
      "1 ETH-USDT (average price 100) at 2025-03-01 00:00 (UTC); not used, because PnL is not calculated for the contract of that market",
    ],
  ],
  ["with a price", `${PRICED},,\n`, {}, [`${PRICED_TEXT} *`]],
  [
    "with a price, after fills",
    `${PRICED},,\n`,
    FROM_BEGINNING,
    [`${PRICED_TEXT}; its price is not used, because ${FROM_FILLS}`],
  ],
  [
    "with a price, after a break: it is the only one",
    `${PRICED},a letter,2025-03-01T12:30:00Z\n`,
    FROM_BEGINNING,
    [`${PRICED_TEXT}, after a break that began at 2025-03-01 12:30 (UTC) *`],
  ],
  [
    "before the archive's coverage up to the period",
    "ETH-USDT,0,,2025-02-20,,\n*,0,,2025-02-26,,\n",
    {},
    [
      "0 ETH-USDT at 2025-02-20 00:00 (UTC); not used, because the archive does not cover all of the time from then up to the period",
      "no position in any other market at 2025-02-26 00:00 (UTC)",
    ],
    { from: MARCH.from - 5 * DAY_MS, to: WIDE.to },
  ],
])("declared positions %s", async ([, lines, request, texts, coverage]) => {
  const { pack } = await packDeclaring(lines, request, coverage);
  const told = declaredTexts(pack.declared, MARCH.zone, 5);
  const marks = pack.declared.map(({ isPriceUsed }) => (isPriceUsed ? " *" : ""));
  expect(told.map((text, at) => text + marks[at])).toEqual(texts.map((text) => `Declared ${text}`));
  expect(pack.declared.map(({ isUsed }) => isUsed)).toEqual(texts.map((text) => !text.includes("; not used")));
});

describe("declared positions", () => {
  test("are among the assumptions in completeness.json and the report, in the pack's zone", async () => {
    const { store, pack } = await packDeclaring("ETH-USDT,0,,2025-03-01,,\n", {
      period: parsePeriod("month-2025-03", "America/New_York"),
    });
    const sentence = "Declared 0 ETH-USDT at 2025-03-01 00:00 (America/New_York).";
    expect(completenessOf(store, pack).assumptions).toContain(sentence);
    expect(bytesOf(store, pack, "report.html").toString()).toContain(sentence);
  });

  test("are shown for at most twenty lines", async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `A${at}-USD,0,,2025-03-01,,\n`).join("");
    const { store, pack } = await packDeclaring(lines);
    const { assumptions } = completenessOf(store, pack);
    expect(assumptions.filter((text: string) => text.startsWith("Declared"))).toHaveLength(20);
    expect(assumptions).toContain("980 more lines of opening-positions.csv are not shown.");
  });
});

const packWith = (lines: string, request: PackOptions = {}) =>
  packDeclaring(lines, { beginning: WIDE.from, ...request });

/** 13:30 to 14:30, which includes the sale at 14:00. */
const AROUND_A_FILL = 'ETH-USDT,3,120,2025-03-01T14:30:00Z,"<b>letter</b>, page 1",2025-03-01T13:30:00Z\n';

describe("a pack whose user declares a break", () => {
  test("lists the break first: in exceptions.csv, completeness.json, the report and the workbook", async () => {
    const { store, pack, rows } = await packWith(`${AROUND_A_FILL}BTC-USDT,0,,2025-03-20,lost,2025-03-20\n`);
    const listed = rows("exceptions.csv").slice(0, 2);
    expect(listed.map(({ market, reason, value }) => [market, reason, value])).toEqual([
      [
        "ETH-USDT",
        "break_declared: fills from 2025-03-01T13:30:00.000Z up to 2025-03-01T14:30:00.000Z are missing, so PnL is blank there; value: the position after the break; evidence: <b>letter</b>, page 1",
        "3 at 120",
      ],
      [
        "BTC-USDT",
        "break_declared: fills just before 2025-03-20T00:00:00.000Z are missing, so PnL is blank there; value: the position after the break; evidence: lost",
        "0",
      ],
    ]);
    const realised = rows("realised-pnl.csv").filter(({ market }) => market === "ETH-USDT");
    expect(realised.map(({ status }) => status)).toEqual(["break_declared", "known"]);
    const completeness = completenessOf(store, pack);
    const [from, to, at] = ["2025-03-01T13:30:00.000Z", "2025-03-01T14:30:00.000Z", "2025-03-20T00:00:00.000Z"];
    expect(completeness.breaks).toEqual([
      {
        account: "main",
        market: "ETH-USDT",
        from,
        to,
        position: "3",
        average_price: "120",
        evidence: "<b>letter</b>, page 1",
      },
      { account: "main", market: "BTC-USDT", from: at, to: at, position: "0", average_price: null, evidence: "lost" },
    ]);
    // Of the period, not of its end, when the position is known again.
    const market = { opening: "assumed_flat", pnl_unknown: "break_declared" };
    expect(completeness.accounts.markets).toMatchObject([market, market]);
    const keys = Object.keys(completeness);
    expect(keys.indexOf("breaks")).toBeLessThan(keys.indexOf("totals"));
    const page = bytesOf(store, pack, "report.html").toString();
    const points = page.slice(page.indexOf('<div class="points">'));
    const [point] = /<li>.*?<\/li>/s.exec(points) ?? [];
    expect(point?.replaceAll(/<[^>]*>/g, "")).toBe(
      "A break in ETH-USDT: fills from 2025-03-01T13:30:00.000Z up to 2025-03-01T14:30:00.000Z are missing, as declared in the user&#39;s opening-positions.csv. PnL is blank there. After the break, the records continue from a position of 3 at 120. Evidence: &lt;b&gt;letter&lt;/b&gt;, page 1",
    );
    const sheets = unzipSync(bytesOf(store, pack, "workbook.xlsx"));
    const cover = new TextDecoder().decode(sheets["xl/worksheets/sheet1.xml"]);
    const places = [">Completeness<", "A break in ETH-USDT", "A break in BTC-USDT", ">Records<"].map((text) =>
      cover.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  test("lists a break before the period too, and the market begins as declared", async () => {
    const period = parsePeriod("month-2025-04");
    const { store, pack, rows } = await packWith(AROUND_A_FILL, { period });
    expect(completenessOf(store, pack).breaks).toHaveLength(1);
    expect(rows("exceptions.csv")[0]?.["reason"]).toMatch(/^break_declared: /);
    expect(rows("exceptions.csv").map(({ reason }) => reason?.split(":")[0])).toContain("opening_declared");
    expect(rows("summary.csv").every(({ is_complete }) => is_complete === "yes")).toBe(true);
    expect(rows("control-totals.csv").every(({ holds }) => holds === "yes")).toBe(true);
  });

  test("does not list a break after the period, and no figure changes", async () => {
    const later = "ETH-USDT,3,120,2025-04-20,letter,2025-04-10\n";
    const { store, pack, rows } = await packWith(later);
    expect(completenessOf(store, pack).breaks).toEqual([]);
    const plain = await packWith("");
    for (const path of ["realised-pnl.csv", "summary-days.csv", "exceptions.csv", "control-totals.csv"]) {
      expect(rows(path)).toEqual(plain.rows(path));
    }
  });

  test("does not list a break in a market whose PnL is unknown anyway", async () => {
    const { store, pack } = await packWith(AROUND_A_FILL, { contractTypes: new Map([["ETH-USDT", "Inverse"]]) });
    expect(completenessOf(store, pack).breaks).toEqual([]);
  });
});
