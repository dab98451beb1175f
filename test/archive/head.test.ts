import { describe, expect, test } from "vitest";
import { FencedError, readHead, readNewestHead, swapHead } from "../../lambda/archive/head.ts";
import { headKey } from "../../lambda/archive/keys.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";
import { bytes } from "../support/store-text.ts";
import { contentsOf, DONE, fileOnce, fillOn, MARCH, opened, read } from "./filed.ts";

const ACCOUNT = "main";

describe("an object that is not a head", () => {
  const whole = { format: "fillbook-head/2", seq: 1, commitId: "a", manifest: null };
  test.each<[string, string]>([
    ["cut off", '{"format":"fillbook-head/2","seq":'],
    ["empty", ""],
    ["null", "null"],
    ["another format", JSON.stringify({ ...whole, format: "fillbook-head/3" })],
    ["no number", JSON.stringify({ ...whole, seq: "1" })],
    ["without its fields", '{"format":"fillbook-head/2","seq":1}'],
    ["with an impossible manifest", JSON.stringify({ ...whole, manifest: { seq: 1, sha256: "x" } })],
    ["with a run that never ended", JSON.stringify({ ...whole, lastRun: {} })],
    ["with an impossible problem", JSON.stringify({ ...whole, lastRun: { endedAt: 1, problem: 5 } })],
    ["with an impossible collection", JSON.stringify({ ...whole, collection: { at: "x" } })],
  ])("%s: the message names the key", async (_, body) => {
    const store = memoryStore();
    store.put(headKey(ACCOUNT), bytes(body));
    await expect(readHead(store, ACCOUNT)).rejects.toMatchObject({
      kind: "untrusted",
      message: "memory/main/head.json is not a head that this version can read",
    });
  });

  test("of the format before: wrong usage, with the way on", async () => {
    const store = memoryStore();
    store.put(headKey(ACCOUNT), bytes('{"format":"fillbook-head/1","seq":7,"epoch":1}'));
    await expect(readHead(store, ACCOUNT)).rejects.toMatchObject({
      kind: "usage",
      message: "memory/main/head.json belongs to an archive of an older format",
      hint: expect.stringContaining("new, empty --store"),
    });
    await expect(opened(store)).rejects.toMatchObject({ kind: "usage" });
  });

  test("no head at all is not an error", async () => {
    expect(await readHead(memoryStore(), ACCOUNT)).toBeNull();
  });
});

describe("a head that follows another", () => {
  const random = namedRandom("c");
  const portsOf = (store: Store) => ({ store, random, clock: fakeClock({ now: 0, auto: true }), account: ACCOUNT });

  test("keeps what is not changed", async () => {
    const ports = portsOf(memoryStore());
    const owner = { address: "https://a.example", subject: null };
    const first = await swapHead(ports, null, { owner, lastRun: DONE, table: 3 });
    const manifest = { seq: 1, sha256: "0".repeat(64) };
    const { head } = await swapHead(ports, first, { manifest });
    expect(head).toEqual({ ...first.head, seq: 2, commitId: head.commitId, manifest });
    expect(head.commitId).not.toBe(first.head.commitId);
    expect(await readHead(ports.store, ACCOUNT)).toMatchObject({ head });
  });

  test("is swapped in once: one's own write is recognised, a rival's stands", async () => {
    const store = memoryStore();
    const lossy = faultyStore(store, ({ method, nth }) => (method === "replaceIf" && nth === 0 ? "lost-after" : "ok"));
    const landed = await swapHead(portsOf(lossy), null, { table: 1 });
    expect(landed).toEqual(await readHead(store, ACCOUNT));
    await expect(swapHead(portsOf(store), null, {})).rejects.toThrow(FencedError);
    await swapHead(portsOf(store), landed, {});
    await expect(swapHead(portsOf(store), landed, {})).rejects.toThrow(FencedError);
    expect((await readHead(store, ACCOUNT))?.head.seq).toBe(2);
  });
});

describe("a head that is older than the archive", () => {
  /** The heads of an archive of three commits, newest last. */
  async function grown(): Promise<{ store: MemoryStore; heads: Uint8Array[] }> {
    const store = memoryStore();
    const heads: Uint8Array[] = [];
    for (const day of [1, 2, 3]) {
      await fileOnce(store, [fillOn(day)]);
      heads.push(store.snapshot().get(headKey(ACCOUNT)) ?? new Uint8Array());
    }
    return { store, heads };
  }

  test("by two commits, or missing, is refused: the newest manifest is named, and nothing is written", async () => {
    const { store, heads } = await grown();
    const older = {
      kind: "untrusted",
      message: expect.stringContaining("is older than the archive: it names manifest 1"),
    };
    store.put(headKey(ACCOUNT), heads[0] ?? new Uint8Array());
    const before = store.snapshot();
    await expect(opened(store)).rejects.toMatchObject(older);
    await expect(readNewestHead(store, ACCOUNT)).rejects.toMatchObject({
      hint: expect.stringContaining("main/manifests/3-"),
    });
    expect(store.snapshot()).toEqual(before);
    store.delete(headKey(ACCOUNT));
    await expect(opened(store)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("is missing"),
    });
  });

  test("by one commit is accepted: what that commit covered is read again", async () => {
    const { store, heads } = await grown();
    store.put(headKey(ACCOUNT), heads[1] ?? new Uint8Array());
    expect((await opened(store)).session.manifest).toMatchObject({ seq: 2, fills: 2 });
    await fileOnce(store, [fillOn(3), fillOn(4)]);
    expect(await contentsOf(store)).toMatchObject({ manifest: { seq: 3, fills: 4 }, findings: [] });
  });

  test("another run's commit while the head is read is no finding either", async () => {
    const { store } = await grown();
    const racing = {
      ...store,
      async *list(prefix: string) {
        for (const day of [5, 6, 7]) {
          await fileOnce(store, [fillOn(day)]);
        }
        yield* store.list(prefix);
      },
    };
    expect((await readNewestHead(racing, ACCOUNT))?.head.manifest?.seq).toBe(3);
    const { session } = await opened(store);
    session.file({ fills: [], covers: read(MARCH) });
    await session.flush();
  });
});
