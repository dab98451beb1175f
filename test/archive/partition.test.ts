import fc from "fast-check";
import { expect, test } from "vitest";
import { type Draft, draftOf, encodeDataFile, fillsOf } from "../../lambda/archive/data-file.ts";
import { monthOf } from "../../lambda/archive/keys.ts";
import type { DataFile } from "../../lambda/archive/manifest.ts";
import { mergeFills, type Restatement } from "../../lambda/archive/merge.ts";
import { cutMonth } from "../../lambda/archive/partition.ts";
import { byTxCreated, type Fill, identityOf } from "../../lambda/core/fill.ts";
import { isWithin } from "../../lambda/core/ranges.ts";
import type { TimeRange } from "../../lambda/core/time.ts";
import { textOf } from "../../lambda/formats/lines.ts";
import { fillOfRow } from "../../lambda/formats/row.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";

const MARCH = monthOf(Date.UTC(2025, 2, 1));
const MOST = 4;

/** The objects of a month, and what of them was loaded and written. */
class Month {
  readonly bodies = new Map<string, readonly Fill[]>();
  files: readonly DataFile[] = [];
  readonly #fewFills: number;
  loaded = 0;
  written = 0;

  constructor(fewFills = MOST) {
    this.#fewFills = fewFills;
  }

  #keep(fills: readonly Fill[], range: TimeRange, kind: DataFile["kind"]): DataFile {
    const { file } = encodeDataFile(draftOf({ ...range, kind }, fills), "run");
    this.bodies.set(`${file.from} ${file.to} ${file.sha256}`, fills);
    return file;
  }

  addChain(fills: readonly Fill[]): void {
    const sorted = fills.toSorted(byTxCreated);
    const range = { from: sorted[0]?.txCreated ?? 0, to: (sorted.at(-1)?.txCreated ?? 0) + 1 };
    this.files = [...this.files, this.#keep(sorted, range, "chain")];
  }

  async cut(incoming: readonly Fill[], gone: readonly Fill[] = []) {
    const textIn = ({ from, to, sha256 }: DataFile) => {
      this.loaded += 1;
      return Promise.resolve(textOf((this.bodies.get(`${from} ${to} ${sha256}`) ?? []).map(({ row }) => row)));
    };
    const write = (part: Draft) => {
      this.written += 1;
      const fills = part.texts.flatMap(fillsOf);
      expect({ ...draftOf(part, fills), texts: part.texts }).toEqual(part);
      return Promise.resolve(this.#keep(fills, part, "part"));
    };
    const ports = { textIn, write, mostFills: MOST, fewFills: this.#fewFills };
    const cut = await cutMonth(MARCH, { sources: this.files, incoming, gone }, ports);
    this.files = cut.files;
    return cut;
  }

  get parts() {
    return this.files.map(({ from, to, fills, sha256 }) => ({ from, to, fills, sha256 }));
  }
}

const times = fc.oneof(
  fc.integer({ min: MARCH.from, max: MARCH.to - 1 }),
  fc.integer({ min: MARCH.from, max: MARCH.from + 20 }),
);
/** Some of one millisecond: more than a part should hold stay together. */
const drawn = fc
  .oneof(fc.array(times, { maxLength: 40 }), fc.array(times, { maxLength: MOST }))
  .map((all) => all.map((txCreated, place) => makeFill({ matchId: `m-${place}`, txCreated })));

const groupsOf = fc.nat(4).chain((most) => fc.array(fc.nat(most), { minLength: 40, maxLength: 40 }));

/** What rows say beside their identity. One field lies between their ids. */
const oddities = fc.constantFrom<Partial<FillFields>>({}, { extra: { nonce: 1 } });

async function cutAtOnce(fills: readonly Fill[]): Promise<Month> {
  const month = new Month();
  await month.cut(fills);
  return month;
}

test("the same fills give the same parts and bytes, in whatever chains, order and number of commits they come", async () => {
  await fc.assert(
    fc.asyncProperty(
      drawn,
      oddities,
      groupsOf,
      fc.nat(MOST),
      fc.boolean(),
      async (plain, more, groups, fewFills, isTwice) => {
        const fills = plain.map(({ matchId, txCreated }) => makeFill({ ...more, matchId, txCreated }));
        const whole = await cutAtOnce(fills);
        const month = new Month(fewFills);
        for (const group of [0, 1, 2, 3, 4]) {
          const own = fills.filter((_, place) => groups[place] === group);
          if (group < 2 && own.length > 0) {
            month.addChain(own);
            if (isTwice) {
              month.addChain(own);
            }
          } else {
            await month.cut(own.toReversed());
          }
        }
        await month.cut([]);
        expect(month.parts).toEqual(whole.parts);
        // Repeats change nothing, and nothing is written for them that was there before.
        const before = month.parts;
        expect(await month.cut(fills)).toMatchObject({ added: [], restated: [] });
        expect(month.parts).toEqual(before);
      },
    ),
  );
});

test("a part is the month, or a half of a half of it; it holds few fills, and its parent too many", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (fills) => {
      const { parts, files, bodies } = await cutAtOnce(fills);
      const held = files.flatMap(({ from, to, sha256 }) => bodies.get(`${from} ${to} ${sha256}`) ?? []);
      expect(held).toEqual(fills.toSorted(byTxCreated));
      for (const part of parts) {
        const parents = lineOf(part.from);
        const place = parents.findIndex(({ from, to }) => from === part.from && to === part.to);
        expect(place).not.toBe(-1);
        expect(part.fills <= MOST || part.to - part.from === 1).toBe(true);
        const parent = parents[place - 1];
        const inParent = fills.filter(({ txCreated }) => parent !== undefined && isWithin(parent, txCreated));
        expect(parent === undefined || inParent.length > MOST).toBe(true);
      }
    }),
  );
});

