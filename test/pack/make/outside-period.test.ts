import { expect, test } from "vitest";
import type { Inputs } from "../../../lambda/inputs/inputs.ts";
import { inputsOf } from "../../../lambda/inputs/inputs.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { fileOf } from "../../inputs/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { packOf, WIDE } from "../pack.ts";

async function notesOf(name: string, text: string): Promise<readonly string[]> {
  const inputs: Inputs = inputsOf([fileOf(name, text)], "main/inputs", "UTC");
  const request = { inputs, beginning: WIDE.from, isMethodChosen: true };
  const { notes } = await packOf(memoryStore(), fillsFrom("B2@100/0.10 S1@110/0.33"), request);
  return notes;
}

const HEADS = {
  "funding.csv": "time,market,amount,currency,source\n",
  "transfers.csv": "time,currency,amount,note\n",
  "balances.csv": "time,currency,amount,note\n",
  "marks.csv": "market,time,price\n",
} as const;

const LINES: Readonly<Record<keyof typeof HEADS, (time: string) => string>> = {
  "funding.csv": (time) => `${time},BTC-USDT,-1.25,USDT,x\n`,
  "transfers.csv": (time) => `${time},USDT,50,x\n`,
  "balances.csv": (time) => `${time},USDT,50,x\n`,
  "marks.csv": (time) => `BTC-USDT,${time},50\n`,
};

function fileWith(name: keyof typeof HEADS, ...times: readonly string[]): string {
  return HEADS[name] + times.map(LINES[name]).join("");
}

const BEFORE = "2025-02-28T23:59:59.999Z";
// A balance counts at the period's end too, a price only on the last day and at the end.
const [FIRST, LAST, END, AFTER] = ["2025-03-01", "2025-03-31", "2025-04-01", "2025-04-01T00:00:00.001Z"] as const;

const OUTSIDE = "not used, being outside the period (2025-03-01 to 2025-03-31, UTC)";
const NO_PRICE = "not used, being no last price of an open position on the period's last day (2025-03-31, UTC)";

test.each([
  ["funding.csv", END, OUTSIDE, [FIRST, LAST]],
  ["transfers.csv", END, OUTSIDE, [FIRST, LAST]],
  ["balances.csv", AFTER, OUTSIDE, [FIRST, LAST, END]],
  ["marks.csv", AFTER, NO_PRICE, [LAST, END]],
] as const)("the rows of %s that do not count are counted", async (name, late, remark, inside) => {
  expect(await notesOf(name, fileWith(name, BEFORE, late))).toEqual([`${name}: 2 of its 2 rows are ${remark}`]);
  for (const time of inside) {
    expect(await notesOf(name, fileWith(name, BEFORE, time))).toEqual([`${name}: 1 of its 2 rows is ${remark}`]);
    expect(await notesOf(name, fileWith(name, time))).toEqual([]);
  }
});

test("a file without rows says that there was nothing", async () => {
  for (const name of Object.keys(HEADS) as (keyof typeof HEADS)[]) {
    expect(await notesOf(name, HEADS[name])).toEqual([]);
  }
});

test("rows before the period matter in opening-positions.csv, so it is not named", async () => {
  const lines = "market,quantity,average_price,as_of,evidence\nBTC-USDT,0,,2025-02-20,x\n";
  expect(await notesOf("opening-positions.csv", lines)).toEqual([]);
});
