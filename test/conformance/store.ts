import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../lambda/storage/store.ts";
import { bytes, collect, text } from "../support/store-text.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** Another handle on the same place, as another process would open it. */
  readonly reopen: () => Store;
  readonly cleanup: () => Promise<void>;
}

const RACERS = 16;
const LARGE_BYTES = 6 * 1024 * 1024; // more than one part of an S3 upload

/**
 * What lambda/storage/store.ts promises, one test for each sentence. `open` gives an empty store each time.
 */
export function storeConformance(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the port's promises`, () => {
    let place: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      place = await open();
      store = place.store;
    });
    afterEach(() => place.cleanup());

    reading(() => place);
    creating(() => place);
    streaming(() => place);
    replacing(() => place);
    listing(() => place);
    timing(() => place);
    removing(() => place);

    test("tells its location", () => {
      expect(store.location).not.toBe("");
      expect(place.reopen().location).toBe(store.location);
    });

    test.each([
      "",
      "/",
      "a/",
      "/a",
      "a//b",
      ".",
      "..",
      "a/../b",
      "a/./b",
      ".lock",
      "a/.tmp-1-1",
      "a b",
      "a\\b",
      "a\nb",
      "é",
      "a%2Fb",
      "a".repeat(2000),
    ])("refuses the key %j as a fault of the program", async (key) => {
      const fault = expect.objectContaining({ kind: "fault" });
      await expect(Promise.resolve().then(() => store.get(key))).rejects.toEqual(fault);
      await expect(Promise.resolve().then(() => store.createNew(key, bytes("x")))).rejects.toEqual(fault);
      await expect(Promise.resolve().then(() => store.createStream(key))).rejects.toEqual(fault);
      await expect(Promise.resolve().then(() => store.replaceIf(key, bytes("x"), null))).rejects.toEqual(fault);
      await expect(Promise.resolve().then(() => store.openStream(key))).rejects.toEqual(fault);
      await expect(Promise.resolve().then(() => store.remove(key))).rejects.toEqual(fault);
      expect(await keysOf(place.reopen(), "")).toEqual([]);
    });

    test("behaves like a map, for any calls in any order", async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyCall, { maxLength: 12 }), async (calls) => {
          round += 1;
          await compareWithMap(store, `round-${round}/`, calls);
        }),
        { numRuns: 25 },
      );
    });
  });
}

function reading(place: () => StoreUnderTest): void {
  test("an object that nobody wrote is null, also beside one whose key begins or ends alike", async () => {
    const { store } = place();
    expect(await store.openStream("main/fills/a.parquet")).toBeNull();
    await store.createNew("main/fills/a.parquet", bytes("x"));
    for (const key of ["main", "main/fills", "main/fills/a", "main/fills/a.parquet/b"]) {
      expect(await store.get(key)).toBeNull();
      expect(await store.openStream(key)).toBeNull();
    }
  });

  test("the tag changes with the content and only with it", async () => {
    const { store, reopen } = place();
    const first = await store.replaceIf("head.json", bytes("1"), null);
    expect((await store.get("head.json"))?.tag).toBe(first);
    expect((await reopen().get("head.json"))?.tag).toBe(first);
    const second = await store.replaceIf("head.json", bytes("2"), first);
    expect(second).not.toBe(first);
    expect((await reopen().get("head.json"))?.tag).toBe(second);
  });
}