/** The month, its half around a time, that one's half, and so on. */
function lineOf(time: number): { from: number; to: number }[] {
  const line = [MARCH];
  for (let last = MARCH; last.to - last.from > 1; last = line.at(-1) ?? last) {
    const middle = Math.floor((last.from + last.to) / 2);
    line.push(time < middle ? { from: last.from, to: middle } : { from: middle, to: last.to });
  }
  return line;
}

test("a late fill changes one part, and only that one is read and written", async () => {
  const fills = Array.from({ length: 16 }, (_, place) =>
    makeFill({
      matchId: `m${place}`,
      txCreated: MARCH.from + Math.floor(((place + 0.5) * (MARCH.to - MARCH.from)) / 16),
    }),
  );
  const month = await cutAtOnce(fills);
  expect(month.parts.map((part) => part.fills)).toEqual([4, 4, 4, 4]);
  const before = month.parts;
  [month.loaded, month.written] = [0, 0];
  const [gone] = fills as [Fill];
  const late = makeFill({ matchId: "late", txCreated: MARCH.to - 1 });
  const { added } = await month.cut([late]);
  expect([added, month.written]).toEqual([[late], 2]);
  expect(month.loaded).toBeLessThanOrEqual(2);
  expect(month.parts.slice(0, 3)).toEqual(before.slice(0, 3));
  expect(month.parts.slice(3).map((part) => part.fills)).toEqual([2, 3]);
  // A fill that is held no longer: its part becomes smaller, or is joined with its sibling.
  await month.cut([], [gone, late]);
  expect(month.parts.map((part) => part.fills)).toEqual([3, 4, 4, 4]);
});

test("chains in turn, and mixed ones, give the parts of one cut: a fill at the border of two is there once", async () => {
  const at = (ms: number) => makeFill({ matchId: `m${ms}`, txCreated: MARCH.from + Math.floor(ms), side: "swap" });
  const cutOf = async (chains: readonly (readonly number[])[]) => {
    const month = new Month(0);
    for (const chain of chains) {
      month.addChain(chain.map(at));
    }
    await month.cut([]);
    const whole = await cutAtOnce([...new Set(chains.flat())].map(at));
    expect(month.files.map(({ run: _, ...file }) => file)).toEqual(whole.files.map(({ run: _, ...file }) => file));
  };
  const chainsOf = (text: string) => text.split(" | ").map((chain) => chain.split(" ").map(Number));
  const inTurn = [
    "7 8 | 1 | 3",
    "7 | 1 | 1 7",
    "7.2 8 | 1 7.1",
    "7.1 8 | 1 7.1",
    "7.1 7.2 | 7.1 7.2",
    "7.1 8 | 1 7.2",
    "6 8 | 1 7",
    "3 8 | 1 5",
    "3 | 1 5",
  ];
  for (const chains of [...inTurn, "3 | 2 | 1 7", "7.2 | 7.1 | 1 7", "2.1 | 2.2 9 | 2.15"]) {
    await cutOf(chainsOf(chains));
  }
});

