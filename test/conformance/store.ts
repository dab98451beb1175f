import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../lambda/storage/store.ts";
import { bytes, text } from "../support/store-text.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** Another handle on the same place, as another process would open it. */
  readonly reopen: () => Store;
  readonly cleanup: () => Promise<void>;
}

const RACERS = 16;
const LARGE_BYTES = 6 * 1024 * 1024; // more than one part of an S3 upload
const FAULT = expect.objectContaining({ kind: "fault" });

const NO_KEYS = [
  ...["", "/", "a/", "/a", "a//b", ".", "..", "a/../b", "a/./b", ".lock", "a/.tmp-1-1"],
  ...["a b", "a\\b", "a\nb", "é", "a%2Fb", "a".repeat(2000)],
];
const NO_PREFIXES = ["/", "/a", "a//", "../", "a/../", "a b"];
const NO_FOLDERS = ["a", "a/b", "/", "/a/", "a//", "../", "a/../", "a b/"];

/** What lambda/storage/store.ts promises. `open` gives an empty store each time. */
export function storeConformance(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the port's promises`, () => {
    let place: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      place = await open();
      store = place.store;
    });
    afterEach(() => place.cleanup());

    test("refuses what is no key, prefix or folder as a fault of the program", async () => {
      const calls: readonly (readonly [readonly string[], (name: string) => Promise<unknown>])[] = [
        [NO_KEYS, async (key) => await store.get(key)],
        [NO_KEYS, async (key) => await store.createNew(key, bytes("x"))],
        [NO_KEYS, async (key) => await store.createStream(key)],
        [NO_KEYS, async (key) => await store.replaceIf(key, bytes("x"), null)],
        [NO_KEYS, async (key) => await store.openStream(key)],
        [NO_KEYS, async (key) => await store.remove(key)],
        [NO_PREFIXES, async (prefix) => await keysOf(store, prefix)],
        [NO_FOLDERS, async (prefix) => await Array.fromAsync(store.folders(prefix))],
      ];
      for (const [names, call] of calls) {
        for (const one of names) {
          await expect(call(one), `${one} ${call}`).rejects.toEqual(FAULT);
        }
      }
      expect(await keysOf(place.reopen(), "")).toEqual([]);
      expect([store.location === "", place.reopen().location]).toEqual([false, store.location]);
    });

    test("behaves like a map, for any calls in any order, through any handle", async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyCall, { maxLength: 12 }), async (calls) => {
          round += 1;
          await compareWithMap(place, `round-${round}/`, calls);
        }),
        { numRuns: 25 },
      );
    });

    objects(() => place);
    races(() => place);
    lists(() => place);
  });
}

const SIZES = [[], [0, 0], [1, 0, 10_000], [1, LARGE_BYTES, 3], [5 * 1024 * 1024]];

