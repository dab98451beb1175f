import fc from "fast-check";
import { expect, test } from "vitest";
import {
  collectablePrefixes,
  dataFileKey,
  headKey,
  isCollectable,
  manifestKey,
  manifestSeqOf,
  nodeKey,
  pagesKey,
  restatementsKey,
  sha256InKey,
} from "../../lambda/archive/keys.ts";

const account = fc.stringMatching(/^[a-z0-9-]{1,32}$/);
const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
const count = fc.nat();
const range = fc
  .tuple(fc.integer({ min: Date.UTC(1969, 0), max: Date.UTC(2100, 0) }), fc.integer({ min: 1, max: 1e12 }))
  .map(([from, width]) => ({ from, to: from + width }));

/**
 * Units of the calendar. A day is left out, because its name differs from an hour's in only three characters.
 */
const unit = fc.constantFrom("2025", "2025-03", "2025-03-14T05", "2025-03-14T0530");

/** One name of each kind that a run writes. */
const names = fc.record({ account, sha256, count, epoch: count, range, unit }).map((of) => ({
  ...of,
  keys: [
    manifestKey(of.account, of.count, of.sha256),
    dataFileKey(of.account, of.range, of.sha256),
    dataFileKey(of.account, of.range, of.sha256, of.epoch),
    pagesKey(of.account, of.range, of.count, of),
    restatementsKey(of.account, of.epoch, of.sha256),
    nodeKey(of.account, of.unit, of),
  ],
}));

test("every object that a run writes can be collected, and lies in one of the searched folders", () => {
  fc.assert(
    fc.property(names, (of) => {
      for (const key of of.keys) {
        expect(isCollectable(of.account, key)).toBe(true);
        expect(collectablePrefixes(of.account).filter((prefix) => key.startsWith(prefix))).toHaveLength(1);
      }
    }),
  );
});

test("no other object can be collected: the head, packs, other accounts' objects, and names that fillbook does not give", () => {
  fc.assert(
    fc.property(names, account, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (of, other, place, noise) => {
      fc.pre(other !== of.account && !/^[\d-]+$/.test(noise)); // a changed number would give a valid name
      for (const key of of.keys) {
        expect(isCollectable(other, key)).toBe(false);
        const at = of.account.length + 1 + (place % (key.length - of.account.length));
        const changed = key.slice(0, at) + noise + key.slice(at);
        expect(isCollectable(of.account, changed)).toBe(false);
      }
      for (const kept of [
        headKey(of.account),
        `${of.account}/packs/2025/latest.json`,
        `${of.account}/packs/2025/${of.sha256}/fills.parquet`,
        `${of.account}/packs/${(of.keys[1] ?? "").slice(of.account.length + 1)}`,
        `${of.account}/manifests/notes.json`,
        `${of.account}/fills/${of.sha256}.parquet`,
        `${of.account}/${of.keys[1]}`,
        `${of.account}`,
        "",
      ]) {
        expect(isCollectable(of.account, kept)).toBe(false);
      }
    }),
  );
});

test("a manifest's number is read from its name, and from no other name", () => {
  fc.assert(
    fc.property(names, (of) => {
      expect(of.keys.map((key) => manifestSeqOf(of.account, key))).toEqual([of.count, null, null, null, null, null]);
      expect(manifestSeqOf(`${of.account}x`, of.keys[0] ?? "")).toBeNull();
      expect(manifestSeqOf(of.account, headKey(of.account))).toBeNull();
    }),
  );
});

test("every name ends with the content's hash, and the epoch makes names of raw responses and restatements unique to a run", () => {
  fc.assert(
    fc.property(names, count, (of, other) => {
      fc.pre(other !== of.epoch);
      expect(of.keys.map(sha256InKey)).toEqual(of.keys.map(() => of.sha256));
      const { sha256: same } = of;
      expect(pagesKey(of.account, of.range, of.count, { epoch: other, sha256: same })).not.toBe(of.keys[3]);
      expect(restatementsKey(of.account, other, same)).not.toBe(of.keys[4]);
      expect(dataFileKey(of.account, of.range, same, other)).not.toBe(of.keys[2]);
    }),
  );
});
