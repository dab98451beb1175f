import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { HeldFills } from "../../lambda/archive/held.ts";
import { type DataFile, emptyManifest } from "../../lambda/archive/manifest.ts";
import { byTxCreated } from "../../lambda/core/fill.ts";
import { textOf } from "../../lambda/formats/lines.ts";
import { makeFill } from "../support/make-fill.ts";

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
      expect(isFew || times.some(isVanished)).toBe(true);
    }
  },
);
