import { inflateRawSync } from "node:zlib";
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { Deflate } from "../../lambda/formats/deflate/deflate.ts";
import { codeLengths, codesOf } from "../../lambda/formats/deflate/huffman.ts";

function deflated(bytes: Uint8Array, cuts: readonly number[] = []): Uint8Array {
  const deflate = new Deflate();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [at, from] of places.entries()) {
    deflate.push(bytes.subarray(from, places[at + 1] ?? from));
  }
  return deflate.finish();
}

/** Bytes that no compressor makes smaller. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
}

const repetitive = fc
  .array(fc.record({ text: fc.string({ maxLength: 40 }), times: fc.integer({ min: 1, max: 60 }) }), { maxLength: 30 })
  .map((parts) => Buffer.from(parts.map(({ text, times }) => text.repeat(times)).join("")));

describe("deflate, which zlib inflates", () => {
  test.prop([fc.uint8Array({ maxLength: 4000 }), fc.array(fc.nat(), { maxLength: 5 })])(
    "any bytes, pushed in any pieces, as the same bytes",
    (bytes, cuts) => {
      const packed = deflated(bytes, cuts);
      expect(Buffer.compare(inflateRawSync(packed), bytes)).toBe(0);
      expect(Buffer.compare(packed, deflated(bytes))).toBe(0);
    },
  );

  test.prop([repetitive])("what repeats itself", (bytes) => {
    expect(Buffer.compare(inflateRawSync(deflated(bytes)), bytes)).toBe(0);
  });

  test.each([0, 1, 3, 4, 257, 258, 259, 262_143, 262_144, 262_145, 600_000])("%i equal bytes", (length) => {
    const bytes = new Uint8Array(length).fill(97);
    const packed = deflated(bytes, [1, 100_000]);
    expect(Buffer.compare(inflateRawSync(packed), bytes)).toBe(0);
    expect(packed.length).toBeLessThan(60 + length / 300);
  });

  // Every length, and distances at both ends of every row of RFC 1951's table.
  test("matches of every length and far apart", () => {
    const distances = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25, 32, 33, 48, 49, 64, 65, 96, 97, 128, 129];
    const far = [
      192, 193, 256, 257, 384, 385, 512, 513, 768, 1024, 1537, 2049, 4096, 6145, 8193, 16_384, 24_577, 32_768,
    ];
    for (const distance of [...distances, ...far, 32_769]) {
      const block = noise(distance);
      const pieces = Array.from({ length: 256 }, (_, at) => block.subarray(0, Math.min(at + 3, distance)));
      const bytes = Buffer.concat(distance > 5000 ? [block, block, block] : [block, ...pieces, block]);
      expect(Buffer.compare(inflateRawSync(deflated(bytes)), bytes), String(distance)).toBe(0);
    }
  });

  test("what cannot be made smaller grows by less than a thousandth", () => {
    const bytes = noise(1_000_000);
    const packed = deflated(bytes);
    expect(Buffer.compare(inflateRawSync(packed), bytes)).toBe(0);
    expect(packed.length).toBeLessThan(1_001_000);
  });
});

const someCounts = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 2, maxLength: 286 });

/** Huffman's cost by the textbook: merge the two least, again and again. */
function leastCost(counts: readonly number[]): number {
  const weights = counts.filter((count) => count > 0);
  let cost = 0;
  while (weights.length > 1) {
    weights.sort((a, b) => b - a);
    const sum = (weights.pop() ?? 0) + (weights.pop() ?? 0);
    cost += sum;
    weights.push(sum);
  }
  return cost;
}

/** 1 for a whole tree (Kraft). */
function kraft(lengths: Uint8Array): number {
  return [...lengths].reduce((sum, length) => sum + (length === 0 ? 0 : 2 ** -length), 0);
}

describe("prefix codes", () => {
  test.prop([someCounts.filter((counts) => counts.filter((count) => count > 0).length > 1)])(
    "cost as little as Huffman's, and their tree is whole",
    (counts) => {
      const lengths = codeLengths(Uint32Array.from(counts), 30);
      expect(counts.reduce((sum, count, at) => sum + count * (lengths[at] ?? 0), 0)).toBe(leastCost(counts));
      expect(kraft(lengths)).toBe(1);
    },
  );

  test.prop([someCounts, fc.integer({ min: 9, max: 15 })])("are no longer than the limit", (counts, limit) => {
    const lengths = codeLengths(Uint32Array.from(counts), limit);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(limit);
    expect(kraft(lengths)).toBe(1);
    expect(counts.every((count, at) => count === 0 || (lengths[at] ?? 0) > 0)).toBe(true);
  });

  test("of Fibonacci's counts, which make the longest codes, are cut to the limit", () => {
    const counts = [1, 1];
    while (counts.length < 40) {
      counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
    }
    expect(Math.max(...codeLengths(Uint32Array.from(counts), 60))).toBe(39);
    const lengths = codeLengths(Uint32Array.from(counts), 15);
    expect([Math.max(...lengths) <= 15, kraft(lengths)]).toEqual([true, 1]);
  });

  // RFC 1951, 3.2.2: lengths (3,3,3,3,3,2,4,4) give 010 011 100 101 110 00 1110 1111; here lowest bit first.
  test("are RFC 1951's for its example", () => {
    const codes = codesOf(Uint8Array.from([3, 3, 3, 3, 3, 2, 4, 4]));
    expect([...codes]).toEqual([0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111]);
  });
});
