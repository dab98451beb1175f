import fc from "fast-check";
import { expect, test } from "vitest";
import { PriorityQueue } from "../../lambda/core/priority-queue.ts";

test("what comes out is the least of what is in, as a sorted list has it", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 }))), (steps) => {
      const queue = new PriorityQueue<number>((a, b) => a - b);
      let model: number[] = [];
      for (const step of steps) {
        if (step === null) {
          expect(queue.pop()).toBe(model[0]);
          model = model.slice(1);
        } else {
          queue.push(step);
          model = [...model, step].sort((a, b) => a - b);
        }
      }
    }),
  );
});
