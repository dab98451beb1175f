import { describe, expect, test } from "vitest";
import type { Change } from "../../lambda/archive/commit-builder.ts";
import { FencedError } from "../../lambda/archive/fenced.ts";
import { readHead } from "../../lambda/archive/head.ts";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { type FaultyStore, faultyStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";
import { readCurrent } from "../support/published.ts";
import { bytes } from "../support/store-text.ts";

// How a run takes the archive, and how a waiting change joins the next commit.

const FROM = Date.UTC(2025, 2, 1);
const WINDOW = { from: FROM, to: FROM + 10 * DAY_MS };
const NEXT_WINDOW = { from: WINDOW.to, to: WINDOW.to + DAY_MS };
const RAW_RESPONSES = [1, 2].map((name) => ({ key: `main/pages/${name}`, body: bytes(`pages ${name}`) }));
const { checkpoint: CHECKPOINT } = emptyManifest("main");
const DONE = { endedAt: 7, complete: true, problem: null };

function fillOn(day: number): PlainFill {
  const txCreated = FROM + day * DAY_MS;
  return makeFill({ matchId: `m-${day}`, txCreated, filledAt: txCreated });
}

function changeOf(incomingFills: readonly Fill[], windows: readonly { from: number; to: number }[] = []): Change {
  const ended = { pages: 1, duplicates: 0, ended: "no-last", pagesHash: "ab", rawResponses: ["main/pages/1"] } as const;
  const finished = windows.map((one) => ({ ...one, ...ended }));
  return { incomingFills, rawResponses: RAW_RESPONSES, finished, checkpoint: CHECKPOINT };
}

function jobOf(store: Store, holder = "test:1:a"): RunContext {
  return { ...makeBench({ history: [], job: { store, random: namedRandom(holder) } }).job, holder };
}

async function open(store: Store, holder?: string): Promise<ArchiveSession> {
  return await ArchiveSession.open(jobOf(store, holder), () => undefined);
}

function watch(store: Store): FaultyStore {
  return faultyStore(store, () => "ok");
}

/** The writes, as method and folder or head. */
function writesOf({ operations }: FaultyStore): string[] {
  return operations
    .filter(({ method }) => method !== "get" && method !== "list")
    .map(({ method, key }) => `${method} ${key.split("/")[1]?.replace(".json", "")}`);
}

describe("a run that finds nothing new", () => {
  test("takes the archive, and releases it with one manifest", async () => {
    const memory = memoryStore();
    const first = await open(memory);
    await first.commit(changeOf([fillOn(1)], [WINDOW]));
    await first.release(DONE);
    const store = watch(memory);
    const session = await open(store);
    expect(writesOf(store)).toEqual(["replaceIf head"]);
    await session.commit(changeOf([], [NEXT_WINDOW]), "soon");
    expect(session.manifest.coverage).toEqual([{ from: WINDOW.from, to: NEXT_WINDOW.to }]);
    expect(await readCurrent(memory, "main")).toMatchObject({ seq: 1, coverage: [WINDOW] });
    await session.release(DONE);
    expect(writesOf(store)).toEqual(["replaceIf head", "createNew manifests", "replaceIf head"]);
    expect(await readCurrent(memory, "main")).toMatchObject({
      seq: 2,
      epoch: 2,
      coverage: [{ from: WINDOW.from, to: NEXT_WINDOW.to }],
      windows: [
        { ...WINDOW, rawResponses: ["main/pages/1"] },
        { ...NEXT_WINDOW, rawResponses: [] },
      ],
    });
    expect((await readHead(memory, "main"))?.head).toMatchObject({ epoch: 2, lease: null, lastRun: DONE });
  });

  test("and covers nothing new writes only the head, and no manifest", async () => {
    const memory = memoryStore();
    const first = await open(memory);
    await first.commit(changeOf([fillOn(1)], [WINDOW]));
    await first.release(DONE);
    const store = watch(memory);
    const session = await open(store);
    await session.commit(changeOf([], [WINDOW]));
    await session.release({ ...DONE, endedAt: 8 });
    expect(writesOf(store)).toEqual(["replaceIf head", "replaceIf head"]);
    expect((await readHead(memory, "main"))?.head).toMatchObject({ manifest: { seq: 1 }, lastRun: { endedAt: 8 } });
  });

  test("keeps no raw response that nothing names; a run with news keeps those that are named", async () => {
    const memory = memoryStore();
    const session = await open(memory);
    await session.commit(changeOf([], [WINDOW]));
    await session.heartbeat();
    const pages = () => [...memory.snapshot().keys()].filter((key) => key.startsWith("main/pages/"));
    expect(pages()).toEqual([]);
    await session.commit(changeOf([fillOn(1)], [WINDOW]));
    expect(pages()).toEqual(["main/pages/1"]);
    const open_ = { ...CHECKPOINT, open: [{ rawResponses: ["main/pages/2"] }] } as unknown as Change["checkpoint"];
    await session.commit({ ...changeOf([]), checkpoint: open_ });
    expect(pages()).toEqual(["main/pages/1", "main/pages/2"]);
  });
});

describe("a commit that may wait", () => {
  const flushes: readonly [string, (session: ArchiveSession) => Promise<unknown>, string[]][] = [
    ["a heartbeat", (session) => session.heartbeat(), []],
    ["an action that holds the archive", (session) => session.hold(() => Promise.resolve()), []],
    ["the next commit", (session) => session.commit(changeOf([fillOn(20)])), ["createNew fills"]],
    ["the release", (session) => session.release(DONE), []],
  ];

  test.each(flushes)("is committed with %s, in one write of the head", async (_, flush, more) => {
    const memory = memoryStore();
    const store = watch(memory);
    const session = await open(store);
    await session.commit(changeOf([fillOn(1)], [WINDOW]));
    await session.commit(changeOf([fillOn(2), fillOn(3)], [NEXT_WINDOW]), "soon");
    expect(session.manifest).toMatchObject({ fills: 3, coverage: [{ from: WINDOW.from, to: NEXT_WINDOW.to }] });
    expect(await readCurrent(memory, "main")).toMatchObject({ fills: 1, coverage: [WINDOW], seq: 1 });
    const before = writesOf(store).length;
    await flush(session);
    expect(writesOf(store).slice(before)).toEqual([...more, "createNew manifests", "replaceIf head"]);
    expect(await readCurrent(memory, "main")).toMatchObject({
      fills: 3 + more.length,
      coverage: [{ from: WINDOW.from, to: NEXT_WINDOW.to }],
      seq: 2,
    });
  });

  test("is invisible to readers of a held archive before it is committed", async () => {
    const memory = memoryStore();
    const session = await open(memory);
    await session.commit(changeOf([fillOn(1)], [WINDOW]), "soon");
    await session.hold(async ({ manifest, ref }) => {
      const { manifest: named } = (await readHead(memory, "main"))?.head ?? {};
      expect(ref).toEqual(named);
      expect(manifest).toEqual((await readHead(memory, "main"))?.head.current);
    });
  });
});

describe("a run that has lost the archive to another", () => {
  const writes: readonly [string, (session: ArchiveSession) => Promise<unknown>][] = [
    ["files a fill", (session) => session.commit(changeOf([fillOn(1)]))],
    ["shows that it is alive", (session) => session.heartbeat()],
    ["ends", (session) => session.release(DONE)],
    [
      "ends, with coverage that waits",
      async (session) => {
        await session.commit(changeOf([], [WINDOW]), "soon");
        await session.release(DONE);
      },
    ],
  ];

  test.each(writes)("gets an error when it %s, and the other run's archive is unchanged", async (_, write) => {
    const memory = memoryStore();
    const late = await open(memory);
    // The other run sees no write for as long as a lease lasts.
    const quick = await open(memory, "test:2:b");
    await quick.commit(changeOf([fillOn(2)], [NEXT_WINDOW]));
    const theirs = await readHead(memory, "main");
    await expect(write(late)).rejects.toBeInstanceOf(FencedError);
    expect(await readHead(memory, "main")).toEqual(theirs);
    expect(theirs?.head).toMatchObject({ epoch: 2, lease: { holder: "test:2:b" } });
    expect(await readCurrent(memory, "main")).toMatchObject({ fills: 1, coverage: [NEXT_WINDOW] });
  });
});
