import fc from "fast-check";
import { expect, test } from "vitest";
import {
  collectable,
  collectablePrefixes,
  dataFileKey,
  headKey,
  manifestKey,
  monthName,
  monthOf,
  readingsKey,
  restatementsKey,
  sha256InKey,
  sha256Of,
  tableKey,
  unfiledKey,
} from "../../lambda/archive/keys.ts";
import { createContent, readContent } from "../../lambda/archive/objects.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

const account = fc.stringMatching(/^[a-z0-9-]{1,32}$/);
const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
const run = fc.stringMatching(/^[0-9a-f]{12}$/);
const range = fc
  .tuple(fc.integer({ min: Date.UTC(2001, 8, 9), max: Date.UTC(9900, 0) }), fc.integer({ min: 1, max: 1e12 }))
  .map(([from, width]) => ({ from, to: from + width }));

/** One name of each kind that a run writes and that a later one may delete. */
const names = fc.record({ account, sha256, count: fc.integer({ min: 1 }), run, range }).map((of) => ({
  ...of,
  keys: [
    manifestKey(of.account, of.count, of.sha256),
    dataFileKey(of.account, { ...of.range, sha256: of.sha256, run: of.run }),
    restatementsKey(of.account, of),
  ],
}));

test("what a commit replaces can be collected, and lies in one of the searched folders", () => {
  fc.assert(
    fc.property(names, (of) => {
      for (const key of of.keys) {
        expect(collectable(of.account, key)).not.toBeNull();
        expect(collectablePrefixes(of.account).filter((prefix) => key.startsWith(prefix))).toHaveLength(1);
      }
    }),
  );
});

test("nothing else can: the head, evidence, pages kept aside, tables, packs, other accounts' objects, other names", () => {
  fc.assert(
    fc.property(names, account, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (of, other, place, noise) => {
      fc.pre(other !== of.account && !/^[\d-]+$/.test(noise)); // a changed number would give a valid name
      for (const key of of.keys) {
        expect(collectable(other, key)).toBeNull();
        const at = of.account.length + 1 + (place % (key.length - of.account.length));
        expect(collectable(of.account, key.slice(0, at) + noise + key.slice(at))).toBeNull();
      }
      for (const kept of [
        headKey(of.account),
        readingsKey(of.account, of.count, of),
        unfiledKey(of.account, of.range, of.sha256),
        `${of.account}/contracts/1-${of.sha256}.json`,
        tableKey(of.account, monthName(of.range.from)),
        `${of.account}/packs/2025/${of.sha256}/fills.parquet`,
        `${of.account}/packs/${(of.keys[1] ?? "").slice(of.account.length + 1)}`,
        `${of.account}/manifests/notes.json`,
        `${of.account}/${of.keys[1]}`,
        of.account,
        "",
      ]) {
        expect(collectable(of.account, kept)).toBeNull();
      }
    }),
  );
});

test("names hold the content's hash, and end with the run: none ever comes back", () => {
  fc.assert(
    fc.property(names, run, (of, other) => {
      fc.pre(other !== of.run);
      expect(sha256InKey(of.keys[0] ?? "")).toBe(of.sha256);
      expect(of.keys.slice(1).every((key) => key.includes(of.sha256) && key.endsWith(`-${of.run}.ndjson.zst`))).toBe(
        true,
      );
      expect(dataFileKey(of.account, { ...of.range, sha256: of.sha256, run: other })).not.toBe(of.keys[1]);
      expect(restatementsKey(of.account, { ...of, run: other })).not.toBe(of.keys[2]);
    }),
  );
});

test("a time lies in its month, and the names are those of the design", () => {
  fc.assert(
    fc.property(range, ({ from }) => {
      const month = monthOf(from);
      expect(month.from <= from && from < month.to).toBe(true);
      expect([monthName(month.from), monthName(month.to - 1)]).toEqual([monthName(from), monthName(from)]);
    }),
  );
  const hash = "a".repeat(64);
  const month = { ...monthOf(Date.UTC(2025, 2, 14)), sha256: hash, run: "0123456789ab" };
  expect(dataFileKey("main", month)).toBe(
    `main/fills/month=2025-03/20250301T000000.000Z-20250401T000000.000Z-${hash}-0123456789ab.ndjson.zst`,
  );
  expect(tableKey("main", "2025-03")).toBe("table/account=main/month=2025-03/fills.parquet");
});

const BODY = bytes("content");
const KEY = `main/manifests/1-${sha256Of(BODY)}.json`;
const clock = fakeClock({ now: 0, auto: true });

test("a name taken by other bytes is refused, and not overwritten", async () => {
  const store = memoryStore();
  store.put(KEY, bytes("damaged"));
  await expect(createContent({ store, clock }, KEY, BODY)).rejects.toMatchObject({
    kind: "untrusted",
    message: expect.stringContaining(KEY),
  });
  expect((await store.get(KEY))?.body).toEqual(new Uint8Array(bytes("damaged")));
});

test("an object that the store reports but does not have is written again; after five attempts the run gives up", async () => {
  const store = memoryStore();
  let lies = 2;
  const lying = {
    ...store,
    createNew: (key: string, body: Uint8Array) => {
      lies -= 1;
      return lies < 0 ? store.createNew(key, body) : Promise.resolve("exists" as const);
    },
  };
  await createContent({ store: lying, clock }, KEY, BODY);
  expect(await readContent(store, KEY, sha256Of(BODY))).toEqual(new Uint8Array(BODY));
  lies = Number.POSITIVE_INFINITY;
  await expect(createContent({ store: lying, clock }, `${KEY}x`, BODY)).rejects.toMatchObject({ kind: "incomplete" });
});
