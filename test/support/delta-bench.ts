import { parquetReadObjects } from "hyparquet";
import { collectWhenDue } from "../../lambda/archive/collect.ts";
import { publishDeltaLog } from "../../lambda/archive/delta-log/publish.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import type { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { ArchiveRuns, commit } from "./archive-runs.ts";
import { makeFill } from "./make-fill.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";
import { readPublished } from "./published.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };

export const LOG = "main/fills/_delta_log/";

/** A fill on a day of 2025. Equal arguments give equal fills. */
export function fillIn(month: number, day: number, fee = "1"): PlainFill {
  const txCreated = Date.UTC(2025, month - 1, day);
  return makeFill({ matchId: `match-${month}-${day}`, txCreated, filledAt: txCreated, fee });
}

export interface Replayed {
  readonly version: number;
  /** The number of the manifest that the log names. */
  readonly seq: number | null;
  /** Keys of the data files that it names. */
  readonly files: readonly string[];
}

/**
 * The content of a Delta log, from its newest checkpoint and the commits after it. This is a second
 * implementation of the log.
 */
export async function replay(objects: ReadonlyMap<string, Uint8Array>): Promise<Replayed | null> {
  const names = [...objects.keys()].filter((key) => key.startsWith(LOG)).map((key) => key.slice(LOG.length));
  const versions = (ending: string) =>
    names.filter((name) => name.endsWith(ending)).map((name) => Number.parseInt(name, 10));
  const commits = versions(".json").sort((a, b) => a - b);
  const checkpoint =
    versions(".checkpoint.parquet")
      .sort((a, b) => a - b)
      .at(-1) ?? -1;
  if (commits.length === 0) {
    return null;
  }
  const bytesOf = (version: number, ending: string) =>
    objects.get(`${LOG}${String(version).padStart(20, "0")}${ending}`) ?? new Uint8Array();
  // biome-ignore lint/suspicious/noExplicitAny: JSON, as it is on the store
  const actions: any[] = [];
  if (checkpoint >= 0) {
    const file = Uint8Array.from(bytesOf(checkpoint, ".checkpoint.parquet")).buffer;
    actions.push(...(await parquetReadObjects({ file })));
  }
  for (const version of commits.filter((one) => one > checkpoint)) {
    const lines = Buffer.from(bytesOf(version, ".json")).toString().trimEnd().split("\n");
    actions.push(...lines.map((line) => JSON.parse(line)));
  }
  const files = new Set<string>();
  let seq: number | null = null;
  for (const { add, remove, txn } of actions) {
    seq = txn ? Number(txn.version) : seq;
    if (remove) {
      files.delete(remove.path);
    }
    if (add) {
      files.add(add.path);
    }
  }
  return { version: commits.at(-1) ?? -1, seq, files: [...files].sort().map((path) => `main/fills/${path}`) };
}

/** The key of the manifest that a head names. */
function manifestIn(head: string): string | null {
  const { manifest } = JSON.parse(head);
  return manifest === null ? null : `main/manifests/${manifest.seq}-${manifest.sha256}.json`;
}

/** An archive whose runs commit what a test chooses. It checks every version of its log. */
export class DeltaBench extends ArchiveRuns {
  readonly memory: MemoryStore = memoryStore("memory", () => this.now);
  /** Faults seen so far: a version of the log that matches no committed manifest, or an older one. */
  readonly faults: string[] = [];
  /** The data files of each manifest that the head has named, by the manifest's number. */
  readonly #filesOf = new Map<number, readonly string[]>();
  #newest = 0;

  /** The store of every run. */
  readonly store: Store = {
    ...this.memory,
    replaceIf: async (key, body, tag) => {
      const named = key === "main/head.json" ? manifestIn(Buffer.from(body).toString()) : null;
      const published = named === null ? null : await readPublished((name) => this.#text(name), named);
      const landed = await this.memory.replaceIf(key, body, tag);
      if (landed !== null && published !== null) {
        this.#filesOf.set(published.seq, published.dataFiles.map((dataFile) => dataFile.key).sort());
      }
      return landed;
    },
    createNew: async (key, body) => {
      const outcome = await this.memory.createNew(key, body);
      if (outcome === "created" && key.startsWith(LOG)) {
        await this.#witness(key);
      }
      return outcome;
    },
  };

  async #witness(key: string): Promise<void> {
    const said = await this.table();
    const files = this.#filesOf.get(said?.seq ?? -1);
    if (JSON.stringify(said?.files) !== JSON.stringify(files)) {
      this.faults.push(`${key} says of manifest ${said?.seq}: ${said?.files}, which has ${files}`);
    }
    if ((said?.seq ?? 0) < this.#newest) {
      this.faults.push(`${key} is of manifest ${said?.seq} after ${this.#newest}`);
    }
    this.#newest = said?.seq ?? this.#newest;
  }

  #text(key: string): string {
    return Buffer.from(this.memory.snapshot().get(key) ?? []).toString();
  }

  async table(): Promise<Replayed | null> {
    return await replay(this.memory.snapshot());
  }

  /** What the log should name: the data files of the head's manifest. */
  current(): readonly string[] {
    const named = manifestIn(this.#text("main/head.json"));
    return named === null ? [] : (this.#filesOf.get(JSON.parse(this.#text(named)).seq) ?? []);
  }

  /** The files that a reader would not find now. */
  async unreadable(): Promise<readonly string[]> {
    const there = this.memory.snapshot();
    return ((await this.table())?.files ?? []).filter((key) => !there.has(key));
  }

  /** Names of the log's files. */
  logFiles(): readonly string[] {
    return [...this.memory.snapshot().keys()].filter((key) => key.startsWith(LOG)).map((key) => key.slice(LOG.length));
  }

  job(store: Store = this.store, fields: Partial<RunContext> = {}): RunContext {
    return this.contextOf({ store, deltaLog: true, ...fields });
  }

  /**
   * One run: its commits, then the log, then the deletions. Returns the error that kept the log from being
   * written.
   */
  async run(job: RunContext, ...commits: readonly (readonly Fill[])[]): Promise<FillbookError | null> {
    const session = await ArchiveSession.open(job, () => undefined);
    const before = { manifestIndex: session.manifestIndex };
    for (const fills of commits) {
      await commit(session, fills, [YEAR]);
    }
    const problem = await publishDeltaLog(job, session, before);
    const { mark } = problem === null ? await collectWhenDue(job, session) : { mark: null };
    await session.release({ endedAt: job.clock.now(), complete: true, problem: null }, mark);
    return problem;
  }

  /** A copy of this bench in its present state. */
  async copy(): Promise<DeltaBench> {
    const other = new DeltaBench();
    const bodies = this.memory.snapshot();
    for await (const { key, modifiedMs } of this.memory.list("")) {
      other.now = modifiedMs;
      other.memory.put(key, bodies.get(key) ?? new Uint8Array());
    }
    other.now = this.now;
    other.runs = this.runs;
    other.#newest = this.#newest;
    for (const [seq, files] of this.#filesOf) {
      other.#filesOf.set(seq, files);
    }
    return other;
  }

  /** Moves the clock by a week and a day, so that replaced objects may be deleted. */
  later(): void {
    this.now += 8 * DAY_MS;
  }
}
