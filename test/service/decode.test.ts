import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { canonicalJson } from "../../lambda/formats/json.ts";
import type { PageRow } from "../../lambda/formats/row.ts";
import { decodePage } from "../../lambda/service/decode.ts";
import { refusal } from "../support/refusal.ts";

/**
 * The sample of service-interface 2.2, with JSON text for each field, so that a test can write any number in
 * any form.
 */
const SAMPLE: Readonly<Record<string, string>> = {
  market: '"BTC-USD"',
  matchId: '"6d9ccb2e-8a0f-4a37-8ea2-6f4c0f0f7e10"',
  orderId: '"01HZX3T9W4Q2M8N6K5J7P0R1S2"',
  orderType: '"buy"',
  executionType: '"maker"',
  fillType: '"complete"',
  price: '"67123.45"',
  quantity: '"0.0123"',
  tradeType: '"limit"',
  txCreated: "1735689600123",
  fees: '"-0.01"',
  triggerType: '"none"',
  triggerPrice: '"0"',
  transactionHash: '"0xabc"',
};

const SAMPLE_FILL: Fill = {
  matchId: "6d9ccb2e-8a0f-4a37-8ea2-6f4c0f0f7e10",
  orderId: "01HZX3T9W4Q2M8N6K5J7P0R1S2",
  txCreated: 1_735_689_600_123,
  filledAt: null,
  market: "BTC-USD",
  side: "buy",
  liquidity: "maker",
  tradeType: "limit",
  fillType: "complete",
  triggerType: "none",
  transactionHash: "0xabc",
  quantity: "0.0123",
  price: "67123.45",
  fee: "-0.01",
  triggerPrice: "0",
  extra: null,
  row: canonicalJson(Object.fromEntries(Object.entries(SAMPLE).map(([name, json]) => [name, JSON.parse(json)]))),
};

