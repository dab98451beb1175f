import fc from "fast-check";
import { expect, test } from "vitest";
import { SAFE_AGE_MS } from "../../lambda/archive/age.ts";
import { collectWhenDue } from "../../lambda/archive/collect.ts";
import { DataFileEncoder } from "../../lambda/archive/data-file-format.ts";
import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { fileFills } from "../../lambda/archive/rewrite-data-files.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { scheduledStore, sleepingStore, unlessFenced } from "../crash/around-store.ts";
import { ArchiveRuns, commit } from "../support/archive-runs.ts";
import { type RememberingStore, readable, rememberingStore, unnamed } from "../support/collection-bench.ts";
import { faultyStore, KilledError } from "../support/faulty-store.ts";
import { makeFill } from "../support/make-fill.ts";

// Runs on the archive alone, without a service. The test chooses what they commit, so that a run needs an old
// object again.

const MARCH = { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };
const APRIL = { from: MARCH.to, to: Date.UTC(2025, 4, 1) };
const JULY = Date.UTC(2025, 6, 1);

class World extends ArchiveRuns {
  store: RememberingStore = rememberingStore(() => this.now);

  job(store: Store = this.store): RunContext {
    return this.contextOf({ store });
  }

  async open(job: RunContext): Promise<ArchiveSession> {
    return await ArchiveSession.open(job, () => undefined);
  }
}

/** Commits with coverage of the months that hold the fills. */
async function commitMonths(session: ArchiveSession, fills: readonly Fill[]): Promise<void> {
  await commit(session, fills, [MARCH, APRIL]);
}

async function release(job: RunContext, session: ArchiveSession, collects: boolean): Promise<number> {
  const { mark, deleted, problem } = collects
    ? await collectWhenDue(job, session)
    : { mark: null, deleted: 0, problem: null };
  expect(problem).toBeNull();
  await session.release({ endedAt: job.clock.now(), complete: true, problem: null }, mark);
  return deleted;
}

const cheap = makeFill({ matchId: "a", txCreated: MARCH.from + DAY_MS, fee: "1" });
const dear = { ...cheap, fee: "2" };
const crashed = makeFill({ matchId: "b", txCreated: APRIL.from + DAY_MS });
const late = makeFill({ matchId: "c", txCreated: JULY });

/**
 * A fill's fee was 1 and is now 2. The data file with fee 1 has been an orphan for a week and a day. A run
 * that died, long ago or an hour ago, wrote another data file. The next run collects, and a later answer of
 * the service may need both data files again.
 */
async function grownWorld(crashedAgo: number): Promise<World> {
  const world = new World();
  const first = world.job();
  const session = await world.open(first);
  await commitMonths(session, [cheap]);
  await commitMonths(session, [dear]);
  await release(first, session, true);
  world.now += 8 * DAY_MS - crashedAgo;
  const dying = world.job();
  const last = await world.open(dying);
  await fileFills({ ...dying, epoch: last.epoch, encoder: new DataFileEncoder() }, ManifestIndex.empty(dying), [
    crashed,
  ]);
  world.now += crashedAgo;
  return world;
}

/** Objects that are missing or wrong, of the manifests that were current within the last week. */
async function faults({ store, now }: World): Promise<string[]> {
  const found: string[] = [];
  for (const key of readable(store, now)) {
    const body = store.snapshot().get(key);
    if (body === undefined) {
      found.push(`${key} is missing`);
    } else {
      const manifest = JSON.parse(Buffer.from(body).toString());
      const manifestIndex = ManifestIndex.of({ store, account: "main" }, manifest.index);
      found.push(...(await verifyArchiveObjects(store, { manifest, manifestIndex, ref: null }, null)).findings);
    }
  }
  return found;
}

/** After undisturbed weeks the archive must be whole, with no other objects, whatever happened before. */
async function expectConverges(world: World): Promise<void> {
  for (let week = 0; week < 3; week += 1) {
    const job = world.job();
    await release(job, await world.open(job), true);
    expect(await faults(world)).toEqual([]);
    world.now += 8 * DAY_MS;
  }
  expect(await unnamed(world.store)).toEqual([]);
}

/** No call, and no next line of a list, happens before the scheduler allows it. */
function scheduled(store: Store, scheduler: fc.Scheduler, told: (what: string) => void): Store {
  return {
    ...scheduledStore(store, scheduler, told),
    async *list(prefix) {
      for await (const listed of store.list(prefix)) {
        await scheduler.schedule(Promise.resolve(), `list ${prefix}`);
        told(`list ${prefix}`);
        yield listed;
      }
    },
  };
}

