import fc from "fast-check";
import { expect, test } from "vitest";
import { Identities } from "../../lambda/core/identities.ts";

/** Few matches and few orders. Some pairs give the same text when they are joined carelessly. */
const id = fc.constantFrom("", "a", "b", "ab", "\u0000", '","', 'a","b', "\\", "__proto__", "\ud800", "0");
const identities = fc.array(fc.record({ matchId: id, orderId: id }));

test("every pair has one number, in order of arrival", () => {
  fc.assert(
    fc.property(identities, identities, (some, others) => {
      const numbered = new Identities();
      const plain: string[] = [];
      for (const one of some) {
        const pair = JSON.stringify([one.matchId, one.orderId]);
        const known = plain.indexOf(pair);
        expect(numbered.has(one)).toBe(known !== -1);
        expect(numbered.add(one)).toBe(known === -1 ? plain.push(pair) - 1 : known);
        expect(numbered.size).toBe(plain.length);
      }
      for (const one of others) {
        expect(numbered.has(one)).toBe(plain.includes(JSON.stringify([one.matchId, one.orderId])));
      }
    }),
  );
});

test("addNew returns each new identity of a page once", () => {
  const one = { matchId: "a", orderId: "o" };
  const other = { matchId: "b", orderId: "o" };
  const third = { matchId: "c", orderId: "o" };
  const numbered = Identities.of([one, other, one]);
  expect(numbered.size).toBe(2);
  expect(numbered.addNew([other, third, third])).toEqual([third]);
});
