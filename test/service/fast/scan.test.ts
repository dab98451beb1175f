import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PackedFill } from "../../../lambda/core/fast/packed-fill.ts";
import { type Fill, identityOf, plainFill } from "../../../lambda/core/fill.ts";
import { PageDecoder } from "../../../lambda/service/decode.ts";
import { PageScanner } from "../../../lambda/service/fast/scan.ts";
import { decodeRow } from "../../../lambda/service/row.ts";
import type { PageRow } from "../../../lambda/service/service.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { rowTextOf, usualFill } from "../../support/usual-page.ts";

const pages = new PageDecoder();
const scanner = new PageScanner();

/**
 * The page that the scan must give, if it gives one: JSON.parse reads the body, and `decodeRow` checks each
 * row field by field.
 */
function parsed(body: string): object {
  const { completedOrders, last } = JSON.parse(body);
  return { rows: completedOrders.map(decodeRow), ...(last === undefined ? {} : { last }) };
}

function scanned(body: string) {
  const page = scanner.scan(body);
  return page === null ? null : { ...page, rows: plainRows(page.rows) };
}

function plainRows(rows: readonly PageRow[]) {
  return rows.map((row) => ("fill" in row ? { fill: plainFill(row.fill) } : row));
}

const usualPage = fc
  .tuple(
    fc.array(usualFill, { maxLength: 5 }),
    fc.option(fc.constantFrom("", "0", "abc=", "~ cursor"), { nil: undefined }),
  )
  .map(([fills, last]) => pageText(fills.map(rowTextOf), last));

function pageText(rows: readonly string[], last?: string): string {
  return `{"completedOrders":[${rows.join(",")}]${last === undefined ? "" : `,"last":${JSON.stringify(last)}`}}`;
}

describe("a page read from its bytes", () => {
  test("equals what JSON.parse reads", () => {
    fc.assert(
      fc.property(usualPage, (body) => {
        expect(scanned(body)).toEqual(parsed(body));
      }),
    );
  });

  test("may have its fields in a different order in each row", () => {
    const shuffled = usualFill.chain((fill) => {
      const fields = Object.entries(JSON.parse(rowTextOf(fill)));
      return fc
        .shuffledSubarray(fields, { minLength: fields.length })
        .map((some) => JSON.stringify(Object.fromEntries(some)));
    });
    fc.assert(
      fc.property(fc.array(shuffled, { maxLength: 5 }), (rows) => {
        expect(scanned(pageText(rows))).toEqual(parsed(pageText(rows)));
      }),
    );
  });

  test("has room for more and longer rows than any earlier page", () => {
    const fill = { ...fc.sample(usualFill, { seed: 1, numRuns: 1 })[0], transactionHash: "x".repeat(3000) } as Fill;
    const body = pageText(new Array(1000).fill(rowTextOf(fill)));
    expect(scanned(body)).toEqual(parsed(body));
  });
});

/** Fills that occur twice are not packed, because their versions may differ. */
function isOfEachOnce(body: string): boolean {
  const rows: { matchId: string; orderId: string }[] = JSON.parse(body).completedOrders;
  return new Set(rows.map(identityOf)).size === rows.length;
}

test("fills are packed in spite of white space, escapes, unknown fields and another order of fields", () => {
  const fields = fc.dictionary(
    fc.constantFrom("seq", "venue", "__proto__"),
    fc.constantFrom("x", "é", 7, true, null, [null, "y"], { a: { b: "\ud800" } }),
  );
  fc.assert(
    fc.property(usualPage.filter(isOfEachOnce), fields, fc.constantFrom(0, 2, "\t"), (body, more, space) => {
      const { completedOrders, last } = JSON.parse(body);
      const rows = completedOrders.map((row: object, at: number) => (at % 2 === 0 ? { ...row, ...more } : row));
      const other = JSON.stringify({ last: last ?? null, completedOrders: rows }, null, space);
      const page = pages.decode(other.replaceAll("taker", "\\u0074aker"));
      expect(page.rows.every((row) => "fill" in row && row.fill instanceof PackedFill)).toBe(true);
      expect(plainRows(page.rows)).toEqual(JSON.parse(other).completedOrders.map(decodeRow));
      expect(page.last).toBe(last);
    }),
  );
});

/** A page that may have something unusual in it, or may no longer be JSON. */
const damagedPage = fc
  .tuple(
    usualPage,
    fc.array(
      fc.record({
        at: fc.nat(2000),
        cut: fc.nat(12),
        put: fc.oneof(
          fc.constantFrom(
            "",
            " ",
            "\n",
            '"',
            "\\",
            "\\u0000",
            "\\n",
            "\0",
            "é",
            "\u0141",
            "\ud800",
            "0",
            "-",
            "1",
            ".",
            "e5",
            "null",
          ),
          fc.constantFrom(
            ",",
            ":",
            "{",
            "}",
            "[",
            "]",
            "{}",
            '"x":1,',
            '"extra":null,',
            '"price":"1",',
            '"txCreated":1000000000005,',
            '"last":"x",',
          ),
          hostileText,
        ),
      }),
      { maxLength: 2 },
    ),
  )
  .map(([body, edits]) =>
    edits.reduce((text, { at, cut, put }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + cut);
    }, body),
  );

test("an unusual page is left to the full decoder, or read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(damagedPage, (body) => {
      const page = scanned(body);
      if (page !== null) {
        expect(page).toEqual(parsed(body));
      }
    }),
  );
});

describe("left to the full decoder:", () => {
  const row = rowTextOf({ ...fc.sample(usualFill, { seed: 1, numRuns: 1 })[0], matchId: "m" } as Fill);
  const changed = (fields: object) => JSON.stringify({ ...JSON.parse(row), ...fields });
  const without = (name: string) => {
    const { [name]: _, ...rest } = JSON.parse(row);
    return JSON.stringify(rest);
  };
  test.each<[string, string]>([
    ["nothing", ""],
    ["white space", `${pageText([row])}\n`],
    ["an unknown field", pageText([changed({ seq: "1" })])],
    ["a field that comes twice", pageText([row.replace('"matchId":"m"', '"matchId":"m","matchId":"m"')])],
    ["a missing field", pageText([without("price")])],
    ["a number where text is expected", pageText([changed({ price: 1 })])],
    ["a null", pageText([changed({ filledAt: null })])],
    ["an escape", pageText([changed({ market: "a\tb" })])],
    ["text beyond ASCII", pageText([changed({ market: "\u0141" })])],
    ["an id that is too long", pageText([changed({ matchId: "x".repeat(257) })])],
    ["a time in seconds", pageText([changed({ txCreated: 1_735_689_600 })])],
    ["a time beyond the year 9999", pageText([changed({ filledAt: 253_399_622_400_000 })])],
    ["a cursor that is too long", pageText([row], "c".repeat(8193))],
    ["a cursor that is not text", '{"completedOrders":[],"last":0}'],
    ["text after the page", `${pageText([row])}{}`],
    ["another field of the page", '{"completedOrders":[],"more":true}'],
  ])("%s", (_, body) => {
    expect(scanner.scan(pageText([row]))).not.toBeNull();
    expect(scanner.scan(body)).toBeNull();
  });
});
