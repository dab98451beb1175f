import { expect, test } from "vitest";
import type { Designations } from "../../../lambda/accounting/methods/specific.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { exactly } from "../../support/amounts.ts";
import { stepsOf } from "../draw.ts";
import { fillsFrom } from "../make.ts";

const orderOf = (matchId: string): string => matchId.replace("M", "O");

/** `M4 M2 1.5`: the close M4 takes 1.5 of the lot of M2. `M4 - 1`: it takes 1 of the declared position. */
function matches(...lines: readonly string[]): Designations {
  const rows = lines.map((line, at) => {
    const [close = "", open = "", quantity = ""] = line.split(" ");
    const isDeclared = open === "-";
    const lot = { openMatchId: isDeclared ? null : open, openOrderId: isDeclared ? null : orderOf(open) };
    return { close, ...lot, quantity: exactly(quantity), where: `matches.csv, line ${at + 2}` };
  });
  const groups = Map.groupBy(rows, ({ close }) => `${close}\u0000${orderOf(close)}`);
  return new Map([...groups].map(([close, own]) => [close, own.map(({ close: _, ...designation }) => designation)]));
}

/** Of each close: `quantity@entry`, with `*` if the file names the lot. */
function taken(fills: readonly Fill[], ...lines: readonly string[]): string[] {
  const opening = { quantity: exactly("2"), price: exactly("90"), asOf: 0, where: "opening-positions.csv, line 2" };
  const isOpening = lines.some((line) => line.includes("-"));
  const declared = isOpening ? [{ market: "BTC-USDT", ...opening }] : [];
  return stepsOf(fills, "specific", { designations: matches(...lines), declared }).flatMap(
    ({ booked: { realised } }) =>
      realised === null
        ? []
        : realised.matches.map((one) => `${one.quantity}@${one.opener.price}${one.designated ? "*" : ""}`).join(" "),
  );
}

const FILLS = fillsFrom("B1@100 B2@110 B3@120 S4@130");

test("a file of matches may name a lot twice, and the declared position with empty ids", () => {
  expect(taken(FILLS, "M4 M2 1", "M4 M2 0.5")).toEqual(["1@110* 0.5@110* 1@100 0.5@110 1@120"]);
  expect(taken(fillsFrom("B1@100 S1@120 S2@130"), "M2 M1 1", "M3 - 2")).toEqual(["1@100*", "2@90*"]);
});

// quant.stackexchange.com question 53415: highest first gives 0 and 20, and leaves 2@100, 17@99. Here the same lots
// are named one by one.
test("T2: a close may be named lot by lot", () => {
  const fills = fillsFrom("B12@100 B17@99 B3@103 S9@101 S4@105");
  expect(taken(fills, "M4 M3 3", "M4 M1 6", "M5 M1 4")).toEqual(["3@103* 6@100*", "4@100*"]);
});

const [OTHER] = fillsFrom("B5@10", { market: "ETH-USDT" }) as [Fill];

test.each([
  ["more than is closed", ["M4 M2 2", "M4 M3 2.5"], "line 3: it matches 2.5, more than the 2 left of the close"],
  ["more than is open of a lot", ["M4 M1 1.5"], "line 2: it matches 1.5, more than the 1 left of the lot"],
  ["a lot that is gone", ["M4 M1 1", "M4 M1 1"], "line 3: it matches 1, more than the 0 left of the lot"],
  ["the close itself", ["M4 M4 1"], "line 2: it matches 1, more than the 0 left of the lot"],
  ["a lot of another market", ["M4 M0 1"], "line 2: it matches 1, more than the 0 left of the lot"],
])("a file of matches that names %s stops the run", (_, lines, message) => {
  const fills = [{ ...OTHER, matchId: "M0", orderId: "O0" }, ...FILLS];
  expect(() => taken(fills, ...lines)).toThrow(
    expect.objectContaining({ kind: "usage", message: expect.stringContaining(`matches.csv, ${message}`) }),
  );
});
