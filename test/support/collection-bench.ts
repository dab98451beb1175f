import { readArchive } from "../../lambda/archive/read.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext, SyncResult } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { Store } from "../../lambda/storage/store.ts";
import type { Emulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { auditManifest } from "./auditor.ts";
import type { FakeClock } from "./fake-clock.ts";
import { faultyStore, type StoreOperation } from "./faulty-store.ts";
import { makeBench } from "./job.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";
import { keysIn, readPublished } from "./published.ts";

/** An account of 60 days. An archive of its first half leaves fills for later runs. */
export const FROM = Date.UTC(2025, 2, 1);
export const MIDDLE = FROM + 30 * DAY_MS;
export const TO = FROM + 60 * DAY_MS;

/** A manifest that the head named at some time, and when that began. */
interface NamedManifest {
  readonly at: number;
  readonly key: string;
}

/** A memory store that remembers which manifests its head has named. `now`: its clock. */
export interface RememberingStore extends MemoryStore {
  readonly named: readonly NamedManifest[];
}

export function rememberingStore(now: () => number): RememberingStore {
  const named: NamedManifest[] = [];
  const memory = memoryStore("memory", now);
  return {
    ...memory,
    named,
    async replaceIf(key, body, tag) {
      const landed = await memory.replaceIf(key, body, tag);
      const manifest = key === "main/head.json" ? JSON.parse(Buffer.from(body).toString()).manifest : null;
      if (landed !== null && manifest !== null) {
        named.push({ at: now(), key: `main/manifests/${manifest.seq}-${manifest.sha256}.json` });
      }
      return landed;
    },
  };
}

/** The manifests that were current within the last week at `now`. They must be readable. */
export function readable({ named }: RememberingStore, now: number): Set<string> {
  const isOver = ({ key }: NamedManifest, index: number) => {
    const next = named.slice(index).find((later) => later.key !== key);
    return next !== undefined && next.at <= now - 7 * DAY_MS;
  };
  return new Set(named.filter((one, index) => !isOver(one, index)).map(({ key }) => key));
}

/** Objects of the archive that its current manifest does not name, found by searching its text. */
export async function unnamed(store: Store): Promise<string[]> {
  const text = async (key: string) => Buffer.from((await store.get(key))?.body ?? []).toString();
  const { manifest } = JSON.parse(await text("main/head.json"));
  const current = `main/manifests/${manifest.seq}-${manifest.sha256}.json`;
  const names = new Set(keysIn(await readPublished(text, current)));
  const keys: string[] = [];
  for (const folder of ["manifests", "index", "fills", "pages", "restatements"]) {
    for await (const { key } of store.list(`main/${folder}/`)) {
      keys.push(key);
    }
  }
  return keys.filter((key) => key !== current && !names.has(key));
}

/** An archive of half of the account, with leftovers of killed runs. */
export class CollectionBench {
  readonly job: RunContext;
  readonly clock: FakeClock;
  readonly store: RememberingStore;
  readonly #emulator: Emulator;

  private constructor(parts: { job: RunContext; emulator: Emulator; clock: FakeClock; store: RememberingStore }) {
    this.job = { ...parts.job, store: parts.store };
    this.clock = parts.clock;
    this.store = parts.store;
    this.#emulator = parts.emulator;
  }

  static async make(): Promise<CollectionBench> {
    const history = makeHistory({ seed: 3, fills: 300, from: FROM, to: TO });
    const { job, emulator, clock } = makeBench({ history, switches: { pageLimit: 20 } });
    const bench = new CollectionBench({ job, emulator, clock, store: rememberingStore(() => clock.now()) });
    // Each run dies when all of its first commit is written and the head does not name it yet.
    for (const to of [FROM + 10 * DAY_MS, MIDDLE]) {
      const isCommit = ({ method, nth }: StoreOperation) => method === "replaceIf" && nth === 1;
      const store = faultyStore(bench.store, (operation) => (isCommit(operation) ? "kill-before" : "ok"));
      await bench.sync({ store }, to).catch(() => undefined);
    }
    await bench.sync();
    return bench;
  }

  async sync(job: Partial<RunContext> = {}, to = MIDDLE): Promise<SyncResult> {
    return await syncArchive({ ...this.job, ...job }, { from: FROM, to });
  }

  get keys(): string[] {
    return [...this.store.snapshot().keys()];
  }

  /**
   * One sentence for each row that is missing or wrong in a manifest of the last week, and the findings of
   * `verify`.
   */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    for (const key of readable(this.store, this.clock.now())) {
      try {
        const { lost, doubled, invented, wrong } = await auditManifest(this.store, key, this.#emulator.truth());
        faults.push(...[...lost, ...doubled, ...invented, ...wrong].map((row) => `${key}: ${row}`));
      } catch (error) {
        faults.push(`${key}: ${String(error)}`);
      }
    }
    const archive = await readArchive(this.store, "main");
    return [...faults, ...(await verifyArchiveObjects(this.store, archive, null)).findings];
  }
}