function objects(place: () => StoreUnderTest): void {
  test.each(SIZES)("createStream makes one object of %j and %j and %j bytes, seen after finish", async (...lengths) => {
    const { store, reopen } = place();
    const pieces = lengths.map((length, index) => patterned(length, index));
    const sink = await store.createStream("packs/x.bin");
    for (const piece of pieces) {
      const buffer = Uint8Array.from(piece);
      await sink.write(buffer);
      buffer.fill(0); // the caller may use it again
    }
    expect(await reopen().get("packs/x.bin")).toBeNull();
    expect(await keysOf(reopen(), "")).toEqual([]);
    expect(await sink.finish()).toBe("created");
    const body = Buffer.concat(pieces);
    const streamed = await Array.fromAsync((await reopen().openStream("packs/x.bin")) ?? expect.fail("no object"));
    expect(same(Buffer.concat(streamed), body)).toBe(true);
    expect(await Array.fromAsync(store.list("packs/"))).toMatchObject([{ key: "packs/x.bin", bytes: body.length }]);
    expect(await store.createNew("packs/y.bin", body)).toBe("created");
    expect(same((await reopen().get("packs/y.bin"))?.body, body)).toBe(true);
  });

  test.each([3, LARGE_BYTES])("a stream of %d bytes does not replace an existing object", async (length) => {
    const { store } = place();
    const sink = await store.createStream("key");
    await sink.write(patterned(length));
    await store.createNew("key", bytes("first"));
    expect(await sink.finish()).toBe("exists");
    expect(await text(store, "key")).toBe("first");
  });

  test.each([0, 3, LARGE_BYTES, 3 * LARGE_BYTES])(
    "abort after %d bytes leaves nothing, and the key free; what has ended takes no more",
    async (length) => {
      const { store, reopen } = place();
      const sink = await store.createStream("key");
      await sink.write(patterned(length));
      await sink.abort();
      await sink.abort();
      await expect(sink.write(bytes("y"))).rejects.toEqual(FAULT);
      await expect(sink.finish()).rejects.toEqual(FAULT);
      expect(await reopen().get("key")).toBeNull();
      expect(await keysOf(store, "")).toEqual([]);
      const finished = await store.createStream("key");
      expect(await finished.finish()).toBe("created");
      await expect(finished.write(bytes("y"))).rejects.toEqual(FAULT);
      await expect(finished.finish()).rejects.toEqual(FAULT);
      await finished.abort(); // a late clean-up does no harm
      expect(await text(store, "key")).toBe("");
    },
  );

  test("replaceIf of a vanished object fails as untrusted", async () => {
    const { store } = place();
    await expect(store.replaceIf("head.json", bytes("2"), "a-tag")).rejects.toMatchObject({ kind: "untrusted" });
    expect(await store.get("head.json")).toBeNull();
  });

  test("list gives the time of each object's last write, in whole ms, in the order of the writes", async () => {
    const { store, reopen } = place();
    await store.createNew("a", bytes("1"));
    const tag = await reopen().replaceIf("b", bytes("1"), null);
    await (await store.createStream("c")).finish();
    const timesOf = async () => (await Array.fromAsync(reopen().list(""))).map(({ modifiedMs }) => modifiedMs);
    const times = await timesOf();
    expect(times.every(Number.isSafeInteger)).toBe(true);
    expect(times).toEqual(times.toSorted((x, y) => x - y));
    expect(await store.createNew("a", bytes("1"))).toBe("exists");
    expect(await store.replaceIf("a", bytes("2"), null)).toBeNull();
    await store.replaceIf("b", bytes("2"), tag);
    const [a, b = 0, c = 0] = await timesOf();
    expect([a, b >= c, c]).toEqual([times[0], true, times[2]]);
  });
}

function races(place: () => StoreUnderTest): void {
  const tagged = (tag: string | null) => async (store: Store, body: Uint8Array) =>
    (await store.replaceIf("key", body, tag)) !== null;
  const streamed = async (store: Store, body: Uint8Array) => {
    const sink = await store.createStream("key");
    await sink.write(body);
    return (await sink.finish()) === "created";
  };
  const created = async (store: Store, body: Uint8Array) => (await store.createNew("key", body)) === "created";

  test.each<[string, boolean, (tag: string | null) => (store: Store, body: Uint8Array) => Promise<boolean>]>([
    ["creators", false, () => created],
    ["streams", false, () => streamed],
    ["first heads", false, tagged],
    ["writers with the same tag", true, tagged],
  ])("one of 16 racing %s wins, and its body is the object", async (_, isThere, callOf) => {
    const { store, reopen } = place();
    const handles = [store, reopen(), reopen()];
    const call = callOf(isThere ? await store.replaceIf("key", bytes("start"), null) : null);
    const wins = await Promise.all(
      numbers(RACERS).map((racer) => call(handles[racer % 3] ?? store, bytes(`racer ${racer}`))),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await text(store, "key")).toBe(`racer ${wins.indexOf(true)}`);
  });

  test("a reader sees nothing or all, while 16 creators and removers race", async () => {
    const { store, reopen } = place();
    const other = reopen();
    const body = patterned(LARGE_BYTES);
    const racing = numbers(RACERS).map((racer) =>
      racer % 2 === 0 ? store.createNew("deep/key", body) : other.remove("deep/key"),
    );
    for (const _ of numbers(10)) {
      const seen = await store.get("deep/key");
      expect(seen === null || same(seen.body, body)).toBe(true);
    }
    await Promise.all(racing);
  });
}

