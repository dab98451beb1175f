import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { Converter } from "../../../../lambda/accounting/rates/converter.ts";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import { booksOf, fillsFrom } from "../../../accounting/make.ts";
import { arbitraryFill, hostileText } from "../../../support/arbitrary-fill.ts";
import { readCsv } from "../../../support/rfc4180.ts";
import { rowsIn, tablesOf } from "./make.ts";

const YEAR_MS = 365 * 86_400_000;
const START = Date.UTC(2025, 0, 1);

const HOSTILE = [
  "=cmd|' /C calc'!A0",
  '"quoted", and\r\nbroken',
  "\u202Egnp.exe",
  "<script>alert(1)</script>",
  "@SUM(1)",
  "\t=1",
  "＝1+1",
  "\uFEFF=1",
  "-1+1",
  "\uD800",
  "a\u0000b",
];

/** What a spreadsheet may run: after byte order marks and spaces, one of these; a number is none. */
function mayRun(cell: string): boolean {
  const first = cell.replace(/^[\uFEFF\p{Zs}\n\v\f\u2028\u2029]+/u, "")[0] ?? "";
  return "=+-@＝＋－＠\t\r\0".includes(first) && first !== "" && !/^-?\d+(\.\d+)?$/.test(cell);
}

function expectHarmless(fills: readonly PlainFill[], source: string): void {
  const converter: Converter = {
    to: source,
    convert: (amount) => ({ amount, rate: "1", rateDate: "2025-01-01", source }),
  };
  const tables = tablesOf(booksOf(fills), { converter, strays: fills.map((fill) => ({ ...fill, filledAt: 0 })) });
  for (const [path, text] of tables.texts) {
    const cells = readCsv(text.slice(1)).flat();
    expect(cells.filter(mayRun), path).toEqual([]);
    const maker = tables.makers.find((one) => one.path === path);
    const [, ...records] = readCsv(text.slice(1));
    expect(records).toHaveLength(maker?.rows ?? -1);
    expect(maker?.neutralised).toBeLessThanOrEqual(cells.filter((cell) => cell.startsWith("'")).length);
  }
}

test.each(HOSTILE)("%j in every field is text in every table", (text) => {
  const fills = fillsFrom("B1@1/0.1 S2@2 B1@1 B1@2").map((fill, at) => ({
    ...fill,
    matchId: `${text}${at}`,
    orderId: text,
    market: `${text}-${text}`,
    liquidity: text,
    tradeType: text,
  }));
  expectHarmless(fills, text);
  const [close] = rowsIn(tablesOf(booksOf(fills)), "realised-pnl.csv");
  const bare = (cell = "") => cell.replace(/^'/, "");
  expect([bare(close?.["close_order_id"]), bare(close?.["market"])]).toEqual([text, `${text}-${text}`]);
});

test("a name of a megabyte is written as it is", () => {
  const market = `${"M".repeat(1_000_000)}-USD`;
  const tables = tablesOf(booksOf(fillsFrom("B1@1 S1@2", { market })));
  for (const path of ["realised-pnl.csv", "closed-trades.csv", "fees.csv"]) {
    expect(rowsIn(tables, path).map((row) => row["market"])).toEqual([market]);
  }
});

test.prop(
  [
    fc.array(
      arbitraryFill.map((fill) => {
        const time = START + (Math.abs(fill.txCreated) % YEAR_MS);
        return { ...fill, txCreated: time, filledAt: fill.filledAt === null ? null : time };
      }),
      { maxLength: 12 },
    ),
    hostileText,
  ],
  { numRuns: 300 },
)("any fills that the type allows", (fills, source) => {
  expectHarmless(fills, source);
});
