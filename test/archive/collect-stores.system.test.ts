import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SAFE_AGE_MS } from "../../lambda/archive/age.ts";
import { readHead } from "../../lambda/archive/head.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { verifyArchive } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { openS3Store } from "../../lambda/storage/s3.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { audit } from "../support/auditor.ts";
import { unnamed } from "../support/collection-bench.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { startS3Double } from "../support/s3-double/server.ts";
import { bytes, collect } from "../support/store-text.ts";

const FROM = Date.UTC(2025, 2, 1);
const TO = FROM + 30 * DAY_MS;
const AGE_MS = SAFE_AGE_MS + DAY_MS;

interface Place {
  readonly store: Store;
  /** Makes all that is there older. */
  readonly age: (ms: number) => Promise<void>;
  readonly cleanup: () => Promise<void>;
}

async function folder(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "fillbook-collect-"));
  const store = openFolderStore(root);
  return {
    store,
    async age(ms) {
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        const key = join(entry.parentPath, entry.name).slice(root.length + 1);
        for await (const { modifiedMs } of entry.isFile() && entry.name !== ".lock" ? store.list(key) : []) {
          const older = (modifiedMs - ms) / 1000;
          await utimes(join(root, key), older, older);
        }
      }
    },
    cleanup: () => rm(root, { recursive: true }),
  };
}

async function s3(): Promise<Place> {
  const double = await startS3Double({ bucket: "bucket", listPage: 3 });
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = { endpoint: double.endpoint, region: "eu-west-1", forcePathStyle: true, credentials };
  return {
    store: openS3Store({ bucket: "bucket", prefix: "books", client }),
    age(ms) {
      for (const [key, object] of double.bucket.objects) {
        double.bucket.objects.set(key, { ...object, modifiedMs: (object.modifiedMs ?? 0) - ms });
      }
      return Promise.resolve();
    },
    cleanup: () => double.close(),
  };
}

/** The mark of the last collection as it would have been made by a store whose clock was behind by that much. */
async function ageMark(store: Store, ms: number): Promise<number> {
  const held = await readHead(store, "main");
  const mark = held?.head.collection;
  if (held === null || mark === null || mark === undefined) {
    throw new Error("no complete run has made a mark");
  }
  const body = bytes(JSON.stringify({ ...held.head, collection: { ...mark, at: mark.at - ms } }));
  expect(await store.replaceIf("main/head.json", body, held.tag)).not.toBeNull();
  return mark.at;
}

async function keysOf(store: Store, without: readonly string[]): Promise<string[]> {
  return (await collect(store.list(""))).map(({ key }) => key).filter((key) => !without.includes(key));
}

describe.each([
  ["a folder", folder],
  ["S3", s3],
] as const)("on %s", (_, open) => {
  test("what a killed run left is collected by the store's own times, and the archive verifies", async () => {
    const { store, age, cleanup } = await open();
    try {
      const history = makeHistory({ seed: 3, fills: 120, from: FROM, to: TO });
      const emulator = createEmulator({ history, switches: { pageLimit: 20 } });
      const { job, clock } = makeBench({ emulator, job: { store } });
      const run = (of: Partial<RunContext> = {}) => syncArchive({ ...job, ...of }, { from: FROM, to: TO });
      let isPartWritten = false;
      const dying = faultyStore(store, ({ method, key }) => {
        isPartWritten ||= method === "createNew" && key.endsWith(".parquet");
        return method === "replaceIf" && isPartWritten ? "kill-before" : "ok";
      });
      await run({ store: dying }).catch(() => undefined);
      expect(dying.killed).toBe(true);
      expect(await run()).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
      const orphans = await unnamed(store);
      expect(orphans.length).toBeGreaterThan(0);
      const kept = await keysOf(store, orphans);
      const markedAt = await ageMark(store, AGE_MS);
      const onTime = {
        ...clock,
        now: () => markedAt,
        monotonic: () => clock.monotonic(),
        sleep: clock.sleep.bind(clock),
      };
      const tooYoung = await run({ clock: onTime });
      expect(tooYoung).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
      await age(AGE_MS);
      await ageMark(store, AGE_MS);
      const collected = await run({ clock: onTime });
      expect(collected).toMatchObject({ complete: true, orphans: { deleted: orphans.length, problem: null } });
      expect(await keysOf(store, [])).toEqual(kept);
      expect(await audit(store, "main", emulator.truth())).toMatchObject({
        lost: [],
        doubled: [],
        invented: [],
        wrong: [],
      });
      expect(await verifyArchive(job, { rewalk: false })).toMatchObject({ ok: true, findings: [] });
    } finally {
      await cleanup();
    }
  });
});
