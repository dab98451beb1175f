import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderProof, watchFrom } from "../../lambda/walk/order.ts";

const UNKNOWN = { direction: null, evidence: 0, refuted: false };

function lnFactorial(count: number): number {
  return Array.from({ length: count }, (_, index) => Math.log(index + 1)).reduce((sum, one) => sum + one, 0);
}

/** Pages of `rows` rows, 1 ms apart, from `top` downwards. */
function descending(pages: number, { rows = 3, top = 1_000_000 } = {}): number[][] {
  return Array.from({ length: pages }, (_, page) => Array.from({ length: rows }, (_row, at) => top - page * rows - at));
}

/** The proof after these chains, each read to its end. */
function proofOf(...chains: readonly (readonly (readonly number[])[])[]): OrderProof {
  const proof = new OrderProof(UNKNOWN);
  for (const pages of chains) {
    let watch = watchFrom();
    for (const page of pages) {
      watch = proof.take(watch, page);
    }
    proof.end(watch);
  }
  return proof;
}

describe("pages that come in order", () => {
  test("k pages of one chain are one order out of k!; chains multiply; the first two times give the direction", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (counts, up) => {
          const chains = counts.map((count) =>
            descending(count).map((page) => (up ? page.map((time) => -time) : page)),
          );
          const { state, isRefuted } = proofOf(...chains);
          expect(state.evidence).toBeCloseTo(
            counts.reduce((sum, count) => sum + lnFactorial(count), 0),
            9,
          );
          expect([state.direction, isRefuted]).toEqual([up ? "ascending" : "descending", false]);
        },
      ),
    );
  });

  test("prove the order at one in a million: ten pages of a chain do, nine do not", () => {
    expect(proofOf(descending(9)).direction).toBeNull();
    expect(proofOf(descending(10)).direction).toBe("descending");
    expect(proofOf(descending(9), descending(4)).direction).toBe("descending"); // 9! · 4! > 1e6
    expect(proofOf(descending(9), descending(2)).direction).toBeNull(); // 9! · 2! < 1e6
  });

  test("prove nothing before one answer has ended in order", () => {
    const proof = new OrderProof(UNKNOWN);
    let watch = watchFrom();
    for (const page of descending(12)) {
      watch = proof.take(watch, page);
    }
    expect(proof.direction).toBeNull();
    proof.end(watch);
    expect(proof.direction).toBe("descending");
  });

  test("prove nothing together over several runs, because a look-back sees the same pages every night", () => {
    const first = proofOf(descending(9));
    const again = (goesOn: boolean) => {
      const proof = new OrderProof(first.state, { goesOn });
      let watch = watchFrom();
      for (const page of descending(9)) {
        watch = proof.take(watch, page);
      }
      return proof.direction;
    };
    expect(again(false)).toBeNull();
    // A run that goes on in the same chains may add to the proof.
    expect(again(true)).toBe("descending");
  });

  test("prove the order for later runs too", () => {
    expect(new OrderProof(proofOf(descending(12)).state, { goesOn: false }).direction).toBe("descending");
  });
});

describe("no proof", () => {
  test("comes from ties, repeated rows or empty pages", () => {
    const proof = proofOf([[7, 7, 7], [7, 7, 7], [], [7, 7, 7]]);
    expect(proof.state).toEqual(UNKNOWN);
  });

  test("comes from each short page: only as many rows as the fullest page had count as one page", () => {
    const full = descending(1, { rows: 100 });
    const singles = descending(250, { rows: 1, top: 999_900 });
    expect(proofOf([...full, ...singles]).state.evidence).toBeCloseTo(lnFactorial(3), 9);
    expect(proofOf([...full, ...singles]).pageRows).toBe(100);
  });

  test("comes from the earlier pages of a resumed chain: it counts from one again", () => {
    const proof = new OrderProof(UNKNOWN);
    let watch = watchFrom(1_000_001);
    for (const page of descending(4)) {
      watch = proof.take(watch, page);
    }
    expect(proof.state.evidence).toBeCloseTo(lnFactorial(4), 9);
  });
});

describe("one row out of order", () => {
  const pages = descending(14);
  const moved = fc.record({ from: fc.nat({ max: 41 }), to: fc.nat({ max: 41 }) }).filter(({ from, to }) => from !== to);

  test("refutes the order for good, in any place of any chain, before or after the proof", () => {
    fc.assert(
      fc.property(moved, fc.integer({ min: 0, max: 3 }), ({ from, to }, before) => {
        const times = pages.flat();
        times.splice(to, 0, ...times.splice(from, 1));
        const broken = pages.map((page, index) => times.slice(index * page.length, (index + 1) * page.length));
        const proof = proofOf(...Array.from({ length: before }, () => pages), broken, pages, pages);
        expect([proof.isRefuted, proof.direction]).toEqual([true, null]);
        const later = new OrderProof(proof.state);
        later.take(watchFrom(), [9, 8, 7]);
        expect(later.isRefuted).toBe(true);
      }),
    );
  });

  test("refutes it between two runs: a row newer than the resume point", () => {
    const proof = new OrderProof({ ...UNKNOWN, direction: "descending", evidence: 99, endSeen: true });
    expect(proof.direction).toBe("descending");
    proof.take(watchFrom(500), [501]);
    expect([proof.isRefuted, proof.direction]).toEqual([true, null]);
  });

  test("refutes it if a chain runs in the other direction", () => {
    expect(proofOf(descending(10), [[1], [2]]).isRefuted).toBe(true);
  });
});

describe("the end of an answer", () => {
  test("is seen once and for all, with rows of more than one time", () => {
    const proof = new OrderProof(UNKNOWN);
    proof.end(proof.take(watchFrom(), [7, 7, 7]));
    expect(proof.state.endSeen).toBeUndefined();
    proof.end(proof.take(watchFrom(), [7, 6]));
    expect(proof.state.endSeen).toBe(true);
    const later = new OrderProof(proof.state);
    later.take(watchFrom(), [5, 4]);
    expect(later.state.endSeen).toBe(true);
  });
});
