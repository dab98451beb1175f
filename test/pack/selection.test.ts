import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setHashOf } from "../../lambda/archive/set-hash.ts";
import { byTradeTime, type Fill, identityOf, tradeTime } from "../../lambda/model/fill.ts";
import { BASIS } from "../../lambda/pack/basis.ts";
import { fillsOf, selectParts } from "../../lambda/pack/selection.ts";
import { makeFill } from "../support/make-fill.ts";
import { prepareArchive } from "./archive.ts";

const ALL = { from: 0, to: 10_000 };
const PERIOD = { from: 2000, to: 7000 };

/** Fills whose two times may be far apart, with many ties. */
const someFills = fc.uniqueArray(
  fc
    .record({
      id: fc.nat(999),
      order: fc.nat(1),
      txCreated: fc.integer({ min: 0, max: 9999 }),
      skew: fc.option(fc.integer({ min: -3000, max: 3000 })),
    })
    .map(({ id, order, txCreated, skew }) =>
      makeFill({
        matchId: `m${id}`,
        orderId: `o${order}`,
        txCreated,
        filledAt: skew === null ? null : txCreated + skew,
      }),
    ),
  { selector: identityOf, maxLength: 120 },
);

async function collect(batches: AsyncIterable<readonly Fill[]>): Promise<(readonly Fill[])[]> {
  const out: (readonly Fill[])[] = [];
  for await (const batch of batches) {
    out.push(batch);
  }
  return out;
}

describe("the fills of a period", () => {
  test("are those whose trade time is in it, in order, however the parts are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        someFills,
        fc.constantFrom(100, 1000, 10_000),
        fc.constantFrom(1, 7, 1000),
        async (fills, cellMs, batchRows) => {
          const { manifest, readPart } = prepareArchive(fills, cellMs, ALL);
          const expected = fills.filter((fill) => tradeTime(fill) >= 2000 && tradeTime(fill) < 7000).sort(byTradeTime);
          const { parts, setHash } = await selectParts(manifest.parts, PERIOD, BASIS.fill, readPart);
          const batches = await collect(fillsOf(parts, PERIOD, { basis: BASIS.fill, readPart, batchRows }));
          expect(batches.flat()).toEqual(expected);
          expect(batches.slice(0, -1).every((batch) => batch.length === batchRows)).toBe(true);
          expect(setHash).toBe(setHashOf(expected));
        },
      ),
      { numRuns: 150 },
    );
  });

  test("come before the parts that follow are read: memory does not grow with the period", async () => {
    const fills = Array.from({ length: 100 }, (_, at) =>
      makeFill({ matchId: `m${at}`, txCreated: 2000 + at * 10, filledAt: null }),
    );
    const { manifest, readPart, reads } = prepareArchive(fills, 100, ALL);
    const { parts } = await selectParts(manifest.parts, PERIOD, BASIS.fill, readPart);
    expect(reads).toEqual([]); // all are inside of the period
    let given = 0;
    for await (const batch of fillsOf(parts, PERIOD, { basis: BASIS.fill, readPart, batchRows: 10 })) {
      given += batch.length;
      expect(reads.length).toBe(given / 10);
    }
    expect(given).toBe(100);
  });

  test("are refused when one of them is there twice", async () => {
    const twice = [makeFill({ txCreated: 3000, filledAt: 3500 }), makeFill({ txCreated: 4000, filledAt: 3400 })];
    const { manifest, readPart } = prepareArchive(twice, 1000, ALL);
    await expect(
      collect(fillsOf(manifest.parts, PERIOD, { basis: BASIS.fill, readPart, batchRows: 10 })),
    ).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("twice"),
    });
  });

  test("are refused when a part holds other times than the manifest says", async () => {
    const { manifest, readPart } = prepareArchive([makeFill({ txCreated: 3000, filledAt: 3500 })], 1000, ALL);
    const wrong = manifest.parts.map((part) => ({ ...part, firstTrade: 3501, lastTrade: 3501 }));
    await expect(collect(fillsOf(wrong, PERIOD, { basis: BASIS.fill, readPart, batchRows: 10 }))).rejects.toMatchObject(
      { kind: "untrusted" },
    );
  });
});
