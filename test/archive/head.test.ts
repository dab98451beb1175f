import { describe, expect, test } from "vitest";
import { type Head, nextHead, readHead, swapHead } from "../../lambda/archive/head.ts";
import { headKey } from "../../lambda/archive/keys.ts";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { faultyStore, type StoreFate } from "../support/faulty-store.ts";
import { memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";
import { bytes } from "../support/store-text.ts";

const ACCOUNT = "main";

const ours = namedRandom("ours");
const rival = namedRandom("rival");

/** A store with one written head. */
async function begun(): Promise<{ store: ReturnType<typeof memoryStore>; head: Head; tag: string; clock: FakeClock }> {
  const store = memoryStore();
  const clock = fakeClock({ auto: true });
  const first = await swapHead({ store, clock }, ACCOUNT, nextHead(null, { epoch: 1 }, namedRandom("first")), null);
  if (first.kind !== "landed") {
    throw new Error(first.kind);
  }
  return { store, clock, ...first.held };
}

/** Gives the nth compare-and-swap the nth fate. Everything else succeeds. */
function swapsMeet(store: Store, fates: readonly StoreFate[]) {
  return faultyStore(store, ({ method, nth }) => (method === "replaceIf" ? (fates[nth] ?? "ok") : "ok"));
}

async function rivalWrites(store: Store, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const held = await readHead(store, ACCOUNT);
    const next = nextHead(held?.head ?? null, { epoch: (held?.head.epoch ?? 0) + 1 }, rival);
    await swapHead({ store, clock: fakeClock({ auto: true }) }, ACCOUNT, next, held?.tag ?? null);
  }
}

describe("a swap with a lost answer", () => {
  test.each<[string, readonly StoreFate[]]>([
    ["nothing is lost", []],
    ["it landed", ["lost-after"]],
    ["it did not land", ["lost-before"]],
    ["it lands later", ["late"]],
    ["several answers are lost", ["lost-before", "lost-before", "lost-before", "lost-after"]],
    ["it lands late several times", ["late", "late", "late"]],
  ])("%s: in the end it has landed once", async (_, fates) => {
    const { store, head, tag, clock } = await begun();
    const faulty = swapsMeet(store, fates);
    const next = nextHead(head, { lease: null }, ours);
    const outcome = await swapHead({ store: faulty, clock }, ACCOUNT, next, tag);
    expect(outcome).toMatchObject({ kind: "landed", held: { head: next } });
    await faulty.settle();
    const stored = await readHead(store, ACCOUNT);
    expect(stored).toEqual(outcome.kind === "landed" ? outcome.held : null);
    expect(stored?.head.seq).toBe(head.seq + 1);
  });

  test("of an archive's first head", async () => {
    const store = memoryStore();
    const next = nextHead(null, { epoch: 1 }, ours);
    const faulty = swapsMeet(store, ["lost-before", "lost-after"]);
    const outcome = await swapHead({ store: faulty, clock: fakeClock({ auto: true }) }, ACCOUNT, next, null);
    expect(outcome).toMatchObject({ kind: "landed", held: { head: next } });
  });

  test("in every attempt: it waits longer each time, then reports it, and has changed nothing", async () => {
    const { store, head, tag, clock } = await begun();
    const faulty = faultyStore(store, ({ method }) => (method === "replaceIf" ? "lost-before" : "ok"));
    const lost = swapHead({ store: faulty, clock }, ACCOUNT, nextHead(head, {}, ours), tag);
    await expect(lost).rejects.toMatchObject({
      kind: "incomplete",
      message: expect.stringContaining("it is unknown whether"),
    });
    expect(clock.slept).toEqual([200, 400, 600, 800, 1000, 1200, 1400]);
    expect(await readHead(store, ACCOUNT)).toEqual({ head, tag });
  });

  test("a plain failure of the store is passed on at once", async () => {
    const { store, head, tag, clock } = await begun();
    const faulty = swapsMeet(store, ["fail-before"]);
    const failed = swapHead({ store: faulty, clock }, ACCOUNT, nextHead(head, {}, ours), tag);
    await expect(failed).rejects.toThrow("injected: replaceIf main/head.json failed");
    expect(faulty.operations).toHaveLength(1);
  });
});

