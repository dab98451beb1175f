import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { HeldFills } from "../../lambda/archive/held.ts";
import { HeldTwice } from "../../lambda/archive/held-twice.ts";
import { type DataFile, emptyManifest } from "../../lambda/archive/manifest.ts";
import { byTxCreated, type Fill, identityOf } from "../../lambda/core/fill.ts";
import { textOf } from "../../lambda/formats/lines.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { contentsOf, DONE, fileOnce, fillOn, MARCH, opened } from "./filed.ts";

const FROM = Date.UTC(2025, 2, 1);
const WIDTH = 10;
const PART: Omit<DataFile, "from" | "to" | "fills"> = {
  ...{ sha256: "", run: "", bytes: 0, firstTrade: 0, lastTrade: 0, exceptions: 0 },
  kind: "part",
};

test.prop([fc.uniqueArray(fc.nat(99), { minLength: 1 }), fc.func(fc.boolean()), fc.integer({ min: 1, max: 9 })])(
  "a range is cut at shown fills, into pieces with few fills or of one data file",
  async (times, isVanished, most) => {
    const fills = times.map((time) => makeFill({ txCreated: FROM + time, matchId: `m-${time}` })).sort(byTxCreated);
    const within = (from: number, to: number) => fills.filter((one) => from <= one.txCreated && one.txCreated < to);
    const dataFiles = Array.from({ length: 10 }, (_, place) => {
      const from = FROM + place * WIDTH;
      return { from, to: from + WIDTH };
    })
      .map((range) => ({ ...PART, ...range, fills: within(range.from, range.to).length }))
      .filter((file) => file.fills > 0);
    const held = new HeldFills(
      { ...emptyManifest("main"), dataFiles },
      ({ from, to }) => Promise.resolve(textOf(within(from, to).map(({ row }) => row))),
      ({ txCreated }) => !isVanished(txCreated - FROM),
    );
    const shown = fills.map(({ txCreated }) => txCreated).filter((time) => !isVanished(time - FROM));
    const chunks = await Array.fromAsync(held.chunksOf({ from: FROM - 1, to: FROM + 101 }, most));
    expect(chunks.map(({ from }) => from)).toEqual([FROM - 1, ...chunks.slice(0, -1).map(({ to }) => to)]);
    expect(chunks.at(-1)?.to).toBe(FROM + 101);
    for (const { from, to } of chunks) {
      expect(from).toBeLessThan(to);
      expect([...shown, FROM + 101]).toContain(to);
      const files = dataFiles.filter((file) => within(Math.max(file.from, from + 1), Math.min(file.to, to)).length > 0);
      const isFew = within(from + 1, to).length <= most || files.length <= 1;
      expect(isFew || times.some((time) => isVanished(time))).toBe(true);
    }
  },
);

/** Data files as sets of numbered identities. */
const drawnDataFiles = fc.array(fc.uniqueArray(fc.nat(200), { maxLength: 40 }), { maxLength: 8 });

test.prop([drawnDataFiles])("an identity in two data files is found", async (numbers) => {
  const dataFiles = numbers.map((some, at) => ({
    key: `data-file-${at}`,
    fills: some.map((number) => makeFill({ matchId: `m${number}`, orderId: "o" })),
  }));
  const heldTwice = new HeldTwice();
  for (const { fills } of dataFiles) {
    heldTwice.add(fills);
  }
  const found = await heldTwice.doubles(async function* () {
    yield* dataFiles;
  });
  const isTwice = numbers.flat().length > new Set(numbers.flat()).size;
  expect(found.length > 0).toBe(isTwice);
  for (const { fill, keys } of found) {
    const [first, second] = keys.map((key) => dataFiles.find((one) => one.key === key));
    expect(first).not.toBe(second);
    for (const dataFile of [first, second]) {
      expect(dataFile?.fills.map(({ matchId }) => matchId)).toContain(fill.matchId);
    }
  }
});

// A fill whose `txCreated` the service has corrected, and whose old version lies in another data file.

const SPRING = { from: MARCH.from, to: Date.UTC(2025, 6, 1) };
const OLD = fillOn(1);
const NEW = fillOn(40, { matchId: "m-1" });

/** An archive that holds the fill in both versions. */
async function heldTwice(): Promise<Store> {
  const store = memoryStore();
  await fileOnce(store, [OLD, fillOn(2), fillOn(39), fillOn(70)], SPRING);
  await fileOnce(store, [NEW], SPRING, 1);
  expect((await contentsOf(store)).findings).toMatchObject([
    expect.stringMatching(
      /both hold the fill of matchId m-1 .*; fillbook sync --again --from \S+ --to \S+ keeps the one/,
    ),
  ]);
  return store;
}

