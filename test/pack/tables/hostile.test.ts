import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { Fill } from "../../../lambda/core/fill.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { arbitraryFill, hostileText } from "../../support/arbitrary-fill.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { tablesOf } from "./make.ts";

const YEAR_MS = 365 * 86_400_000;
const START = Date.UTC(2025, 0, 1);

/** What a spreadsheet may run: one of these characters after byte order marks and spaces, except a number. */
function mayRun(cell: string): boolean {
  const first = cell.replace(/^[\uFEFF\p{Zs}\n\v\f\u2028\u2029]+/u, "")[0] ?? "";
  return "=+-@＝＋－＠\t\r\0".includes(first) && first !== "" && !/^-?\d+(\.\d+)?$/.test(cell);
}

function expectHarmless(fills: readonly Fill[], source: string): void {
  const converter = converterOf({
    to: source,
    convert: (amount) => ({ amount, rate: "1", rateDate: "2025-01-01", source }),
  });
  const tables = tablesOf(booksOf(fills), { converter, cutOff: fills.map((fill) => ({ ...fill, filledAt: 0 })) });
  for (const [path, text] of tables.texts) {
    const cells = readCsv(text.slice(1)).flat();
    expect(cells.filter(mayRun), path).toEqual([]);
    const maker = tables.makers.find((one) => one.path === path);
    const [, ...records] = readCsv(text.slice(1));
    expect(records).toHaveLength(maker?.rows ?? -1);
    expect(maker?.escaped).toBeLessThanOrEqual(cells.filter((cell) => cell.includes("'")).length);
  }
}

/** Closed trades with the text in every field. */
function closedWith(text: string): Fill[] {
  return fillsFrom("B1@1/0.1 S2@2 B1@1 B1@2").map((fill, at) => ({
    ...fill,
    matchId: `${text}${at}`,
    orderId: text,
    market: `${text}-${text}`,
    liquidity: text,
    tradeType: text,
  }));
}

const anyFill = arbitraryFill.map((fill) => {
  const time = START + (Math.abs(fill.txCreated) % YEAR_MS);
  return { ...fill, txCreated: time, filledAt: fill.filledAt === null ? null : time };
});

test.prop([fc.array(anyFill, { maxLength: 12 }), hostileText], { numRuns: 300 })(
  "any fills that the type allows, and any text in closed trades, are text in every table",
  (fills, text) => {
    expectHarmless(fills, text);
    expectHarmless(closedWith(text), text);
  },
);