test("one run needs an old orphan again while another deletes it and time jumps, in every order: nothing needed is lost", async () => {
  let rivalCommits = 0;
  let deletions = 0;
  let both = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(HOUR_MS, 6.5 * DAY_MS, 7.5 * DAY_MS),
      fc.constantFrom(0, DAY_MS, 8 * DAY_MS),
      fc.nat({ max: 30 }),
      fc.boolean(),
      async (scheduler, crashedAgo, jumpMs, turnsAhead, rivalCollects) => {
        const world = await grownWorld(crashedAgo);
        const collectorTurns: string[] = [];
        let committed = false;
        let letRivalBegin: () => void = () => undefined;
        const rivalBegins = new Promise<void>((begin) => {
          letRivalBegin = begin;
        });
        const collector = async () => {
          const told = (what: string) => {
            collectorTurns.push(what);
            if (collectorTurns.length >= turnsAhead) {
              letRivalBegin();
            }
          };
          const job = world.job(scheduled(world.store, scheduler, told));
          await release(job, await world.open(job), true);
        };
        const rival = async () => {
          await rivalBegins;
          const job = world.job(scheduled(world.store, scheduler, () => undefined));
          const session = await world.open(job);
          await commitMonths(session, [cheap, crashed]);
          committed = true;
          await commitMonths(session, [late]);
          await release(job, session, rivalCollects);
        };
        const jump = async () => {
          await scheduler.schedule(Promise.resolve(), "time jumps");
          world.now += jumpMs;
        };
        await scheduler.waitFor(
          Promise.all([unlessFenced(collector()).finally(letRivalBegin), unlessFenced(rival()), jump()]),
        );
        expect(await faults(world)).toEqual([]);
        const { manifest } = await readArchive(world.store, "main");
        expect(manifest.fills).toBeGreaterThanOrEqual(committed ? 2 : 1);
        rivalCommits += committed ? 1 : 0;
        const hasDeleted = collectorTurns.some((what) => /^remove.*answered$/.test(what));
        deletions += hasDeleted ? 1 : 0;
        both += committed && hasDeleted ? 1 : 0;
        await expectConverges(world);
      },
    ),
    { numRuns: 400 },
  );
  expect(Math.min(rivalCommits, deletions, both)).toBeGreaterThan(20);
});

test("a collector that sleeps at any step, for an hour or for weeks, while another run takes over, deletes nothing needed", async () => {
  let taken = 0;
  for (const asleepMs of [HOUR_MS, 9 * DAY_MS, 30 * DAY_MS]) {
    for (let step = 0, isOver = false; !isOver; step += 1) {
      const world = await grownWorld(7.5 * DAY_MS);
      let calls = 0;
      const sleeping = async <T>(call: () => Promise<T>): Promise<T> => {
        calls += 1;
        if (calls === step + 1) {
          const job = world.job();
          const rival = await world.open(job);
          await commitMonths(rival, [cheap, crashed]);
          world.now += asleepMs;
          taken += 1;
        }
        return await call();
      };
      const { store } = world;
      const job = world.job({
        ...store,
        get: (key) => sleeping(() => store.get(key)),
        replaceIf: (key, body, tag) => sleeping(() => store.replaceIf(key, body, tag)),
        remove: (key) => sleeping(() => store.remove(key)),
        async *list(prefix) {
          for await (const listed of store.list(prefix)) {
            yield await sleeping(() => Promise.resolve(listed));
          }
        },
      });
      await unlessFenced(world.open(job).then((session) => release(job, session, true)));
      isOver = calls <= step;
      expect(await faults(world), `asleep for ${asleepMs} ms at step ${step}`).toEqual([]);
      await expectConverges(world);
    }
  }
  expect(taken).toBeGreaterThan(50);
});

test("orphans vanish at any step of a run that needs them again: nothing is missing afterwards", async () => {
  for (const crashedAgo of [HOUR_MS, 5 * DAY_MS, 7.5 * DAY_MS]) {
    for (let step = 0, isOver = false; !isOver; step += 1) {
      const world = await grownWorld(crashedAgo);
      const { store } = world;
      const chosen = new Set(await unnamed(store));
      for await (const { key, modifiedMs } of store.list("main/")) {
        if (modifiedMs > world.now - SAFE_AGE_MS) {
          chosen.delete(key);
        }
      }
      expect(chosen.size).toBeGreaterThan(1);
      const goes = () => Promise.all([...chosen].map((key) => store.remove(key)));
      const { store: watched, slept } = sleepingStore(store, 2 * step, goes);
      const job = world.job(watched);
      const session = await world.open(job);
      await commitMonths(session, [cheap, crashed]);
      await release(job, session, false);
      isOver = !slept();
      expect(session.manifest.fills).toBe(2);
      const archive = await readArchive(store, "main");
      expect((await verifyArchiveObjects(store, archive, null)).findings, `at step ${step}`).toEqual([]);
    }
  }
});

test("no run writes a manifest, raw responses or restatements under a name that another run has used", async () => {
  const world = new World();
  const first = world.job();
  await commitMonths(await world.open(first), [cheap]);
  const before = new Set(world.store.snapshot().keys());
  // Two runs that commit the same change. The first dies before the head names its manifest.
  const dying = faultyStore(world.store, ({ key, nth }) =>
    key === "main/head.json" && nth === 1 ? "kill-before" : "ok",
  );
  for (const store of [dying, world.store]) {
    const job = world.job(store);
    await world
      .open(job)
      .then((session) => commitMonths(session, [dear]))
      .catch((error: unknown) => expect(error).toBeInstanceOf(KilledError));
  }
  const after = [...world.store.snapshot().keys()].filter((key) => !before.has(key));
  const perFolder = Object.groupBy(after, (key) => key.split("/")[1] ?? "");
  expect(Object.entries(perFolder).map(([folder, keys]) => [folder, keys?.length])).toEqual([
    ["fills", 1],
    ["manifests", 2],
    ["pages", 2],
    ["restatements", 2],
  ]);
});
