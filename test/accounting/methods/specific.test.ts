import { describe, expect, test } from "vitest";
import type { DeclaredPosition } from "../../../lambda/accounting/booked.ts";
import type { Designation, Designations } from "../../../lambda/accounting/methods/specific.ts";
import { FillbookError } from "../../../lambda/core/errors.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { exactly } from "../../support/amounts.ts";
import { type Step, stepsOf } from "../draw.ts";
import { fillsFrom } from "../make.ts";

/** `M4 M2 1.5`: the close M4 takes 1.5 of the lot of M2. `M4 - 1`: it takes 1 of the declared position. */
function matches(...lines: readonly string[]): Designations {
  const rows = lines.map((line, at) => {
    const [close = "", open = "", quantity = ""] = line.split(" ");
    const ids = open === "-" ? ["", ""] : [open, orderOf(open)];
    const [openMatchId = "", openOrderId = ""] = ids;
    const designation: Designation = {
      openMatchId,
      openOrderId,
      quantity: exactly(quantity),
      where: `matches.csv, line ${at + 2}`,
    };
    return { close: `${close}\u0000${orderOf(close)}`, designation };
  });
  return new Map(
    [...Map.groupBy(rows, ({ close }) => close)].map(([close, own]) => [
      close,
      own.map(({ designation }) => designation),
    ]),
  );
}

const orderOf = (matchId: string): string => matchId.replace("M", "O");

/** For each close: `quantity@entry`, with `*` if the file names the lot. */
const taken = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ booked }) =>
    booked.realised === null
      ? []
      : booked.realised.matches
          .map((one) => `${one.quantity}@${one.opener.price}${one.designated ? "*" : ""}`)
          .join(" "),
  );

const FILLS = "B1@100 B2@110 B3@120 S4@130";

describe("a file of matches", () => {
  test.each([["one lot twice", ["M4 M2 1", "M4 M2 0.5"], ["1@110* 0.5@110* 1@100 0.5@110 1@120"]]])(
    "names %s",
    (_, lines, told) => {
      expect(taken(stepsOf(fillsFrom(FILLS), "specific", { designations: matches(...lines) }))).toEqual(told);
    },
  );

  test("names the declared position with empty ids", () => {
    const opening: DeclaredPosition = {
      market: "BTC-USDT",
      quantity: exactly("2"),
      price: exactly("90"),
      asOf: 0,
      where: "opening-positions.csv, line 2",
    };
    const fills = fillsFrom("B1@100 S1@120 S2@130");
    const designations = matches("M2 M1 1", "M3 - 2");
    expect(taken(stepsOf(fills, "specific", { designations, declared: [opening] }))).toEqual(["1@100*", "2@90*"]);
  });

  test.each([
    [
      "more than is closed",
      ["M4 M2 2", "M4 M3 2.5"],
      "matches.csv, line 3: it matches 2.5, more than the 2 left of the close",
    ],
    [
      "more than is open of a lot",
      ["M4 M1 1.5"],
      "matches.csv, line 2: it matches 1.5, more than the 1 left of the lot",
    ],
    [
      "a lot that is gone",
      ["M4 M1 1", "M4 M1 1"],
      "matches.csv, line 3: it matches 1, more than the 0 left of the lot",
    ],
    ["the close itself", ["M4 M4 1"], "matches.csv, line 2: it matches 1, more than the 0 left of the lot"],
  ])("that names %s stops the run", (_, lines, message) => {
    const run = () => stepsOf(fillsFrom(FILLS), "specific", { designations: matches(...lines) });
    expect(run).toThrow(FillbookError);
    expect(run).toThrow(message);
  });

  test("stops the run if it names a lot of another market", () => {
    const [other] = fillsFrom("B5@10", { market: "ETH-USDT" }) as [Fill];
    const fills = [{ ...other, matchId: "M0", orderId: "O0" }, ...fillsFrom(FILLS)];
    expect(() => stepsOf(fills, "specific", { designations: matches("M4 M0 1") })).toThrow(
      "more than the 0 left of the lot",
    );
  });
});
