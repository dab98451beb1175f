import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { plain } from "../../../lambda/pack/exports/names.ts";
import { makeFill } from "../../accounting/draw.ts";
import { booksOf } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { importsOf } from "./files.ts";
import { READERS, readImport } from "./readers.ts";

/**
 * Characters that a reader splits at or a page runs, and invisible ones: control and format characters, lone
 * surrogates.
 */
const HARMFUL = /["',;<>|]|\p{C}/u;
const FORMULA = /^[=+\-@＝＋－＠]/u;

/** Cells with harmful text. */
function harmIn(text: string): string[] {
  const cells = readCsv(text).flat();
  return cells.filter((cell) => HARMFUL.test(cell) || FORMULA.test(cell));
}

function importsWith(market: string, ids: string, currency: string) {
  const time = Date.UTC(2025, 2, 1, 12);
  const own = { market: `${market}-${currency}`, quantity: "1", time };
  const fills = [
    makeFill(1, { ...own, side: "buy", price: "100", fee: "0.1" }),
    makeFill(2, { ...own, side: "sell", price: "110", fee: "-0.2", time: time + 1000 }),
  ].map((fill) => ({ ...fill, matchId: ids + fill.matchId, orderId: ids }));
  const funding = [{ time, market, amount: exactly("1"), currency }];
  return importsOf(booksOf(fills, { funding }));
}

test.prop([hostileText, hostileText, hostileText])(
  "every file is harmless and can be read to its end, whatever the service sends",
  (market, ids, currency) => {
    const { texts } = importsWith(`M${market}`, ids, `C${currency}`);
    for (const reader of READERS) {
      const file = texts.get(reader.file) ?? "";
      expect(harmIn(file)).toEqual([]);
      const rows = readImport(reader, file).map(({ received, amount }) => (received ? amount : -amount));
      expect(rows.sort()).toEqual([10n ** 35n, 10n ** 36n, 10n ** 37n]);
    }
  },
);

describe("names in the files", () => {
  test.each(["BTC-USDT", "1000PEPE-USD", "币安人生-USDT", "5f7b1c1e-8a52-4a30-9a0e-0f4f0f1d2c3b", "0x9f2c", "a_b.c:d"])(
    "%s is unchanged",
    (name) => {
      expect(plain(name)).toBe(name);
    },
  );

  test("others are escaped", () => {
    expect(plain('=a,"b"')).toBe("%003Da%002C%0022b%0022");
    expect(plain("-a-b")).toBe("%002Da-b");
    expect(plain("a/b")).toBe("a%002Fb");
    expect(plain(":x")).toBe("%003Ax");
  });

  /** The inverse, as the doc comment gives it. */
  const read = (text: string) =>
    text.replaceAll(/%([0-9A-F]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));

  test.prop([fc.oneof(fc.string({ unit: "binary" }), hostileText)])("no two names become one", (name) => {
    expect(read(plain(name))).toBe(name);
  });
});