function lists(place: () => StoreUnderTest): void {
  test("folders gives each name between the prefix and the next slash once, in the order of its keys", async () => {
    const { store, reopen } = place();
    const keys = [...KEYS, "c/1/x", "c/2/x", "c/2/y/z", "c/3/x", "c/4/x", "c/5/x", "c/file", "c/3.d/x"];
    for (const key of keys) {
      await store.createNew(key, bytes(key));
    }
    for (const prefix of ["", "a/", "a/b/", "a/b/c/", "c/", "c/2/", "zz/", "zz/yy/"]) {
      const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length).split("/"));
      const expected = new Set(below.filter((segments) => segments.length > 1).map(([name = ""]) => `${name}/`));
      expect((await Array.fromAsync(reopen().folders(prefix))).map((name) => `${name}/`)).toEqual([...expected].sort());
    }
  });

  test("list may be abandoned in the middle, and read while objects are removed", async () => {
    const { store, reopen } = place();
    const keys = numbers(8).map((index) => `k/${index}`);
    await Promise.all(keys.map((key) => store.createNew(key, bytes("x"))));
    for await (const { key } of store.list("k/")) {
      expect(key).toBe("k/0");
      break;
    }
    const seen: string[] = [];
    for await (const { key } of store.list("k/")) {
      seen.push(key);
      await reopen().remove(key);
      await reopen().remove("k/5");
    }
    expect(seen.filter((key) => key !== "k/5")).toEqual(keys.filter((key) => key !== "k/5"));
    expect(await keysOf(store, "")).toEqual([]);
  });
}

/** Names that begin and end alike. A folder cannot hold both "a" and "a/…". */
const KEYS = ["a-b/x", "a.b", "a/b/c", "a/b/cd", "a/b=1/x", "a/bc", "a0", "ab", "b/a", "b_"] as const;
const PREFIXES = ["", "a", "a/", "a/b", "a/b/", "a/b/c", "a/b/c/", "a-", "b", "zz", "zz/yy/"];

interface Call {
  readonly method: "createNew" | "stream" | "remove" | "replaceIf";
  readonly key: string;
  readonly body: string;
  readonly tag: "current" | "none" | "other";
}

const anyCall: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom("createNew", "stream", "remove", "replaceIf", "replaceIf"),
  key: fc.constantFrom(...KEYS),
  body: fc.constantFrom("", "p", "q", "r"),
  tag: fc.constantFrom("current", "current", "none", "other"),
});

/** Makes the calls on the store under `at` and on a plain map, and compares. */
async function compareWithMap({ store, reopen }: StoreUnderTest, at: string, calls: readonly Call[]): Promise<void> {
  const model = new Map<string, string>();
  for (const call of calls) {
    const key = at + call.key;
    const before = await store.get(key);
    const held = model.get(call.key);
    const isFree = before === null || (call.method === "replaceIf" && call.tag === "current");
    expect(await perform(store, key, call, before?.tag ?? null)).toBe(call.method === "remove" || isFree);
    if (call.method === "remove") {
      model.delete(call.key);
    } else if (isFree) {
      model.set(call.key, call.body);
    }
    const after = await reopen().get(key);
    expect(after && Buffer.from(after.body).toString()).toBe(model.get(call.key) ?? null);
    expect(after?.tag === before?.tag).toBe(model.get(call.key) === held);
    expect([await store.get(`${key}/z`), await store.openStream(`${key}/z`)]).toEqual([null, null]);
  }
  for (const prefix of PREFIXES) {
    const found = [...model].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    const listed = found.map(([key, body]) => ({ key: at + key, bytes: body.length }));
    expect(await Array.fromAsync(reopen().list(at + prefix))).toMatchObject(listed);
  }
}

async function perform(store: Store, key: string, call: Call, current: string | null): Promise<boolean> {
  const body = bytes(call.body);
  switch (call.method) {
    case "remove":
      await store.remove(key);
      return true;
    case "createNew":
      return (await store.createNew(key, body)) === "created";
    case "stream": {
      const sink = await store.createStream(key);
      await sink.write(body);
      return (await sink.finish()) === "created";
    }
    case "replaceIf": {
      const tags = { current, none: null, other: current === null ? null : "another" };
      return (await store.replaceIf(key, body, tags[call.tag])) !== null;
    }
  }
}

/** `length` bytes that repeat with a period that no buffer size shares. */
function patterned(length: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index + seed) % 251);
}

/** Compares buffers with one native call. A failed `toEqual` would print megabytes. */
function same(left: Uint8Array | undefined, right: Uint8Array): boolean {
  return left !== undefined && Buffer.compare(left, right) === 0;
}

const keysOf = async (store: Store, prefix: string) =>
  (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
