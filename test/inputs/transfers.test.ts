import { describe, expect, test } from "vitest";
import { readTransfers } from "../../lambda/inputs/transfers.ts";
import { exactly } from "../support/amounts.ts";
import { fileOf, HOSTILE, refusal } from "./make.ts";

const HEADER = "time,currency,amount,note\n";
const read = (lines: string, zone = "UTC") => readTransfers(fileOf("transfers.csv", HEADER + lines), zone);

describe("transfers", () => {
  test("are read to the last digit and sorted by time", () => {
    const lines = "2025-03-02,USDT,-0.000000000000000001,to the bank\n2025-03-01T09:00:00+09:00,USD,5000,\n";
    expect(read(lines)).toEqual([
      { time: Date.UTC(2025, 2, 1), currency: "USD", amount: exactly("5000"), note: "", line: 3 },
      {
        time: Date.UTC(2025, 2, 2),
        currency: "USDT",
        amount: exactly("-0.000000000000000001"),
        note: "to the bank",
        line: 2,
      },
    ]);
  });

  test("with a date are in the pack's zone, with a time in the zone it states", () => {
    const times = read("2025-03-01,USD,1,x\n2025-03-01T00:00:00Z,USD,2,x\n", "America/New_York").map(
      ({ time }) => time,
    );
    expect(times).toEqual([Date.UTC(2025, 2, 1), Date.UTC(2025, 2, 1, 5)]);
  });

  test.each([
    ["the same line", "2025-03-01,USD,1,x"],
    ["the same instant, written otherwise", "2025-03-01T01:00:00+01:00,USD,1,x"],
    ["the same amount, written otherwise", "2025-03-01,USD,1.00,x"],
  ])("%s twice would count twice, and is refused with both lines", (_, line) => {
    expect(refusal(() => read(`2025-03-01,USD,1,x\n2025-03-01,USD,2,x\n${line}\n`))).toMatchObject({
      kind: "usage",
      message: "transfers.csv, line 4: this is the same transfer as line 2, so it would count twice",
      hint: "remove one of them; if there really were two, add them up in one line",
    });
  });

  test("with another currency, amount or note is another transfer", () => {
    const lines = ["USD,1,x", "USDT,1,x", "USD,2,x", "USD,1,y"];
    expect(read(lines.map((line) => `2025-03-01,${line}\n`).join(""))).toHaveLength(4);
  });

  test("keep the text of a note unchanged", () => {
    const lines = HOSTILE.map((note, at) => `2025-03-01,USD,${at + 1},"${note.replaceAll('"', '""')}"\n`);
    expect(read(lines.join("")).map(({ note }) => note)).toEqual(HOSTILE);
  });

  test.each([
    ["2025-03-01,USD,0.00,x", 'amount is "0.00", which is not an amount other than zero'],
    ["2025-03-01,USD,+1,x", 'amount is "+1", which is not a decimal number'],
    ["2025-03-01,USD,,x", "amount is empty"],
    ["2025-03-01,usd,1,x", 'currency is "usd", which is not a currency'],
    ["2025-03-01 00:00:00,USD,1,x", 'time is "2025-03-01 00:00:00", which is not a time'],
    [",USD,1,x", "time is empty"],
  ])("%j is refused", (line, message) => {
    expect(refusal(() => read(`${line}\n`))).toMatchObject({
      kind: "usage",
      message: `transfers.csv, line 2: ${message}`,
    });
  });
});