function rowText(fields: Readonly<Record<string, string | undefined>> = {}): string {
  const lines = Object.entries({ ...SAMPLE, ...fields }).filter(([, json]) => json !== undefined);
  return `{${lines.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function pageText(rows: readonly string[], rest = ""): string {
  return `{"completedOrders":[${rows.join(",")}]${rest}}`;
}

function only(body: string): PageRow {
  const { rows } = decodePage(body);
  return rows.length === 1 ? (rows[0] as PageRow) : expect.fail(`${rows.length} rows`);
}

function fillOf(fields: Readonly<Record<string, string | undefined>>): Fill {
  const row = only(pageText([rowText(fields)]));
  expect(row).toHaveProperty("fill");
  return (row as { fill: Fill }).fill;
}

const failure = (body: string) => refusal(() => decodePage(body));

test("a fill of the older shape, and of the newer", () => {
  expect(fillOf({})).toEqual(SAMPLE_FILL);
  const { row, ...fields } = fillOf({ filledAt: "1735689600124" });
  expect({ ...fields, row: SAMPLE_FILL.row }).toEqual({ ...SAMPLE_FILL, filledAt: 1_735_689_600_124 });
  expect(row).toContain('"filledAt":1735689600124');
  expect(fillOf({ filledAt: "999999999999" })).toMatchObject({ filledAt: null, extra: { filledAt: 999_999_999_999 } });
});

describe("a row that cannot be filed states why", () => {
  test.each([
    [{ matchId: undefined }, "matchId is missing, not an id"],
    [{ matchId: '""' }, 'matchId is "", not an id'],
    [{ orderId: `"${"x".repeat(257)}"` }, "orderId is 257 characters long, not an id"],
    [{ orderId: '"a\\u0000b"' }, 'orderId is "a\\u0000b", not an id'],
    [{ matchId: '"\\ud800"' }, 'matchId is "\\ud800", not an id'],
    [{ txCreated: '"1735689600123"' }, 'txCreated is "1735689600123", not a time in ms'],
    [{ txCreated: "1735689600" }, "txCreated is 1735689600, which is no time in ms since 2001: in seconds?"],
    [{ txCreated: "1735689600123.5" }, "txCreated is 1735689600123.5, not a time in ms"],
    [{ txCreated: "253399622400000" }, "txCreated is 253399622400000, not a time in ms"],
    [{ strange: "[".repeat(65) + "]".repeat(65) }, '"strange" is nested deeper than 64 levels'],
  ])("%#", (fields, reason) => {
    expect(only(pageText([rowText(fields)]))).toEqual({ unfilable: reason });
  });

  test.each([
    [',"fees":"9"', 'the row is "fees twice: {\\"market'],
    [',"\\u0066ees" : "9"', 'the row is "fees twice: {\\"market'],
    [',"x":[{"":{},"b":2,"" :{}}]', 'the row is " twice: {\\"market'],
    [',"x":":","y":"\\"z\\":1,\\"z\\":2","z":[{"a":1},{"a":2}]', null],
  ])("a key twice in one object, of which JSON.parse shows the last value alone: %s", (more, says) => {
    const [first, other] = decodePage(pageText([rowText().replace(/}$/, `${more}}`), rowText()])).rows;
    expect(first).toEqual(says === null ? { fill: expect.anything() } : { unfilable: expect.stringContaining(says) });
    expect(other).toEqual({ fill: SAMPLE_FILL });
  });

  test("and the rows beside it are kept", () => {
    expect(decodePage(pageText([rowText(), "null", rowText(), "[1,2]"])).rows).toEqual([
      { fill: SAMPLE_FILL },
      { unfilable: "the row is null, not an object" },
      { fill: SAMPLE_FILL },
      { unfilable: "the row is an array of 2, not an object" },
    ]);
  });
});

describe("last", () => {
  test.each([
    ["", undefined],
    [',"last":null', undefined],
    [',"last":""', ""],
    [',"last":"0"', "0"],
    [',"last":"abc="', "abc="],
    [',"last":12345678901234567890', "12345678901234567890"],
  ])("%s", (rest, last) => {
    const page = decodePage(pageText([rowText()], rest));
    expect(page.last).toBe(last);
    expect("last" in page).toBe(last !== undefined);
    expect(page.rows.map((row) => "fill" in row && row.fill)).toEqual([SAMPLE_FILL]);
  });

  test.each([
    [',"last":{"id":1}', 'completed-orders: last is an object with "id", not a text'],
    [`,"last":"${"c".repeat(8193)}"`, "completed-orders: last cannot be used as a cursor: it is 8193 characters long"],
    [',"last":"\\udfff"', "completed-orders: last cannot be used as a cursor: it is not well-formed Unicode"],
  ])("is not guessed: %#", (rest, message) => {
    expect(failure(pageText([], rest))).toMatchObject({ kind: "untrusted", message });
  });
});

describe("a body that is not a page is worth another request", () => {
  test.each([
    ["", "the answer is not complete JSON: it is empty"],
    [
      '{"completedOrders":[{"mar',
      'the answer is not complete JSON: 25 characters that begin "{\\"completedOrders\\":[{\\"mar"',
    ],
    ["[]", "the answer is an array of 0, not a page of orders"],
    ["{}", "completedOrders is missing, not a page of orders"],
    ['{"message":"try later"}', 'completedOrders is missing, not a page of orders; the service says "try later"'],
    ['{"completedOrders":null,"statusCode":500,"body":"oops"}', 'the answer is an error; the service says "oops"'],
    ['{"completedOrders":[],"error":"busy"}', 'the answer is an error; the service says "busy"'],
    [
      '{"completedOrders":[1],"completed\\u004frders":[]}',
      'the answer is "completedOrders twice: {\\"completedOrders\\":[1],\\"completed\\\\u004frders\\":[]}", not a page of orders',
    ],
  ])("%s", (body, said) => {
    expect(failure(body)).toMatchObject({ kind: "incomplete", message: `completed-orders: ${said}` });
  });

  test("an empty list may be written as null, but not beside a message", () => {
    expect(decodePage('{"completedOrders":null}')).toEqual({ rows: [] });
    const body = '{"completedOrders":null,"message":"try later"}';
    const message = 'completed-orders: completedOrders is null, not a page of orders; the service says "try later"';
    expect(failure(body)).toMatchObject({ kind: "incomplete", message });
  });

  test("a byte order mark is not part of the body, and a text is no second list", () => {
    expect(decodePage(`\ufeff${pageText([], ',"note":"completedOrders"')}`).rows).toEqual([]);
  });
});

describe("hostile pages", () => {
  test("__proto__, constructor and toJSON are data", () => {
    const fill = fillOf({ __proto__: undefined, ["constructor"]: '"c"', toJSON: '"j"' });
    expect(fill.extra).toEqual({ constructor: "c", toJSON: "j" });
    const body = pageText([rowText().replace("{", '{"__proto__":{"price":"1","polluted":true},')]);
    const row = only(body) as { fill: Fill };
    expect(Object.keys(row.fill.extra ?? {})).toEqual(["__proto__"]);
    expect(JSON.stringify(row.fill.extra)).toBe('{"__proto__":{"price":"1","polluted":true}}');
    expect(row.fill.price).toBe("67123.45");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("__proto__ cannot lend a field that the row lacks", () => {
    const body = pageText([rowText({ matchId: undefined }).replace("{", '{"__proto__":{"matchId":"m"},')]);
    expect(only(body)).toEqual({ unfilable: "matchId is missing, not an id" });
  });

  test("a million levels deep: a clean result, not a crash", () => {
    const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    expect(failure(deep).kind).toBe("incomplete");
    expect(decodePage(`{"completedOrders":[],"junk":${deep}}`).rows).toEqual([]);
    expect(only(pageText([rowText({ junk: deep })]))).toEqual({ unfilable: '"junk" is nested deeper than 64 levels' });
  });

  test("deep, and the source text of a number is needed: an error", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(failure(pageText([rowText({ price: "1.50" })], `,"junk":${deep}`))).toMatchObject({
      kind: "untrusted",
      message: "completed-orders: the answer is nested too deeply",
    });
  });

  test("exactly 64 levels, and a text of a megabyte: both are kept", () => {
    const deep = "[".repeat(64) + "]".repeat(64);
    expect(JSON.stringify(fillOf({ deep }).extra)).toBe(`{"deep":${deep}}`);
    expect(fillOf({ market: JSON.stringify("m".repeat(1e6)) }).market).toHaveLength(1e6);
  });
});

const NAMED_ALIKE = ["market", "tradeType", "fillType", "triggerType", "transactionHash", "quantity", "price"] as const;
const TEXT_FIELDS: Readonly<Record<string, keyof Fill>> = {
  ...Object.fromEntries([...NAMED_ALIKE, "triggerPrice" as const].map((name) => [name, name])),
  ...{ orderType: "side", executionType: "liquidity", fees: "fee" },
};

const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.tuple(fc.bigInt(), fc.stringMatching(/^\d{1,30}$/)).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.tuple(fc.integer(), fc.integer({ min: -500, max: 500 })).map(([digits, power]) => `${digits}e${power}`),
);

/** The JSON text of any value, and what it is: a text, a number by its source, or something else. */
const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary" }).map((text) => ({ json: JSON.stringify(text), text })) },
  { weight: 2, arbitrary: numberText.map((text) => ({ json: text, text })) },
  { weight: 1, arbitrary: fc.constantFrom("true", "[]", '{"a":"b"}').map((json) => ({ json, text: undefined })) },
  { weight: 1, arbitrary: fc.constant({ json: "null", text: null }) },
);

type Drawn = Readonly<Record<string, { readonly json: string; readonly text: string | null | undefined }>>;

const drawnRow: fc.Arbitrary<Drawn> = fc
  .record(Object.fromEntries(Object.keys(TEXT_FIELDS).map((name) => [name, fc.option(anyText)])))
  .map((row) => Object.fromEntries(Object.entries(row).flatMap(([name, one]) => (one === null ? [] : [[name, one]]))));

function jsonOf(drawn: Drawn): Record<string, string> {
  return Object.fromEntries(Object.entries(drawn).map(([name, { json }]) => [name, json]));
}

describe("laws", () => {
  test("each text field keeps its text, each number its digits, and everything else goes to extra", () => {
    fc.assert(
      fc.property(drawnRow, (drawn) => {
        const blank = Object.fromEntries(Object.keys(TEXT_FIELDS).map((name) => [name, undefined]));
        const fields = jsonOf(drawn);
        const fill = fillOf({ ...blank, ...fields });
        for (const [name, field] of Object.entries(TEXT_FIELDS)) {
          const value = drawn[name];
          expect(fill[field]).toBe(value?.text ?? null);
          expect(Object.hasOwn(fill.extra ?? {}, name)).toBe(value !== undefined && value.text === undefined);
        }
      }),
    );
  });

  test("a row reads the same whatever rows are beside it", () => {
    const other = { matchId: '"of another fill"' };
    const neighbours = [
      rowText({ ...other, price: "1.50" }),
      rowText({ ...other, market: '"\\u0041"' }),
      rowText({ ...other, x: "12345678901234567890" }),
      rowText(other).replace("{", '{"market":"of another trade",'),
    ];
    fc.assert(
      fc.property(drawnRow, fc.dictionary(fc.string(), numberText), (drawn, unknown) => {
        const fields = jsonOf(drawn);
        const text = rowText({ ...unknown, ...fields });
        const alone = only(pageText([text]));
        for (const neighbour of neighbours) {
          expect(decodePage(pageText([text, neighbour])).rows[0]).toEqual(alone);
        }
      }),
    );
  });

  test("any body gives a page or a FillbookError", () => {
    const bodies = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.json().map((json) => `{"completedOrders":[${json}],"last":${json}}`),
      fc.tuple(drawnRow, fc.nat()).map(([drawn, cut]) => {
        const body = pageText([rowText(jsonOf(drawn))]);
        return body.slice(0, cut % body.length);
      }),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        try {
          expect(Array.isArray(decodePage(body).rows)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(FillbookError);
          expect(["incomplete", "untrusted"]).toContain((error as FillbookError).kind);
        }
      }),
    );
  });
});
