import { describe, expect, test } from "vitest";
import { readMatches } from "../../lambda/inputs/matches.ts";
import { booksOf, fillsFrom } from "../accounting/make.ts";
import { exactly } from "../support/amounts.ts";
import { fileOf, refusal } from "./make.ts";

const HEADER = "close_match_id,close_order_id,open_match_id,open_order_id,quantity\n";
const read = (lines: string) => readMatches(fileOf("matches.csv", HEADER + lines));

describe("matches", () => {
  test("are grouped by close, in the order of the file", () => {
    expect(read("C,c,A,a,1\nD,d,A,a,2\nC,c,B,b,0.5\n")).toEqual(
      new Map([
        [
          "C\u0000c",
          [
            { openMatchId: "A", openOrderId: "a", quantity: exactly("1"), where: "matches.csv, line 2" },
            { openMatchId: "B", openOrderId: "b", quantity: exactly("0.5"), where: "matches.csv, line 4" },
          ],
        ],
        ["D\u0000d", [{ openMatchId: "A", openOrderId: "a", quantity: exactly("2"), where: "matches.csv, line 3" }]],
      ]),
    );
  });

  // T2 (quant.stackexchange.com question 53415): highest first gives 0 and 20, and leaves 2@100, 17@99. Here
  // the same lots are named one by one.
  test("reach the accounts: T2", () => {
    const designations = read("M4,O4,M3,O3,3\nM4,O4,M1,O1,6\nM5,O5,M1,O1,4\n");
    const { booked, holdings } = booksOf(fillsFrom("B12@100 B17@99 B3@103 S9@101 S4@105"), {
      method: "specific",
      designations,
    });
    expect(booked.flatMap(({ realised }) => (realised === null ? [] : [String(realised.gross)]))).toEqual(["0", "20"]);
    const lots = holdings[0]?.after.lots ?? [];
    expect(lots.map(({ quantity, value }) => [String(quantity), String(value)])).toEqual([
      ["2", "200"],
      ["17", "1683"],
    ]);
  });

  test.each([
    [",c,A,a,1", "close_match_id is empty", "copy it from match_id or order_id of fills.csv"],
    ["C,c c,A,a,1", 'close_order_id is "c c", which is not an id', "copy it from match_id or order_id of fills.csv"],
    ["C,c,A,a,0", 'quantity is "0", which is not greater than zero', "write the amount without a sign"],
    ["C,c,A,a,-1", 'quantity is "-1", which is not greater than zero', "write the amount without a sign"],
    ["C,c,A,a,", "quantity is empty", /with a decimal point, without thousands separators/],
  ])("%j is refused", (line, message, hint) => {
    const error = refusal(() => read(`${line}\n`));
    expect(error).toMatchObject({ kind: "usage", message: `matches.csv, line 2: ${message}` });
    expect(error.hint).toMatch(hint);
  });

  test("that name one close and one lot twice are refused with both lines", () => {
    expect(refusal(() => read("C,c,A,a,1\nC,c,A,b,1\nC,c,A,a,2\n"))).toMatchObject({
      message: "matches.csv, line 4: line 2 already matches the same close with the same lot",
      hint: "remove one of them, or add their quantities up in one line",
    });
  });
});
