import { describe, expect, test } from "vitest";
import { type DeclaredLine, declaredTexts } from "../../../lambda/accounting/declared.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { exactly } from "../../support/amounts.ts";
import { bytesOf, completenessOf, MARCH, WIDE } from "../pack.ts";
import { packDeclaring } from "./declaring.ts";

// What a pack says about the positions that the user declares.

const uses = async (...declaring: Parameters<typeof packDeclaring>) =>
  (await packDeclaring(...declaring)).pack.declared.map((line) => [line.isUsed, line.unused]);

describe("declared positions", () => {
  test("are used if their time is before the end of the period", async () => {
    expect(
      await uses(
        "ETH-USDT,0,,2025-03-01T12:00:00Z,,\nETH-USDT,2,,2025-03-01T14:00:00Z,,\nSOL-USDT,1,,2025-03-01,,\nBTC-USDT,0,,2025-04-20,,\n",
      ),
    ).toEqual([
      [true, null],
      [true, null],
      [true, null],
      [false, "after_period"],
    ]);
  });

  test("after the pack are not used, but a break that begins in the pack is", async () => {
    const { store, pack } = await packDeclaring(
      "ETH-USDT,0,,2025-04-01,,\nBTC-USDT,0,,2025-04-02,a letter,2025-03-31\nSOL-USDT,0,,2025-03-31T23:59:59.999Z,,\n",
    );
    expect(pack.declared.map(({ isUsed, unused }) => [isUsed, unused])).toEqual([
      [false, "after_period"],
      [true, null],
      [true, null],
    ]);
    expect(completenessOf(store, pack).assumptions).toContain(
      "Declared 0 ETH-USDT at 2025-04-01 00:00 (UTC); not used, because its time is not before the end of the period.",
    );
  });

  test("in a market without calculated PnL are not used", async () => {
    const contractTypes = new Map([["ETH-USDT", "Inverse"]]);
    const { pack } = await packDeclaring("ETH-USDT,1,100,2025-03-01T14:00:00Z,,\n", { contractTypes });
    expect(pack.declared.map(({ unused }) => unused)).toEqual(["not_linear"]);
  });

  test("tell whether their price is used: it is not if the fills reach back further", async () => {
    const line = "ETH-USDT,2,105,2025-03-01T14:00:00Z,,\n";
    const reachesBack = await packDeclaring(line, { beginning: WIDE.from });
    expect(reachesBack.pack.declared.map(({ price, isPriceUsed }) => [price, isPriceUsed])).toEqual([
      [exactly("105"), false],
    ]);
    expect(completenessOf(reachesBack.store, reachesBack.pack).assumptions).toContain(
      "Declared 2 ETH-USDT (average price 105) at 2025-03-01 14:00 (UTC); its price is not used, because the earlier fills give the cost.",
    );
    const begins = await packDeclaring(line);
    expect(begins.pack.declared.map(({ isPriceUsed }) => isPriceUsed)).toEqual([true]);
    // After a break, the declared price is the only one.
    const broken = "ETH-USDT,2,105,2025-03-01T14:00:00Z,a letter,2025-03-01T12:30:00Z\n";
    expect((await packDeclaring(broken, { beginning: WIDE.from })).pack.declared[0]?.isPriceUsed).toBe(true);
    expect((await packDeclaring("ETH-USDT,2,,2025-03-01T14:00:00Z,,\n")).pack.declared[0]?.isPriceUsed).toBeNull();
  });

  test("before the archive's coverage up to the period are not used", async () => {
    const coverage = { from: MARCH.from - 5 * DAY_MS, to: WIDE.to };
    expect(await uses("ETH-USDT,0,,2025-02-20,,\nBTC-USDT,0,,2025-02-26,,\n", {}, coverage)).toEqual([
      [false, "not_covered"],
      [true, null],
    ]);
  });

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

const ZONE = "America/New_York";
const LINE: DeclaredLine = {
  market: "BTC-USD",
  quantity: exactly("-0.5"),
  price: null,
  asOf: Date.UTC(2025, 0, 1, 5),
  isUsed: true,
  unused: null,
  isPriceUsed: null,
};
const AT = "Declared -0.5 BTC-USD at 2025-01-01 00:00 (America/New_York)";

// Other sentences are in the packs above.
test.each<readonly [text: string, changes: Partial<DeclaredLine>]>([
  [
    `${AT}; not used, because the archive does not cover all of the time from then up to the period`,
    { isUsed: false, unused: "not_covered" },
  ],
  [
    "Declared -0.5 BTC-USD (average price 64250.5) at 2025-01-01 00:00 (America/New_York)",
    { price: exactly("64250.5"), isPriceUsed: true },
  ],
  [`${AT}, after a break that began at 2024-12-01 00:00 (America/New_York)`, { breakFrom: Date.UTC(2024, 11, 1, 5) }],
  ["Declared no position in any other market at 2025-01-01 00:00 (America/New_York)", { market: null, quantity: ZERO }],
])("%s", (text, changes) => {
  expect(declaredTexts([{ ...LINE, ...changes }], ZONE, 5)).toEqual([text]);
});
