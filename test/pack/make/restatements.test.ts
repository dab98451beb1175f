import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restatementsKey } from "../../../lambda/archive/keys.ts";
import type { SeenRestatement } from "../../../lambda/archive/restatements.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { restatementsIn } from "../../../lambda/pack/tables/restatements.ts";
import { arbitraryFill } from "../../support/arbitrary-fill.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { prepareArchive } from "../archive.ts";
import { bytesOf, completenessOf, csvOf, MARCH, packFrom, packOf, WIDE } from "../pack.ts";

const SEEN = Date.UTC(2025, 4, 1, 4, 10);
const HEADER = [
  ...["account", "seen_at", "kind", "match_id", "order_id", "market"],
  ...["trade_time_before", "trade_time_after", "column", "before", "after"],
];

const before = makeFill({ filledAt: null, extra: { note: "a" } });
const whole = { ...before, filledAt: before.txCreated - 89 };
const enriched: SeenRestatement = {
  kind: "enriched",
  before,
  after: whole,
  seenAt: SEEN,
};
const changed: SeenRestatement = {
  kind: "changed",
  before: whole,
  after: { ...whole, fee: "-1.20", price: "60000.1", extra: null },
  seenAt: SEEN + 1,
};
const late: SeenRestatement = { kind: "late", before: null, after: makeFill({ matchId: "late" }), seenAt: SEEN + 2 };

function packWith(store: ReturnType<typeof memoryStore>, fills: readonly Fill[], commits: SeenRestatement[][]) {
  return packFrom(store, prepareArchive(fills, 7 * DAY_MS, WIDE, commits));
}

