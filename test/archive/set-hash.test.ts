import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_SET, formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import { contentOf } from "../../lambda/core/fill.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";

const MODULUS = 2n ** 256n;

test("it is the sum of the SHA-256 of each fill's content", () => {
  fc.assert(
    fc.property(fc.array(arbitraryFill), (fills) => {
      const digests = fills.map((fill) => BigInt(`0x${createHash("sha256").update(contentOf(fill)).digest("hex")}`));
      expect(setHashOf(fills)).toBe(digests.reduce((sum, digest) => sum + digest, 0n) % MODULUS);
    }),
  );
});

test("it is written as 64 hexadecimal digits, leading zeros kept", () => {
  expect(formatSetHash(EMPTY_SET)).toBe("0".repeat(64));
  expect(formatSetHash(255n)).toBe(`${"0".repeat(62)}ff`);
  expect(formatSetHash(MODULUS - 1n)).toBe("f".repeat(64));
});
