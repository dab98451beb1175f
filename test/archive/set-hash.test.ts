import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_SET, formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import { contentOf, identityOf } from "../../lambda/core/fill.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeFill } from "../support/make-fill.ts";

const MODULUS = 2n ** 256n;
const distinct = fc.uniqueArray(arbitraryFill, { selector: identityOf });
const shuffled = distinct.chain((some) =>
  fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length })),
);

test("it is the sum of the SHA-256 of each fill's content", () => {
  fc.assert(
    fc.property(fc.array(arbitraryFill), (fills) => {
      const digests = fills.map((fill) => BigInt(`0x${createHash("sha256").update(contentOf(fill)).digest("hex")}`));
      expect(setHashOf(fills)).toBe(digests.reduce((sum, digest) => sum + digest, 0n) % MODULUS);
    }),
  );
});

test("order is of no account, nor which object holds a fill", () => {
  fc.assert(
    fc.property(shuffled, ([some, others]) => {
      expect(setHashOf(others.map((fill) => structuredClone(fill)))).toBe(setHashOf(some));
    }),
  );
});

test("the sums of disjoint sets add up to that of the whole", () => {
  fc.assert(
    fc.property(distinct, fc.nat(), (some, at) => {
      const cut = at % (some.length + 1);
      const sum = setHashOf(some.slice(0, cut)) + setHashOf(some.slice(cut));
      expect(sum % MODULUS).toBe(setHashOf(some));
    }),
  );
});

test("one fill more, one fill less, or one fill twice is another set", () => {
  fc.assert(
    fc.property(distinct, arbitraryFill, (some, fill) => {
      expect(setHashOf([...some, fill])).not.toBe(setHashOf(some));
      expect(setHashOf([...some, fill, fill])).not.toBe(setHashOf([...some, fill]));
    }),
  );
});

test.each([
  { fee: "-1.3" },
  { fee: "-1.20" },
  { txCreated: 1 },
  { filledAt: null },
  { matchId: "x" },
  { extra: {} },
  { extra: { price: "1" } },
])("a change of %j is another set", (fields) => {
  expect(setHashOf([makeFill(fields)])).not.toBe(setHashOf([makeFill()]));
});

test("it is written as 64 hexadecimal digits, leading zeros kept", () => {
  expect(formatSetHash(EMPTY_SET)).toBe("0".repeat(64));
  expect(formatSetHash(255n)).toBe(`${"0".repeat(62)}ff`);
  expect(formatSetHash(MODULUS - 1n)).toBe("f".repeat(64));
});
