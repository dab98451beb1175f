import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftOf, encodeDataFile, isTwiceIn, readDataFile } from "../../lambda/archive/data-file.ts";
import { dataFileKey, sha256Of } from "../../lambda/archive/keys.ts";
import type { DataFile } from "../../lambda/archive/manifest.ts";
import { encodeRestatements, readRestatements } from "../../lambda/archive/restatements.ts";
import { byTxCreated, type Fill, identityOf, tradeTime } from "../../lambda/core/fill.ts";
import { compressed, decompressed } from "../../lambda/formats/lines.ts";
import { fillOfValue } from "../../lambda/formats/row.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

const RUN = "0".repeat(12);
const FROM = Date.UTC(2025, 2, 1);
const TO = Date.UTC(2025, 3, 1);

function storeOf(fills: readonly Fill[], { from = FROM, to = TO } = {}) {
  const { file, body } = encodeDataFile(draftOf({ from, to, kind: "part" }, fills), RUN);
  const store = memoryStore();
  const key = dataFileKey("main", file);
  store.put(key, body);
  return { store, file, body, key };
}

const three = [1, 2, 3].map((day) => makeFill({ matchId: `m${day}`, txCreated: FROM + day * 86_400_000 }));

test("is zstd over one row a line, as the service sent it; its hash is of the text", () => {
  const { body, file } = storeOf(three);
  const text = zstdDecompressSync(body).toString();
  expect(text).toBe(three.map(({ row }) => `${row}\n`).join(""));
  expect(file).toMatchObject({ sha256: sha256Of(text), fills: 3, bytes: body.length, run: RUN, kind: "part" });
});

test("any fills come back as they were, and the entry tells their trade times", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(arbitraryFill, { selector: identityOf, minLength: 1, maxLength: 6 }),
      async (drawn) => {
        const fills = drawn.toSorted(byTxCreated);
        const range = { from: 0, to: 253_402_214_400_000 };
        const { store, file } = storeOf(fills, range);
        expect(await readDataFile(store, "main", file)).toEqual(fills);
        const trades = fills.map(tradeTime);
        expect([file.firstTrade, file.lastTrade]).toEqual([Math.min(...trades), Math.max(...trades)]);
      },
    ),
  );
});

describe("a data file that is not what its entry says is refused by name", () => {
  const again = (text: string) => ({
    body: zstdCompressSync(text),
    sha256: sha256Of(text),
    fills: text.split("\n").length - 1,
  });

  test.each<[string, (body: Uint8Array) => Uint8Array | null, Partial<DataFile>, string]>([
    ["missing", () => null, {}, "is missing"],
    ["a flipped byte", (body) => body.with(body.length >> 1, (body[body.length >> 1] ?? 0) ^ 1), {}, "is damaged"],
    ["cut short", (body) => body.slice(0, -1), {}, "is damaged"],
    ["empty", () => new Uint8Array(), {}, "is damaged"],
    ["not zstd", () => bytes("text"), {}, "is damaged"],
    ["other fills", () => zstdCompressSync(`${three[0]?.row}\n`), {}, "is damaged: its sha256 is"],
    ["another count", (body) => body, { fills: 4 }, "it holds 3 rows, but the archive expects 4"],
    ["another range", (body) => body, { to: FROM + 86_400_001 }, "not of its range"],
  ])("%s", async (_, change, fields, says) => {
    const { store, file, body, key } = storeOf(three);
    const changed = change(Uint8Array.from(body));
    const entry = { ...file, ...fields };
    store.delete(key);
    if (changed !== null) {
      store.put(dataFileKey("main", entry), changed);
    }
    await expect(readDataFile(store, "main", entry)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringMatching(new RegExp(`^memory/main/fills/month=2025-03/.*${says}`)),
    });
  });

  test.each([
    [
      "rows out of order",
      three
        .toReversed()
        .map(({ row }) => `${row}\n`)
        .join(""),
      "not in order",
    ],
    ["a row twice", [...three, three[2]].map((fill) => `${fill?.row}\n`).join(""), "not in order"],
    ["a row that is no fill", '{"matchId":1}\n', "not the row of a fill"],
    ["no line break at its end", three.map(({ row }) => row).join("\n"), "rows, but the archive expects"],
  ])("%s, with the right hash", async (_, text, says) => {
    const { store, file } = storeOf(three);
    const { body, sha256, fills } = again(text);
    const entry = { ...file, sha256, fills };
    store.put(dataFileKey("main", entry), body);
    await expect(readDataFile(store, "main", entry)).rejects.toThrow(says);
  });

  test("a bomb: 2 GB of zeros in some kB are not decompressed", async () => {
    const { store, file, key } = storeOf(three);
    const zeros = zstdCompressSync(Buffer.alloc(2 ** 26));
    store.put(key, Buffer.concat(Array.from({ length: 33 }, () => zeros)));
    const before = process.memoryUsage.rss();
    await expect(readDataFile(store, "main", file)).rejects.toMatchObject({ kind: "untrusted" });
    expect(process.memoryUsage.rss() - before).toBeLessThan(1.6 * 2 ** 30);
  });
});

test.each([0, 1, 1000, 10 ** 7])("a text of %i numbers comes back whole, however large it is", (length) => {
  const text = Buffer.from(Uint32Array.from({ length }, (_, at) => Math.imul(at, 2_654_435_761)).buffer);
  expect(decompressed(compressed(text))?.equals(text)).toBe(true);
});

test("a fill at two times is found, whatever its ids hold and whatever lies between them", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }).filter((one) => !one.includes("\0"));
  const id = fc.oneof(text, fc.nat());
  const inner = fc.record({ matchId: text, orderId: text });
  const value = fc.oneof(fc.string(), inner, fc.array(fc.oneof(fc.nat(), inner)));
  const more = fc.dictionary(fc.constantFrom("nonce", "matchIdOld", "orderI", "a", "z"), value);
  fc.assert(
    fc.property(id, id, more, more, (matchId, orderId, before, after) => {
      const fills = [
        fillOfValue({ ...before, matchId, orderId, txCreated: FROM }),
        fillOfValue({ ...after, matchId, orderId, txCreated: FROM + 1 }),
      ];
      expect(isTwiceIn(draftOf({ from: FROM, to: TO, kind: "part" }, fills))).toBe(true);
    }),
  );
  const draft = draftOf({ from: FROM, to: TO, kind: "part" }, three);
  expect(isTwiceIn(draft)).toBe(false);
  expect(isTwiceIn({ ...draft, texts: [...draft.texts, Buffer.from(`${three[0]?.row}\n{"matchId":"cut`)] })).toBe(true);
});

test("restatements: both versions come back, whatever they contain", async () => {
  const drawn = fc.tuple(fc.option(arbitraryFill), arbitraryFill, fc.constantFrom("changed", "enriched", "late"));
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 4 }), async (all) => {
      const restated = all.map(([before, after, kind]) => ({ kind, before, after }) as const);
      const { file, body } = encodeRestatements(restated, { seenAt: 7, seq: 1, run: RUN });
      const store = memoryStore();
      store.put(`main/restatements/${file.sha256}-${RUN}.ndjson.zst`, body);
      expect(await readRestatements(store, "main", file)).toEqual(restated.map((one) => ({ ...one, seenAt: 7 })));
      expect(file.rows).toBe(restated.length);
    }),
  );
});