function creating(place: () => StoreUnderTest): void {
  test.each([
    ["an empty body", 0],
    ["one byte", 1],
    ["6 MiB", LARGE_BYTES],
  ])("createNew keeps %s, byte by byte", async (_name, length) => {
    const { store, reopen } = place();
    const body = patterned(length);
    expect(await store.createNew("a/b/c.bin", body)).toBe("created");
    expect(same((await reopen().get("a/b/c.bin"))?.body, body)).toBe(true);
    expect(same(await drain(await reopen().openStream("a/b/c.bin")), body)).toBe(true);
  });

  test("one of 16 racing creators wins, and its body is the object", async () => {
    const { store, reopen } = place();
    const other = reopen();
    const outcomes = await Promise.all(
      numbers(RACERS).map((racer) =>
        (racer % 2 === 0 ? store : other).createNew("deep/er/key", bytes(`racer ${racer}`)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
    expect(await text(store, "deep/er/key")).toBe(`racer ${outcomes.indexOf("created")}`);
  });

  test("a reader during the creation sees nothing or all of it", async () => {
    const { store, reopen } = place();
    const body = patterned(LARGE_BYTES);
    const reader = reopen();
    const creation = store.createNew("large", body);
    for (const _ of numbers(10)) {
      const seen = await reader.get("large");
      expect(seen === null || same(seen.body, body)).toBe(true);
    }
    expect(await creation).toBe("created");
  });
}

function streaming(place: () => StoreUnderTest): void {
  test.each([
    ["no pieces", []],
    ["empty pieces", [0, 0]],
    ["small pieces", [1, 0, 10_000]],
    ["more than 5 MiB", [1, LARGE_BYTES, 3]],
    ["exactly 5 MiB", [5 * 1024 * 1024]],
  ])("createStream makes one object of %s, visible after finish only", async (_name, lengths) => {
    const { store, reopen } = place();
    const pieces = lengths.map((length, index) => patterned(length, index));
    const sink = await store.createStream("packs/x.bin");
    for (const piece of pieces) {
      await sink.write(piece);
    }
    expect(await reopen().get("packs/x.bin")).toBeNull();
    expect(await keysOf(reopen(), "")).toEqual([]);
    expect(await sink.finish()).toBe("created");
    const body = Buffer.concat(pieces);
    expect(same(await drain(await reopen().openStream("packs/x.bin")), body)).toBe(true);
    expect(await collect(store.list("packs/"))).toMatchObject([{ key: "packs/x.bin", bytes: body.length }]);
  });

  test("the caller may reuse its buffer as soon as write resolves", async () => {
    const { store } = place();
    const sink = await store.createStream("key");
    const buffer = bytes("one");
    await sink.write(buffer);
    buffer.set(bytes("two"));
    await sink.write(buffer);
    await sink.finish();
    expect(await text(store, "key")).toBe("onetwo");
  });

  test.each([3, LARGE_BYTES])("a stream of %d bytes does not replace an existing object", async (length) => {
    const { store } = place();
    const sink = await store.createStream("key");
    await sink.write(patterned(length));
    await store.createNew("key", bytes("first"));
    expect(await sink.finish()).toBe("exists");
    expect(await text(store, "key")).toBe("first");
  });

  test("one of several racing streams wins", async () => {
    const { store, reopen } = place();
    const sinks = await Promise.all([store, reopen(), store, reopen()].map((one) => one.createStream("key")));
    await Promise.all(sinks.map((sink, index) => sink.write(bytes(`sink ${index}`))));
    const outcomes = await Promise.all(sinks.map((sink) => sink.finish()));
    expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
    expect(await text(store, "key")).toBe(`sink ${outcomes.indexOf("created")}`);
  });

  test.each([0, 3, LARGE_BYTES, 3 * LARGE_BYTES])(
    "abort after %d bytes leaves nothing, and the key free",
    async (length) => {
      const { store, reopen } = place();
      const sink = await store.createStream("key");
      await sink.write(patterned(length));
      await sink.abort();
      await sink.abort();
      expect(await reopen().get("key")).toBeNull();
      expect(await keysOf(store, "")).toEqual([]);
      expect(await store.createNew("key", bytes("later"))).toBe("created");
    },
  );

  test("a stream that has ended takes no more", async () => {
    const { store } = place();
    const fault = expect.objectContaining({ kind: "fault" });
    const finished = await store.createStream("key");
    await finished.write(bytes("x"));
    await finished.finish();
    await expect(finished.write(bytes("y"))).rejects.toEqual(fault);
    await expect(finished.finish()).rejects.toEqual(fault);
    const aborted = await store.createStream("other");
    await aborted.abort();
    await expect(aborted.write(bytes("y"))).rejects.toEqual(fault);
    await expect(aborted.finish()).rejects.toEqual(fault);
    await finished.abort(); // a late clean-up does no harm
    expect(await text(store, "key")).toBe("x");
  });
}

function replacing(place: () => StoreUnderTest): void {
  test("replaceIf of a vanished object fails as untrusted", async () => {
    const { store } = place();
    await expect(store.replaceIf("main/head.json", bytes("2"), "a-tag")).rejects.toEqual(
      expect.objectContaining({ kind: "untrusted" }),
    );
    expect(await store.get("main/head.json")).toBeNull();
  });

  test("exactly one of 16 racing writers with the same tag wins", async () => {
    const { store, reopen } = place();
    const handles = [store, reopen(), reopen()];
    const tag = await store.replaceIf("head.json", bytes("start"), null);
    const tags = await Promise.all(
      numbers(RACERS).map((racer) => handles[racer % 3]?.replaceIf("head.json", bytes(`racer ${racer}`), tag)),
    );
    const winners = numbers(RACERS).filter((racer) => tags[racer] !== null);
    expect(winners).toHaveLength(1);
    expect(await text(store, "head.json")).toBe(`racer ${winners[0]}`);
    expect((await store.get("head.json"))?.tag).toBe(tags[winners[0] ?? -1]);
  });

  test("exactly one of 16 racing bootstraps wins", async () => {
    const { store, reopen } = place();
    const other = reopen();
    const tags = await Promise.all(
      numbers(RACERS).map((racer) => (racer % 2 === 0 ? store : other).replaceIf("head.json", bytes(`${racer}`), null)),
    );
    expect(tags.filter((tag) => tag !== null)).toHaveLength(1);
  });
}

function listing(place: () => StoreUnderTest): void {
  const keys = ["a", "a-b/x", "a.b", "a/b/c", "a/b=1/x", "a/bc", "a0", "ab", "b/a", "b_"];
  const prefixes = ["", "a", "a/", "a/b", "a/b/", "a/b/c", "a/b/c/", "a-", "b", "zz", "zz/yy/"];

  test("list gives all keys that start with the prefix, in byte order", async () => {
    // A folder cannot hold both "a" and "a/…".
    const wanted = keys.filter((key) => key !== "a");
    const { store, reopen } = place();
    for (const key of wanted.toReversed()) {
      await store.createNew(key, bytes(key));
    }
    const other = reopen();
    for (const prefix of prefixes) {
      const expected = wanted
        .filter((key) => key.startsWith(prefix))
        .sort((x, y) => Buffer.compare(bytes(x), bytes(y)));
      expect(await collect(other.list(prefix))).toMatchObject(expected.map((key) => ({ key, bytes: key.length })));
    }
  });

  test.each(["/", "/a", "a//", "../", "a/../", "a b"])("list refuses the prefix %j", async (prefix) => {
    await expect(keysOf(place().store, prefix)).rejects.toEqual(expect.objectContaining({ kind: "fault" }));
  });

  test("folders gives each name between the prefix and the next slash once, in the order of its keys", async () => {
    const more = ["c/1/x", "c/2/x", "c/2/y/z", "c/3/x", "c/4/x", "c/5/x", "c/file", "c/3.d/x"];
    const wanted = [...keys.filter((key) => key !== "a"), ...more];
    const { store, reopen } = place();
    for (const key of wanted) {
      await store.createNew(key, bytes(key));
    }
    const other = reopen();
    for (const prefix of ["", "a/", "a/b/", "a/b/c/", "c/", "c/2/", "zz/", "zz/yy/"]) {
      const below = wanted.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length).split("/"));
      const expected = new Set(below.filter((segments) => segments.length > 1).map(([name = ""]) => `${name}/`));
      expect((await collect(other.folders(prefix))).map((name) => `${name}/`)).toEqual([...expected].sort());
    }
  });

  test.each(["a", "a/b", "/", "/a/", "a//", "../", "a/../", "a b/"])(
    "folders refuses the prefix %j",
    async (prefix) => {
      await expect(collect(place().store.folders(prefix))).rejects.toEqual(expect.objectContaining({ kind: "fault" }));
    },
  );

  test("list may be abandoned in the middle", async () => {
    const { store } = place();
    await Promise.all(numbers(5).map((index) => store.createNew(`k${index}`, bytes("x"))));
    for await (const { key } of store.list("")) {
      expect(key).toBe("k0");
      break;
    }
  });
}

function timing(place: () => StoreUnderTest): void {
  const timeOf = async (store: Store, key: string) => {
    const [found] = await collect(store.list(key));
    expect(found).toEqual({ key, bytes: expect.any(Number), modifiedMs: expect.any(Number) });
    return found?.modifiedMs ?? Number.NaN;
  };

  test("list gives the time of each object's last write, in whole ms, in the order of the writes", async () => {
    const { store, reopen } = place();
    await store.createNew("a", bytes("1"));
    const tag = await reopen().replaceIf("b", bytes("1"), null);
    const sink = await store.createStream("c");
    await sink.write(bytes("1"));
    await sink.finish();
    const times = [await timeOf(store, "a"), await timeOf(reopen(), "b"), await timeOf(store, "c")];
    expect(times.every(Number.isSafeInteger)).toBe(true);
    expect(times).toEqual(times.toSorted((x, y) => x - y));
    await store.replaceIf("b", bytes("2"), tag);
    expect(await timeOf(store, "b")).toBeGreaterThanOrEqual(times[2] ?? Number.NaN);
  });

  test("a call that does not change an object does not change its time", async () => {
    const { store, reopen } = place();
    await store.createNew("a", bytes("1"));
    const before = await timeOf(store, "a");
    await store.createNew("b", bytes("later"));
    expect(await reopen().createNew("a", bytes("1"))).toBe("exists");
    expect(await store.replaceIf("a", bytes("2"), null)).toBeNull();
    await text(store, "a");
    expect(await timeOf(reopen(), "a")).toBe(before);
  });
}

function removing(place: () => StoreUnderTest): void {
  test("remove deletes the object and no other, and nothing for a missing one or a prefix of keys", async () => {
    const { store } = place();
    await store.createNew("a/b/c", bytes("x"));
    for (const key of ["z", "z/z", "a", "a/b", "a/b/c/d"]) {
      await store.remove(key);
      await store.remove(key);
    }
    expect(await keysOf(store, "")).toEqual(["a/b/c"]);
    await store.createNew("a/b/cd", bytes("x"));
    await store.createNew("a/b/c.d", bytes("x"));
    await store.remove("a/b/c");
    await store.remove("a/b/c");
    expect(await keysOf(store, "")).toEqual(["a/b/c.d", "a/b/cd"]);
  });

  test("list may be read while objects are removed, both listed ones and ones still to come", async () => {
    const { store, reopen } = place();
    const keys = numbers(8).map((index) => `k/${index}`);
    await Promise.all(keys.map((key) => store.createNew(key, bytes("x"))));
    const seen: string[] = [];
    for await (const { key } of store.list("k/")) {
      seen.push(key);
      await reopen().remove(key);
      await reopen().remove("k/5");
    }
    expect(seen.filter((key) => key !== "k/5")).toEqual(keys.filter((key) => key !== "k/5"));
    expect(await keysOf(store, "")).toEqual([]);
  });

  test("none of 16 racing creators and removers fails, and the object exists whole or not at all", async () => {
    const { store, reopen } = place();
    const other = reopen();
    await Promise.all(
      numbers(RACERS).map((racer) =>
        racer % 2 === 0 ? store.createNew("deep/key", bytes("body")) : other.remove("deep/key"),
      ),
    );
    expect([null, "body"]).toContain(await text(store, "deep/key"));
  });
}

type Call =
  | { readonly method: "createNew" | "stream"; readonly key: string; readonly body: string }
  | { readonly method: "remove"; readonly key: string }
  | {
      readonly method: "replaceIf";
      readonly key: string;
      readonly body: string;
      readonly tag: "current" | "none" | "other";
    };

const anyKey = fc.constantFrom("x", "y/1", "y/2");
const anyBody = fc.constantFrom("", "p", "q", "r");
const anyCall: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ method: fc.constantFrom("createNew" as const, "stream" as const), key: anyKey, body: anyBody }),
  fc.record({ method: fc.constant("remove" as const), key: anyKey }),
  fc.record({
    method: fc.constant("replaceIf" as const),
    key: anyKey,
    body: anyBody,
    tag: fc.constantFrom("current" as const, "none" as const, "other" as const),
  }),
);

