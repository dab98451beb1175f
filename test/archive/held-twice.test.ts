import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { HeldTwice } from "../../lambda/archive/held-twice.ts";
import { makeFill } from "../support/make-fill.ts";

/** Data files as sets of numbered identities. */
const drawnDataFiles = fc.array(fc.uniqueArray(fc.nat(200), { maxLength: 40 }), { maxLength: 8 });

test.prop([drawnDataFiles])("an identity in two data files is found", async (numbers) => {
  const dataFiles = numbers.map((some, at) => ({
    key: `data-file-${at}`,
    fills: some.map((number) => makeFill({ matchId: `m${number}`, orderId: "o" })),
  }));
  const heldTwice = new HeldTwice();
  for (const { fills } of dataFiles) {
    heldTwice.add(fills);
  }
  const found = await heldTwice.doubles(async function* () {
    yield* dataFiles;
  });
  const isTwice = numbers.flat().length > new Set(numbers.flat()).size;
  expect(found.length > 0).toBe(isTwice);
  for (const { fill, keys } of found) {
    const [first, second] = keys.map((key) => dataFiles.find((one) => one.key === key));
    expect(first).not.toBe(second);
    for (const dataFile of [first, second]) {
      expect(dataFile?.fills.map(({ matchId }) => matchId)).toContain(fill.matchId);
    }
  }
});