describe("restatements.csv", () => {
  test("has only its header if nothing was restated", async () => {
    const store = memoryStore();
    const pack = await packOf(store, [before]);
    expect(csvOf(store, pack, "restatements.csv")).toEqual([HEADER]);
    expect(bytesOf(store, pack, "restatements.csv").subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });

  test("has a row for each changed column, with the service's values, in order of filing; a late fill has one row", async () => {
    const store = memoryStore();
    const pack = await packWith(store, [changed.after, late.after], [[enriched], [changed, late]]);
    const id = ["5f7b1c1e-8a52-4a30-9a0e-0f4f0f1d2c3b", "01HZY3Q8R9V7T5N2M4K6J8H0GF", "BTC-USD"];
    const [then, now] = ["2025-03-01T12:34:56.789Z", "2025-03-01T12:34:56.700Z"];
    expect(csvOf(store, pack, "restatements.csv").slice(1)).toEqual([
      ["main", "2025-05-01T04:10:00.000Z", "enriched", ...id, then, now, "filled_at", "", now],
      ["main", "2025-05-01T04:10:00.001Z", "changed", ...id, now, now, "price", "60000.10", "60000.1"],
      ["main", "2025-05-01T04:10:00.001Z", "changed", ...id, now, now, "fee", "-1.2", "-1.20"],
      ["main", "2025-05-01T04:10:00.001Z", "changed", ...id, now, now, "extra", '{"note":"a"}', ""],
      ["main", "2025-05-01T04:10:00.002Z", "late", "late", ...id.slice(1), "", now, "", "", ""],
    ]);
    expect(pack.files.find(({ path }) => path === "restatements.csv")?.rows).toBe(5);
    expect(completenessOf(store, pack).totals.restatements).toEqual({ late: 1, changed: 1, enriched: 1 });
  });

  test("lists the differences between the rows of fills.csv before and after, for any values", async () => {
    const march = fc.integer({ min: MARCH.from, max: MARCH.to - 1 });
    const version = fc
      .tuple(arbitraryFill, march, fc.option(march))
      .map(([fill, txCreated, filledAt]) => ({ ...fill, txCreated, filledAt }));
    const keys = Object.keys(before).filter((key) => key !== "matchId" && key !== "orderId");
    // A version, and another one that takes some of its fields from a third.
    const pair = fc.tuple(version, version, fc.subarray(keys, { minLength: 1 })).map(([one, source, fields]) => ({
      one,
      other: { ...one, ...Object.fromEntries(Object.entries(source).filter(([key]) => fields.includes(key))) },
    }));
    await fc.assert(
      fc.asyncProperty(pair, async ({ one, other }) => {
        const [old, current] = [memoryStore(), memoryStore()];
        const restated: SeenRestatement = { kind: "changed", before: one, after: other, seenAt: SEEN };
        const [names = [], was = []] = csvOf(old, await packOf(old, [one]));
        const pack = await packWith(current, [other], [[restated]]);
        const [, is = []] = csvOf(current, pack);
        const derived = ["notional", "fee_currency"];
        const differing = names
          .map((name, at) => [name, was[at], is[at]])
          .filter(([name = "", a, b]) => a !== b && !derived.includes(name));
        const rows = csvOf(current, pack, "restatements.csv").slice(1);
        // null and the empty text, or two texts that are not Unicode, differ but give the same cells.
        expect(rows.map((row) => row.slice(8)).filter(([name, a, b]) => a !== b && name !== "extra")).toEqual(
          differing,
        );
        const [, , extra] = rows.find((row) => row[8] === "extra")?.slice(8) ?? [];
        expect(extra === undefined).toBe(isDeepStrictEqual(one.extra, other.extra));
        if (extra !== undefined) {
          expect(extra === "" ? null : JSON.parse(extra)).toEqual(other.extra);
        }
      }),
      { numRuns: 12 },
    );
  });

  test("neutralises cells that a spreadsheet would run, and counts them", async () => {
    const store = memoryStore();
    const after = { ...before, side: "=1+1", tradeType: "@x", fee: "-2" };
    const pack = await packWith(store, [after], [[{ kind: "changed", before, after, seenAt: SEEN }]]);
    expect(
      csvOf(store, pack, "restatements.csv")
        .slice(1)
        .map((row) => row.slice(8)),
    ).toEqual([
      ["side", "buy", "'=1+1"],
      ["fee", "-1.2", "-2"],
      ["trade_type", "limit", "'@x"],
    ]);
    // Two in fills.csv, two in exceptions.csv (the fill's type again, as one that is not known), two in
    // restatements.csv.
    expect(completenessOf(store, pack).totals).toMatchObject({
      escaped_cells: 6,
      exceptions: csvOf(store, pack, "exceptions.csv").length - 1,
      fills_with_exceptions: 1,
    });
  });
});

describe("a restatement concerns a period", () => {
  const at = (time: number) => ({ ...before, txCreated: time, filledAt: time });
  const moved = (from: number, to: number): SeenRestatement => ({
    kind: "changed",
    before: at(from),
    after: at(to),
    seenAt: SEEN,
  });

  test.each([
    ["that its fill was in", MARCH.from, MARCH.from - 1, 1],
    ["that its fill is in now", MARCH.to, MARCH.to - 1, 1],
    ["in which it stayed", MARCH.from, MARCH.to - 1, 1],
    ["but not one between its two times", MARCH.from - 1, MARCH.to, 0],
    ["but not a later one", MARCH.from - 2, MARCH.from - 1, 0],
  ])("%s", async (_, from, to, count) => {
    const store = memoryStore();
    const pack = await packWith(store, [at(to)], [[moved(from, to)]]);
    expect(completenessOf(store, pack).totals.restatements.changed).toBe(count);
  });

  test("one object is read at a time, and only objects that hold something of the period", async () => {
    const commits = [0, 40, 1, 2].map((day) => [moved(MARCH.from + day * DAY_MS, MARCH.from + day * DAY_MS + 1)]);
    const { manifest, readRestatements, reads } = prepareArchive([], DAY_MS, WIDE, commits);
    let given = 0;
    for await (const batch of restatementsIn(MARCH, { manifest, readRestatements })) {
      given += batch.length;
      expect(reads).toHaveLength(given);
    }
    const keys = manifest.restatements.map((file) => restatementsKey("main", file));
    expect(reads).toEqual([0, 2, 3].map((object) => keys[object]));
  });
});

describe("a pack after a restatement", () => {
  test("is a new version even if the fills are the same, but not after a restatement of another period", async () => {
    const store = memoryStore();
    const fills = [changed.after, late.after];
    const versionOf = async (commits: SeenRestatement[][]) => (await packWith(store, fills, commits)).version;
    const elsewhere = { ...late, after: makeFill({ matchId: "april", txCreated: MARCH.to, filledAt: MARCH.to }) };
    const plain = await versionOf([]);
    const versions = [
      await versionOf([[enriched]]),
      await versionOf([[enriched], [late]]),
      await versionOf([[enriched], [{ ...late, seenAt: SEEN + 3 }]]),
      await versionOf([[late], [enriched]]),
    ];
    expect(new Set([plain, ...versions]).size).toBe(5);
    expect(await versionOf([[elsewhere]])).toBe(plain);
    expect(await versionOf([[enriched, late]])).toBe(versions[1]);
  });

  test("has the same bytes when it is made again", async () => {
    const [one, other] = [memoryStore(), memoryStore()];
    const fills = [changed.after, late.after];
    await packWith(one, fills, [[enriched], [changed, late]]);
    await packWith(other, fills, [[enriched, changed], [late]]);
    expect([...other.snapshot()]).toEqual([...one.snapshot()]);
  });
});
