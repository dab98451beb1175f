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
import { sleepingStore, unlessFenced } from "../crash/around-store.ts";
import { ArchiveRuns, commit } from "../support/archive-runs.ts";
import { type RememberingStore, readable, rememberingStore, unnamed } from "../support/collection-bench.ts";
import { makeFill } from "../support/make-fill.ts";

// Runs on the archive alone, without a service. The test chooses what they commit, so that a run needs an old
// object again.

const MARCH = { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };
const APRIL = { from: MARCH.to, to: Date.UTC(2025, 4, 1) };

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
