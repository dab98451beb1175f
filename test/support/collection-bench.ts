import { readArchive } from "../../lambda/archive/read.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import type { Job } from "../../lambda/job.ts";
import { DAY_MS } from "../../lambda/model/time.ts";
import type { Store } from "../../lambda/store/store.ts";
import { makeHistory } from "../emulator/history.ts";
import { auditManifest } from "./auditor.ts";
import { makeBench } from "./job.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** An account of 60 days; an archive of the first half has something to go on with. */
export const FROM = Date.UTC(2025, 2, 1);
export const MIDDLE = FROM + 30 * DAY_MS;
export const TO = FROM + 60 * DAY_MS;

/** What a run has replaced can be read for so long. */
const READABLE_MS = 7 * DAY_MS;
const FOLDERS = ["manifests", "fills", "pages", "restatements"];

/** An archive whose store has the clock of the runs, and whose heads are remembered. */
export interface CollectionBench {
  readonly job: Job;
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  /** A copy of the store as it is now, times included, whose heads are remembered with the others. */
  readonly fork: () => Promise<MemoryStore>;
  /** One sentence for each manifest of the last week that is not whole, and what `verify` finds. */
  readonly faults: (store?: Store) => Promise<string[]>;
}

export function collectionBench(fills = 300): CollectionBench {
  const { job, emulator, clock } = makeBench({
    history: makeHistory({ seed: 3, fills, from: FROM, to: TO }),
    switches: { pageLimit: 20 },
  });
  const heads: { readonly at: number; readonly key: string }[] = [];
  let writtenAt: number | null = null;
  const newStore = (): MemoryStore => {
    const memory = memoryStore("memory", () => writtenAt ?? clock.now());
    return {
      ...memory,
      async replaceIf(key, body, tag) {
        const landed = await memory.replaceIf(key, body, tag);
        const manifest = key === "main/head.json" ? JSON.parse(Buffer.from(body).toString()).manifest : null;
        if (landed !== null && manifest !== null) {
          heads.push({ at: clock.now(), key: `main/manifests/${manifest.seq}-${manifest.sha256}.json` });
        }
        return landed;
      },
    };
  };
  const store = newStore();
  const readable = () => {
    const isOver = ({ key }: { key: string }, index: number) => {
      const next = heads.slice(index).find((head) => head.key !== key);
      return next !== undefined && next.at <= clock.now() - READABLE_MS;
    };
    return new Set(heads.filter((head, index) => !isOver(head, index)).map(({ key }) => key));
  };
  return {
    job: { ...job, store },
    clock,
    store,
    async fork() {
      const copy = newStore();
      const bodies = store.snapshot();
      for await (const { key, modifiedMs } of store.list("")) {
        writtenAt = modifiedMs;
        copy.put(key, bodies.get(key) ?? new Uint8Array());
      }
      writtenAt = null;
      return copy;
    },
    async faults(of = store) {
      const faults: string[] = [];
      for (const key of readable()) {
        try {
          const { lost, doubled, invented, wrong } = await auditManifest(of, key, emulator.truth());
          faults.push(...[...lost, ...doubled, ...invented, ...wrong].map((row) => `${key}: ${row}`));
        } catch (error) {
          faults.push(`${key}: ${String(error)}`);
        }
      }
      const { manifest } = await readArchive(of, "main");
      return [...faults, ...(await verifyArchiveObjects(of, manifest, null)).findings];
    },
  };
}

/** Objects of the archive that its current manifest does not name, by its text. */
export async function unnamed(store: Store): Promise<string[]> {
  const text = async (key: string) => Buffer.from((await store.get(key))?.body ?? []).toString();
  const { manifest } = JSON.parse(await text("main/head.json"));
  const current = `main/manifests/${manifest.seq}-${manifest.sha256}.json`;
  const named = await text(current);
  const keys: string[] = [];
  for (const folder of FOLDERS) {
    for await (const { key } of store.list(`main/${folder}/`)) {
      keys.push(key);
    }
  }
  return keys.filter((key) => key !== current && !named.includes(`"${key}"`));
}
