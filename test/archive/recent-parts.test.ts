import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_PART_ROWS, monthOf } from "../../lambda/archive/cells.ts";
import type { Part } from "../../lambda/archive/manifest.ts";
import { partRows, readPart } from "../../lambda/archive/parts.ts";
import { RecentParts } from "../../lambda/archive/recent-parts.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import type { Fill } from "../../lambda/model/fill.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { fileAll, filingPorts, partsOf } from "../support/filing.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";

function partOf(name: string): Part {
  const cell = monthOf(0);
  return {
    ...{ key: name, sha256: name, bytes: 0, rows: 0, from: cell.from, to: cell.to },
    ...{ first: 0, last: 0, firstTrade: 0, lastTrade: 0, exceptions: 0, setHash: "" },
  };
}

const fillOf2025 = fc
  .tuple(arbitraryFill, fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2025, 2) }))
  .map(([fill, txCreated]) => ({ ...fill, txCreated }));

test("what is kept is what the store would give, and the archive is the same as without", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fillOf2025, { maxLength: 8 }), { maxLength: 4 }), async (batches) => {
      const store = memoryStore();
      const recent = new RecentParts();
      const remembering = await partsOf(await fileAll(filingPorts({ store, recent }), batches));
      const reading = await partsOf(await fileAll(filingPorts({ store }), batches));
      expect(remembering).toEqual(reading);
      for (const part of remembering) {
        const rows = await partRows({ store, recent }, part);
        expect(rows.fills).toEqual(await readPart(store, part));
        expect(formatSetHash(rows.hashes?.sum() ?? setHashOf(rows.fills))).toBe(part.setHash);
      }
    }),
    { numRuns: 50 },
  );
});

test("a part that was just written is not asked for again", async () => {
  const watched = faultyStore(memoryStore(), () => "ok");
  const ports = filingPorts({ store: watched, recent: new RecentParts() });
  await fileAll(ports, [[makeFill()], [makeFill({ matchId: "other" })]]);
  expect(watched.operations.map(({ method }) => method)).toEqual(["createNew", "createNew"]);
});

test("the parts used longest ago make room, and the rows held never exceed the limit", () => {
  const fills = new Array<Fill>(2 * MAX_PART_ROWS).fill(makeFill());
  const recent = new RecentParts();
  for (const name of ["a", "b", "b", "c"]) {
    recent.keep(partOf(name), { fills, hashes: null });
  }
  expect(["a", "b", "c"].filter((name) => recent.get(partOf(name)) !== undefined)).toEqual(["b", "c"]);
  recent.keep(partOf("huge"), { fills: [...fills, ...fills, ...fills], hashes: null });
  expect(["b", "c", "huge"].some((name) => recent.get(partOf(name)) !== undefined)).toBe(false);
});