const rest = [fillOn(2), fillOn(39), fillOn(70)];
const holding = (fill: Fill) => [...rest, fill].toSorted((a, b) => a.txCreated - b.txCreated);

describe("a fill that is held twice", () => {
  test.each<[string, Fill, Fill]>([
    ["the newer", NEW, OLD],
    ["the older", OLD, NEW],
  ])(
    "is held as the service shows it, if both versions are known to a question: at %s time",
    async (_, shown, other) => {
      const store = await heldTwice();
      const { session } = await opened(store);
      await session.fillsIn(SPRING);
      session.file({ fills: [], shown: [fillOn(2), shown], covers: null });
      session.file({ fills: [], shown: [shown, fillOn(39)], covers: null });
      await session.end(DONE);
      const { restated, ...contents } = await contentsOf(store);
      expect(contents).toMatchObject({ held: holding(shown), vanished: [], findings: [] });
      expect(restated).toMatchObject([{ kind: "late" }, { kind: "changed", before: other, after: shown }]);
    },
  );

  test("loses the version that has vanished, wherever the other is held", async () => {
    const store = await heldTwice();
    const { session } = await opened(store);
    await session.fillsIn(MARCH);
    session.learn({ vanished: [identityOf(OLD)] });
    await session.end(DONE);
    expect(await contentsOf(store)).toMatchObject({ held: holding(NEW), vanished: [], findings: [] });
  });

  test("loses the version that vanished in an earlier run, once the service shows the other", async () => {
    const store = memoryStore();
    await fileOnce(store, [OLD, ...rest], SPRING);
    const first = await opened(store);
    await first.session.fillsIn(MARCH);
    first.session.learn({ vanished: [identityOf(OLD)] });
    await first.session.end(DONE);
    expect(await contentsOf(store)).toMatchObject({ held: holding(OLD), vanished: [identityOf(OLD)] });
    const second = await opened(store);
    second.session.file({ fills: [NEW], covers: null });
    await second.session.end(DONE);
    expect(await contentsOf(store)).toMatchObject({ held: holding(NEW), vanished: [], findings: [] });
  });
});

describe("a fill that has vanished", () => {
  test("is noted once, however many questions lack it, and no more once it is shown again", async () => {
    const store = memoryStore();
    await fileOnce(store, [OLD, ...rest], SPRING);
    const { session } = await opened(store);
    await session.fillsIn(SPRING);
    const { known } = session;
    session.learn({ vanished: [...known.vanished, identityOf(OLD)] });
    session.learn({ vanished: [...session.known.vanished, identityOf(OLD), identityOf(fillOn(2))] });
    expect(session.known.vanished).toEqual([identityOf(OLD), identityOf(fillOn(2))]);
    session.file({ fills: [], shown: [fillOn(2)], covers: null });
    await session.end(DONE);
    expect(await contentsOf(store)).toMatchObject({ held: holding(OLD), vanished: [identityOf(OLD)] });
  });

  test("is neither the first fill nor the last one, and no question ends at it", async () => {
    const store = memoryStore();
    await fileOnce(
      store,
      [1, 20, 40, 60, 61].map((day) => fillOn(day)),
      SPRING,
    );
    const { session } = await opened(store);
    session.learn({ vanished: [1, 40, 61].map((day) => identityOf(fillOn(day))) });
    expect(await (await session.held()).ends()).toEqual({ first: fillOn(20), last: fillOn(60) });
    const range = { from: fillOn(39).txCreated, to: fillOn(40).txCreated };
    expect(await Array.fromAsync((await session.held()).chunksOf(range))).toEqual([
      { from: fillOn(20).txCreated, to: fillOn(60).txCreated },
    ]);
  });

  test("does not tell whose archive this is", async () => {
    const store = memoryStore();
    const order = (day: number, orderId: string) => fillOn(day, { orderId });
    await fileOnce(store, [order(3, "a"), order(4, "b"), order(40, "c"), order(41, "c"), order(42, "d")], SPRING);
    const { session } = await opened(store);
    const newest = async () => (await (await session.held()).newest(3)).map(({ matchId }) => matchId);
    expect(await newest()).toEqual(["m-42", "m-41"]);
    session.learn({ vanished: [identityOf(order(42, "d")), identityOf(order(41, "c"))] });
    expect(await newest()).toEqual(["m-40"]);
    session.learn({ vanished: [...session.known.vanished, identityOf(order(40, "c"))] });
    expect(await newest()).toEqual(["m-4", "m-3"]);
  });
});
