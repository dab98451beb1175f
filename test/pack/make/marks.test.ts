import { expect, test } from "vitest";
import { wholeNumber } from "../../../lambda/core/amount.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { MARCH, packOf, rowsOf, WIDE } from "../pack.ts";

const HOUR_MS = 3_600_000;
const FROM_BEGINNING = { from: 0, to: WIDE.to };

test("a price counts if it is from the period's last day, and the last such price is used", async () => {
  const { to } = MARCH;
  const priceAt = async (...hours: number[]) => {
    const marks = hours.map((before) => ({
      market: "BTC-USDT",
      time: to - before * HOUR_MS,
      price: wholeNumber(100 + before),
    }));
    const store = memoryStore();
    const pack = await packOf(store, fillsFrom("B1@100"), { inputs: { ...NO_INPUTS, marks } }, FROM_BEGINNING);
    return rowsOf(store, pack, "open-positions.csv").map(({ mark_price }) => mark_price);
  };
  expect(await priceAt(24, 5)).toEqual(["105"]);
  expect(await priceAt(24)).toEqual(["124"]);
  expect(await priceAt(0)).toEqual(["100"]);
  expect(await priceAt(25)).toEqual([""]);
  expect(await priceAt(-1)).toEqual([""]);
});