const versionAt = (ms: number, fee = "1") => makeFill({ matchId: "m", txCreated: MARCH.from + ms, fee });
test.each([
  ["another fee, at the border of both", versionAt(7), versionAt(7, "2")],
  ["another time", versionAt(1), versionAt(8)],
])("a fill of which two chains in turn have two versions is held once: with %s", async (_, before, after) => {
  const others = [2, 9].map((ms) => makeFill({ matchId: `m${ms}`, txCreated: MARCH.from + ms }));
  const month = new Month(0);
  month.addChain([before, ...others.slice(0, 1)]);
  month.addChain([after, ...others.slice(1)]);
  expect((await month.cut([])).restated).toEqual([{ kind: "changed", before, after }]);
  expect(month.parts).toEqual((await cutAtOnce([after, ...others])).parts);
});

const fill = (fields: Partial<FillFields> = {}) => makeFill({ filledAt: null, ...fields });

const filledAt = fill().txCreated + 5;
const NOTED = { extra: { note: "a" } };

test.each<[string, Partial<FillFields>, Partial<FillFields>, Restatement["kind"] | null]>([
  ["equal content", {}, {}, null],
  ["fewer fields, for what is known stays", { filledAt }, {}, null],
  ["more fields", {}, { filledAt, ...NOTED }, "enriched"],
  ["another amount", NOTED, { ...NOTED, fee: "9" }, "changed"],
  ["the same amount, written otherwise", NOTED, { ...NOTED, fee: "-1.20" }, "changed"],
  ["another time", NOTED, { ...NOTED, txCreated: fill().txCreated + 1 }, "changed"],
  ["an unknown field's other value", NOTED, { extra: { note: "b" } }, "changed"],
])("a newer version with %s: %j, then %j, is %j", (_, older, newer, kind) => {
  const [before, after] = [fill(older), fill(newer)];
  const restated = kind === null ? [] : [{ kind, before, after }];
  expect(mergeFills([[before], [after]])).toEqual({ fills: [kind === null ? before : after], added: [], restated });
});

test("null in place of a field says nothing; a fill that ends as it began was not restated", () => {
  const nulled = fillOfRow(fill().row.replace("{", '{"filledAt":null,'));
  expect(mergeFills([[fill({ filledAt })], [nulled]])).toMatchObject({ fills: [fill({ filledAt })], restated: [] });
  const [nine, eight] = [fill({ fee: "9" }), fill({ fee: "8" })];
  expect(mergeFills([[fill()], [nine], [fill()]])).toEqual({ fills: [fill()], added: [], restated: [] });
  expect(mergeFills([[fill()], [nine], [eight]]).restated.map(({ after }) => after)).toEqual([nine, eight]);
});

const layers = fc.array(fc.array(arbitraryFill, { maxLength: 5 }), { maxLength: 4 });

test("each identity once, in order; what only the last layer has is new; merging again changes nothing", () => {
  fc.assert(
    fc.property(layers, (drawn) => {
      const { fills, added } = mergeFills(drawn);
      expect(fills).toEqual(fills.toSorted(byTxCreated));
      expect(fills.map(identityOf).sort()).toEqual([...new Set(drawn.flat().map(identityOf))].sort());
      const before = new Set(drawn.slice(0, -1).flat().map(identityOf));
      expect(added.map(identityOf).sort()).toEqual(
        [...new Set((drawn.at(-1) ?? []).map(identityOf))].filter((one) => !before.has(one)).sort(),
      );
      expect(mergeFills([fills, fills])).toEqual({ fills, added: [], restated: [] });
      expect(fills.every(({ row }) => drawn.flat().some((one: Fill) => one.row === row))).toBe(true);
    }),
  );
});
