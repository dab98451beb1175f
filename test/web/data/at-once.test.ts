import fc from "fast-check";
import { expect, test } from "vitest";
import { mapConcurrent } from "../../../lambda/web/data/map-concurrent.ts";

test("gives the same results as a plain map, whatever ends first, within the limit of parallel calls", async () => {
  const items = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 8 }), async (turns, limit) => {
      let underWay = 0;
      const results = await mapConcurrent(turns, limit, async (item) => {
        underWay += 1;
        expect(underWay).toBeLessThanOrEqual(limit);
        for (let turn = 0; turn < item; turn += 1) {
          await Promise.resolve();
        }
        underWay -= 1;
        return item * 2;
      });
      expect(results).toEqual(turns.map((item) => item * 2));
    }),
  );
});

test("begins no call after a failure", async () => {
  const begun: number[] = [];
  const failing = mapConcurrent([0, 1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 0) {
      throw new Error("item 0");
    }
  });
  await expect(failing).rejects.toThrow("item 0");
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1]);
});