/**
 * Makes the calls on the store under `prefix` and on a plain map. Compares every answer and the final state.
 */
async function compareWithMap(store: Store, prefix: string, calls: readonly Call[]): Promise<void> {
  const model = new Map<string, string>();
  for (const call of calls) {
    const key = prefix + call.key;
    const held = model.get(key);
    if (call.method === "remove") {
      await store.remove(key);
      model.delete(key);
      expect(await text(store, key)).toBeNull();
      continue;
    }
    const wins = held === undefined || (call.method === "replaceIf" && call.tag === "current");
    expect(await perform(store, key, call)).toBe(wins);
    if (wins) {
      model.set(key, call.body);
    }
    expect(await text(store, key)).toBe(model.get(key) ?? null);
  }
  expect(await keysOf(store, prefix)).toEqual([...model.keys()].sort());
}

async function perform(store: Store, key: string, call: Exclude<Call, { method: "remove" }>): Promise<boolean> {
  if (call.method === "replaceIf") {
    const current = (await store.get(key))?.tag ?? null;
    const tags = { current, none: null, other: current === null ? null : "another" };
    return (await store.replaceIf(key, bytes(call.body), tags[call.tag])) !== null;
  }
  if (call.method === "createNew") {
    return (await store.createNew(key, bytes(call.body))) === "created";
  }
  const sink = await store.createStream(key);
  await sink.write(bytes(call.body));
  return (await sink.finish()) === "created";
}

/** `length` bytes that repeat with a period that no buffer size shares. */
function patterned(length: number, seed = 0): Uint8Array {
  const body = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) {
    body[index] = (index + seed) % 251;
  }
  return body;
}

/** Compares buffers with one native call. A failed `toEqual` would print megabytes. */
function same(left: Uint8Array | undefined, right: Uint8Array): boolean {
  return left !== undefined && Buffer.compare(left, right) === 0;
}

async function drain(stream: AsyncIterable<Uint8Array> | null): Promise<Uint8Array> {
  return Buffer.concat(stream === null ? [] : await collect(stream));
}

async function keysOf(store: Store, prefix: string): Promise<string[]> {
  return (await collect(store.list(prefix))).map((one) => one.key);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
