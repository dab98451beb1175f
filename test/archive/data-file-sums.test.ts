import fc from "fast-check";
import { expect, test } from "vitest";
import { DataFileSums } from "../../lambda/archive/data-file-sums.ts";
import { setHashOf } from "../../lambda/archive/set-hash.ts";
import { byTxCreated } from "../../lambda/core/fill.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";

const time = fc.integer({ min: 0, max: 20 });
const fillThen = fc.tuple(arbitraryFill, time).map(([fill, txCreated]) => ({ ...fill, txCreated }));

test("the sums of a range equal a count of its fills", () => {
  fc.assert(
    fc.property(fc.array(fillThen), time, time, (some, from, to) => {
      const fills = some.toSorted(byTxCreated);
      const inside = fills.filter(({ txCreated }) => from <= txCreated && txCreated < to);
      expect(DataFileSums.of(fills).within({ from, to: Math.max(from, to) })).toEqual({
        rows: inside.length,
        first: inside.at(0)?.txCreated ?? null,
        last: inside.at(-1)?.txCreated ?? null,
        set: setHashOf(inside),
      });
      expect(DataFileSums.of(fills).within().set).toBe(setHashOf(fills));
    }),
  );
});