describe("a rival", () => {
  test("that wrote first: lost, and its head stands", async () => {
    const { store, head, tag, clock } = await begun();
    await rivalWrites(store);
    const theirs = await readHead(store, ACCOUNT);
    expect(await swapHead({ store, clock }, ACCOUNT, nextHead(head, {}, ours), tag)).toEqual({ kind: "lost" });
    expect(await readHead(store, ACCOUNT)).toEqual(theirs);
  });

  test("that wrote between our swap, which did not land, and our next attempt: lost", async () => {
    const { store, head, tag, clock } = await begun();
    const between = rivalBefore(swapsMeet(store, ["lost-before"]), "replaceIf", 1, () => rivalWrites(store));
    expect(await swapHead({ store: between, clock }, ACCOUNT, nextHead(head, {}, ours), tag)).toEqual({
      kind: "lost",
    });
  });

  test.each([1, 2, 16])("that wrote %d times after our swap, whose answer was lost: superseded", async (times) => {
    const { store, head, tag, clock } = await begun();
    const onTop = rivalBefore(swapsMeet(store, ["lost-after"]), "get", 0, () => rivalWrites(store, times));
    expect(await swapHead({ store: onTop, clock }, ACCOUNT, nextHead(head, {}, ours), tag)).toEqual({
      kind: "superseded",
    });
  });

  test("that created the archive before us: lost", async () => {
    const store = memoryStore();
    await rivalWrites(store);
    const ports = { store, clock: fakeClock({ auto: true }) };
    expect(await swapHead(ports, ACCOUNT, nextHead(null, {}, ours), null)).toEqual({ kind: "lost" });
  });

  test("cannot bring back an older tag: no two heads have equal bytes, even with the same content", async () => {
    const { store, head, tag, clock } = await begun();
    const tags = new Set([tag]);
    let held = { head, tag };
    for (let round = 0; round < 40; round += 1) {
      const outcome = await swapHead({ store, clock }, ACCOUNT, nextHead(held.head, {}, namedRandom("same")), held.tag);
      if (outcome.kind === "landed") {
        held = outcome.held;
        tags.add(held.tag);
      }
    }
    expect(tags.size).toBe(41);
    expect(held.head.seq).toBe(head.seq + 40);
    expect(held.head.recentCommitIds.length).toBeLessThanOrEqual(16);
  });
});

/** The store, but somebody else acts before the nth call of `method`, counted from 0. */
function rivalBefore(store: Store, method: "get" | "replaceIf", nth: number, act: () => Promise<void>): Store {
  let calls = 0;
  const acting = async (called: "get" | "replaceIf") => {
    if (called === method) {
      calls += 1;
      if (calls === nth + 1) {
        await act();
      }
    }
  };
  return {
    ...store,
    get: async (key) => {
      await acting("get");
      return await store.get(key);
    },
    replaceIf: async (key, body, tag) => {
      await acting("replaceIf");
      return await store.replaceIf(key, body, tag);
    },
  };
}

describe("an object that is not a head", () => {
  test.each([
    ["cut off", '{"format":"fillbook-head/1","seq":'],
    ["empty", ""],
    ["another format", '{"format":"fillbook-head/2","seq":1,"epoch":1}'],
    ["null", "null"],
    ["no numbers", '{"format":"fillbook-head/1","seq":"1","epoch":1}'],
    ["without its fields", '{"format":"fillbook-head/1","seq":1,"epoch":1}'],
    [
      "with an impossible manifest",
      '{"format":"fillbook-head/1","seq":1,"epoch":1,"commitId":"a","recentCommitIds":[],"manifest":{},"lease":null,"lastRun":null}',
    ],
  ])("%s: the message names the key", async (_, body) => {
    const store = memoryStore();
    store.put(headKey(ACCOUNT), bytes(body));
    await expect(readHead(store, ACCOUNT)).rejects.toMatchObject({
      kind: "untrusted",
      message: "memory/main/head.json is not a head that this version can read",
    });
  });

  test("no head at all is not an error", async () => {
    expect(await readHead(memoryStore(), ACCOUNT)).toBeNull();
  });
});

test("a head keeps the fields that are not changed, and null counts as a change", () => {
  const lease = { holder: "h", ttlMs: 1 };
  const manifest = { seq: 1, sha256: "a" };
  const lastRun = { endedAt: 5, complete: true, problem: null };
  const current = { ...emptyManifest(ACCOUNT), seq: 1 };
  const head = nextHead(null, { epoch: 3, lease, manifest, current, lastRun }, ours);
  expect(nextHead(head, {}, ours)).toMatchObject({ seq: head.seq + 1, epoch: 3, lease, manifest, current, lastRun });
  expect(nextHead(head, { lease: null }, ours).lease).toBeNull();
});
