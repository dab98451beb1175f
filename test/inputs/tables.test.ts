import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../lambda/inputs/cells.ts";
import { inputTable, rowsOf as rowsOfTable } from "../../lambda/inputs/table.ts";
import { LOOKALIKES } from "../formats/hostile-texts.ts";
import { exactly } from "../support/amounts.ts";
import { refusal } from "../support/refusal.ts";
import { fileIn, fileOf } from "./make.ts";

const COLUMNS = ["a", "b", "c"] as const;
const raw = ({ text }: Cell) => text;
const TABLE = inputTable({ name: "x.csv", about: "", columns: { a: raw, b: raw, c: raw } });

function rowsOf(content: string | Uint8Array) {
  return rowsOfTable(TABLE, fileOf("x.csv", content), "UTC");
}

const cell = fc.oneof(
  fc.constantFrom(...LOOKALIKES, "", "x", "1.5"),
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\0]/g, "")),
);
/** A row with content. A row of only white space would count as a blank line. */
const record = fc.tuple(cell, cell, cell).filter((cells) => cells.some((text) => text.trim() !== ""));

/** RFC 4180, section 2: quotes are required for some cells, and optional for all others. */
function quoted(text: string, always: boolean): string {
  return always || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

describe("a table", () => {
  prop.prop([
    fc.array(fc.tuple(record, fc.boolean(), fc.nat(2)), { maxLength: 12 }),
    fc.shuffledSubarray([...COLUMNS], { minLength: 3 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    fc.boolean(),
  ])("is read by RFC 4180, for any order of columns and any line ends", (records, order, newline, mark, ends) => {
    const lines: string[] = [order.join(",")];
    const expected: unknown[] = [];
    for (const [cells, always, blanks] of records) {
      lines.push(...Array.from({ length: blanks }, (_, at) => (at === 0 ? "" : " ,, ")));
      const line = lines.join("\n").split("\n").length + 1;
      lines.push(cells.map((text) => quoted(text, always)).join(","));
      const named = Object.fromEntries(order.map((column, at) => [column, cells[at]]));
      expected.push({ ...named, line, where: `x.csv, line ${line}` });
    }
    const text = (mark ? "\uFEFF" : "") + lines.join("\n") + (ends ? "\n" : "");
    expect(rowsOf(text.replaceAll("\n", newline))).toEqual(expected);
  });

  test("with a megabyte in one cell is read, and the message shortens it", () => {
    const long = "x".repeat(1_000_000);
    expect(rowsOf(`a,b,c\n1,"${long}",3`)[0]?.b).toHaveLength(1_000_000);
    expect(refusal(() => rowsOf(`a,b,${long}\n`)).message).toBe(
      `x.csv, line 1: there is no column "${"x".repeat(80)}"…`,
    );
  });

  test("with 200,000 rows gives each row its line number", () => {
    const rows = rowsOf(`a,b,c\n${"1,2,3\n".repeat(200_000)}`);
    expect([rows.length, rows.at(-1)?.line]).toEqual([200_000, 200_001]);
  });

  const header = "the first line must be a,b,c (in any order)";
  const encoding = "save it again as UTF-8; spreadsheets call this format “CSV UTF-8”";
  const quotes =
    'close a quoted cell with a quote before the comma, and double each quote inside it: "so ""called"" name"';
  const commas = "put text that contains a comma in quotes; write numbers without commas";
  test.each<[string | Uint8Array, string, string]>([
    ["", "x.csv is empty", header],
    ["a,b\n", "x.csv, line 1: the header has no c", header],
    ["\n\na,b,c,d\n", 'x.csv, line 3: there is no column "d"', header],
    ["a,B,c\n", 'x.csv, line 1: there is no column "B"', header],
    ["a,b,a\n", "x.csv, line 1: the column a appears twice", header],
    ["a\rb\rc\r1", 'x.csv, line 1: there is no column "a\\rb\\rc\\r1"', header],
    ["a;b;c\n1,5;2;3\n", 'x.csv, line 1: there is no column "a;b;c"', header],
    ["a,b,c\n1,2\n", "x.csv, line 2: the line has 2 cells, but the header has 3", commas],
    ['a,b,c\n"1\n2",2,3\n1,2\n', "x.csv, line 4: the line has 2 cells, but the header has 3", commas],
    ['a,b,c\n1,"2,3\n4,5,6\n', "x.csv, line 2: a quote is not closed, or text follows a closing quote", quotes],
    ['a,b,c\n1,"2"3,4\n', "x.csv, line 2: a quote is not closed, or text follows a closing quote", quotes],
    ["a,b,c\n1,\0,3\n", "x.csv is not text in UTF-8", encoding],
    [Buffer.from("a,b,c\n1,£,3\n", "latin1"), "x.csv is not text in UTF-8", encoding],
    [Buffer.from("\uFEFFa,b,c\n", "utf16le"), "x.csv is not text in UTF-8", encoding],
  ])("%j is refused", (content, message, hint) => {
    expect(refusal(() => rowsOf(content))).toMatchObject({ kind: "usage", message, hint });
  });
});

const HEADERS = {
  "funding.csv": "time,market,amount,currency,source",
  "transfers.csv": "time,currency,amount,note",
  "balances.csv": "time,currency,amount,note",
  "marks.csv": "market,time,price",
  "matches.csv": "close_match_id,close_order_id,open_match_id,open_order_id,quantity",
  "adjustments.csv": "market,time,side,quantity,price,fee,note",
} as const;
type Name = keyof typeof HEADERS;

const read = (name: Name, lines: string, zone = "UTC") => fileIn(name, `${HEADERS[name]}\n${lines}`, zone);

test("amounts are read to the last digit, and lines come in order of time", () => {
  const funding = "2025-03-02,BTC-USDT,-0.000000000000000001,USDT,export\n2025-03-01T09:00:00+09:00,ETH-USD,5,USD,\n";
  expect(read("funding.csv", funding).funding).toMatchObject([
    { time: Date.UTC(2025, 2, 1), market: "ETH-USD", amount: exactly("5"), currency: "USD", source: "", line: 3 },
    { time: Date.UTC(2025, 2, 2), amount: exactly("-0.000000000000000001"), source: "export", line: 2 },
  ]);
  const transfers = "2025-03-02,USDT,-0.5,to the bank\n2025-03-01T09:00:00+09:00,USD,5000,\n";
  expect(read("transfers.csv", transfers).transfers).toMatchObject([
    { time: Date.UTC(2025, 2, 1), currency: "USD", amount: exactly("5000"), note: "", line: 3 },
    { time: Date.UTC(2025, 2, 2), currency: "USDT", amount: exactly("-0.5"), note: "to the bank", line: 2 },
  ]);
  const balances = "2026-01-01,USDT,-12.000000000000000001,\n2025-01-01,USDT,0,December\n2025-01-01,USD,5,x\n";
  expect(read("balances.csv", balances).balances.map(({ amount, note }) => [String(amount), note])).toEqual([
    ["0", "December"],
    ["5", "x"],
    ["-12.000000000000000001", ""],
  ]);
  const marks = "A-USD,2026-01-01,0\nB-USD,2025-12-31,2E-8\n";
  expect(read("marks.csv", marks).marks?.map(({ price }) => String(price))).toEqual(["0.00000002", "0"]);
});

test("notes keep their text unchanged", () => {
  const lines = LOOKALIKES.map((note, at) => `2025-03-01,USD,${at + 1},"${note.replaceAll('"', '""')}"\n`);
  expect(read("transfers.csv", lines.join("")).transfers?.map(({ note }) => note)).toEqual(LOOKALIKES);
});

describe("a time", () => {
  test.each([
    ["2025-03-01", "America/New_York", "2025-03-01T05:00:00.000Z"],
    ["2025-07-01", "America/New_York", "2025-07-01T04:00:00.000Z"],
    ["2025-03-01T00:00:00Z", "America/New_York", "2025-03-01T00:00:00.000Z"],
    ["2025-03-01 UTC", "America/New_York", "2025-03-01T00:00:00.000Z"],
    ["2025-07-01 Europe/London", "America/New_York", "2025-06-30T23:00:00.000Z"],
    ["2025-07-01 +09:00", "America/New_York", "2025-06-30T15:00:00.000Z"],
    // The clocks skip midnight: the day's first instant is an hour later.
    ["2025-04-25 Africa/Cairo", "UTC", "2025-04-24T22:00:00.000Z"],
  ])("%s in a pack of %s is %s", (written, zone, time) => {
    const times = [
      ...read("balances.csv", `${written},USD,1,x\n`, zone).balances,
      ...(read("marks.csv", `A-USD,${written},1\n`, zone).marks ?? []),
      ...(read("funding.csv", `${written},A-USD,1,USD,x\n`, zone).funding ?? []),
    ].map((row) => new Date(row.time).toISOString());
    expect(times).toEqual([time, time, time]);
  });

  test.each([
    "2025-03-01 00:00:00",
    "2025-03-01 Europe/Nowhere",
    "2025-03-01 +9",
    "2025-03-01  UTC",
    "2025-03-01 2025-01-01T00:00[UTC]",
    "2025-03-01T00:00:00Z UTC",
    "2025-12-31T23:59:60Z",
    "1740787200000",
    "yesterday",
  ])("%j is none", (written) => {
    const { message, hint } = refusal(() => read("balances.csv", `${written},USD,1,x\n`, "America/New_York"));
    expect(message).toBe(`balances.csv, line 2: time is ${JSON.stringify(written)}, which is not a time`);
    expect(hint).toBe(
      "write 2025-01-31T09:30:00Z (or another offset instead of Z); or 2025-01-31 for the start of that day in America/New_York, the time zone of the pack; or 2025-01-31 Europe/London for its start elsewhere",
    );
  });
});

describe("two lines", () => {
  const of = (line: string, same: string, between = line.replace(",1,", ",2,")) => [line, between, same] as const;
  const FUNDING = "2025-03-01,A-USD,1,USD,x";
  test.each<[Name, columns: string, lines: readonly [string, string, string]]>([
    // Of one instant and amount, however they are written.
    ["funding.csv", "time, market, amount, currency, source", of(FUNDING, FUNDING)],
    ["funding.csv", "time, market, amount, currency, source", of(FUNDING, "2025-03-01T01:00:00+01:00,A-USD,1,USD,x")],
    ["transfers.csv", "time, currency, amount, note", of("2025-03-01,USD,1,x", "2025-03-01,USD,1.00,x")],
    [
      "balances.csv",
      "currency, time",
      of("2025-01-01,USD,5,x", "2025-01-01T01:00:00+01:00,USD,5,y", "2025-01-01,USDT,5,x"),
    ],
    ["marks.csv", "market, time", of("A-USD,2026-01-01,1", "A-USD,2026-01-01T00:00:00Z,2", "B-USD,2026-01-01,1")],
    [
      "matches.csv",
      "close_match_id, close_order_id, open_match_id, open_order_id",
      of("C,c,A,a,1", "C,c,A,a,2", "C,c,A,b,1"),
    ],
  ])("of %s that have the same %s are refused: %j", (name, columns, lines) => {
    expect(refusal(() => read(name, `${lines.join("\n")}\n`))).toMatchObject({
      kind: "usage",
      message: `${name}, line 4: ${columns} are the same as in line 2`,
      hint: /balances|marks/.test(name)
        ? "keep one of the two lines"
        : "keep one of the two lines; if there really were two, add them up in one line",
    });
  });

  test.each<[Name, readonly string[]]>([
    [
      "funding.csv",
      ["A-USD,1,USD,x", "B-USD,1,USD,x", "A-USD,1,USDT,x", "A-USD,1,USD,y"].map((line) => `2025-03-01,${line}`),
    ],
    ["transfers.csv", ["USD,1,x", "USDT,1,x", "USD,2,x", "USD,1,y"].map((line) => `2025-03-01,${line}`)],
    // Clocks show the same hour twice.
    ["balances.csv", ["2025-11-02T05:00:00Z,USD,1,a", "2025-11-02T06:00:00Z,USD,2,b"]],
  ])("of %s that differ are two", (name, lines) => {
    const { funding, transfers, balances } = read(name, lines.join("\n"), "America/New_York");
    expect([funding, transfers, balances].map((rows) => rows?.length ?? 0)).toContain(lines.length);
  });
});

test("matches are grouped by close, in the order of the file; the declared position has empty ids", () => {
  expect(read("matches.csv", "C,c,A,a,1\nD,d,A,a,2\nC,c,,,0.5\n").designations).toMatchObject(
    new Map([
      [
        "C\u0000c",
        [
          { openMatchId: "A", openOrderId: "a", quantity: exactly("1"), where: "matches.csv, line 2" },
          { openMatchId: null, openOrderId: null, quantity: exactly("0.5"), where: "matches.csv, line 4" },
        ],
      ],
      ["D\u0000d", [{ openMatchId: "A", openOrderId: "a", quantity: exactly("2"), where: "matches.csv, line 3" }]],
    ]),
  );
});

test.each<[Name, line: string, message: string]>([
  ["funding.csv", "2025-03-01,A-USD,1,usd,x", 'currency is "usd", which is not a currency'],
  ["funding.csv", "2025-03-01,A-USD,1,,x", "currency is empty"],
  ["funding.csv", "2025-03-01,A-USD,1,=USD,x", 'currency is "=USD", which is not a currency'],
  ["funding.csv", "2025-03-01,A-USD,+1,USD,x", 'amount is "+1", which is not a decimal number'],
  ["transfers.csv", "2025-03-01,USD,0.00,x", 'amount is "0.00", which is not an amount other than zero'],
  ["balances.csv", "2025-03-01,$,1,x", 'currency is "$", which is not a currency'],
  ["marks.csv", "A-USD,2026-01-01,-1", 'price is "-1", which is not a price'],
  ["matches.csv", ",c,A,a,1", "close_match_id is empty"],
  ["matches.csv", "C,c c,A,a,1", 'close_order_id is "c c", which is not an id'],
  ["matches.csv", "C,c,A,a,0", 'quantity is "0", which is not greater than zero'],
  ["adjustments.csv", "A-USD,2025-03-01,short,1,1,0,x", 'side is "short", which is not a side'],
  ["adjustments.csv", "A-USD,2025-03-01,sell,1,1,,x", "fee is empty"],
])("%s refuses %j", (name, line, message) => {
  expect(refusal(() => read(name, `${line}\n`))).toMatchObject({
    kind: "usage",
    message: `${name}, line 2: ${message}`,
  });
});
