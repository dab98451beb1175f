import { collectWhenDue } from "../../lambda/archive/collect.ts";
import { publishDataFileLists } from "../../lambda/archive/data-file-lists.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
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

/** Where the store of these tests says it is: lists need URIs. */
export const LOCATION = "s3://bucket/prefix";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };

/** A fill of a day of a month of 2025; equal arguments give equal fills. */
export function fillIn(month: number, day: number, fee = "1"): PlainFill {
  const txCreated = Date.UTC(2025, month - 1, day);
  return makeFill({ matchId: `match-${month}-${day}`, txCreated, filledAt: txCreated, fee });
}

/** A month's list, by what is published alone: the second implementation of the lists. */
function listsOfParts(dataFiles: readonly DataFile[]): Map<string, string> {
  const lists = new Map<string, string>();
  for (const { key } of dataFiles) {
    const month = /\/fills\/month=(\d{4}-\d{2})\//.exec(key)?.[1] ?? "none";
    lists.set(month, `${lists.get(month) ?? ""}${LOCATION}/${key}\n`);
  }
  return lists;
}

/** The key of the manifest that a head names. */
function manifestIn(head: string): string | null {
  const { manifest } = JSON.parse(head);
  return manifest === null ? null : `main/manifests/${manifest.seq}-${manifest.sha256}.json`;
}

const LIST = /^main\/table\/month=(\d{4}-\d{2})\/parts\.txt$/;

/** An archive whose runs commit what a test wants, and a witness of every list that is ever there. */
export class ListBench extends ArchiveRuns {
  readonly memory: MemoryStore = memoryStore(LOCATION, () => this.now);
  /** What was there and should not have been: a list that no committed manifest had for its month. */
  readonly faults: string[] = [];
  /** All lists that a manifest had, once the head named it, by month. */
  readonly #had = new Map<string, Set<string>>();
  /** The lists of each manifest that the head has named, by its key. */
  readonly #listsOf = new Map<string, ReadonlyMap<string, string>>();

  /** The store of every run. */
  readonly store: Store = {
    ...this.memory,
    replaceIf: async (key, body, tag) => {
      const text = Buffer.from(body).toString();
      if (key === "main/head.json") {
        const named = manifestIn(text);
        const lists = named === null ? null : await this.#readLists(named);
        const landed = await this.memory.replaceIf(key, body, tag);
        if (landed !== null && named !== null && lists !== null) {
          this.#committed(named, lists);
        }
        return landed;
      }
      const landed = await this.memory.replaceIf(key, body, tag);
      const month = LIST.exec(key)?.[1];
      if (landed !== null && month !== undefined && !this.#wasNamed(month, text)) {
        this.faults.push(`${key} is of no manifest: ${text}`);
      }
      return landed;
    },
  };

  async #readLists(manifest: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#listsOf.get(manifest);
    return known ?? listsOfParts((await readPublished((key) => this.#text(key), manifest)).parts);
  }

  #committed(manifest: string, lists: ReadonlyMap<string, string>): void {
    this.#listsOf.set(manifest, lists);
    for (const [month, list] of lists) {
      this.#had.set(month, (this.#had.get(month) ?? new Set()).add(list));
    }
  }

  /** An empty list says that a manifest had no part in the month: all months were so once. */
  #wasNamed(month: string, text: string): boolean {
    return this.#listsOf.size > 0 && (text === "" || this.#had.get(month)?.has(text) === true);
  }

  #text(key: string): string {
    return Buffer.from(this.memory.snapshot().get(key) ?? []).toString();
  }

  /** The lists that are there, by month, without empty ones. */
  lists(): Record<string, string> {
    const found = [...this.memory.snapshot()].flatMap(([key, body]): [string, string][] => {
      const month = LIST.exec(key)?.[1];
      return month === undefined || body.length === 0 ? [] : [[month, Buffer.from(body).toString()]];
    });
    return Object.fromEntries(found);
  }

  /** What the head's manifest has. */
  currentLists(): Record<string, string> {
    const named = manifestIn(this.#text("main/head.json"));
    return Object.fromEntries(named === null ? [] : (this.#listsOf.get(named) ?? []));
  }

  /** What a reader would miss now: lists without a part that they name, and parts that two of them name. */
  unreadable(): string[] {
    const there = this.memory.snapshot();
    const named = Object.values(this.lists()).flatMap((list) => list.trimEnd().split("\n"));
    return named.filter((uri, index) => !there.has(uri.slice(LOCATION.length + 1)) || named.indexOf(uri) !== index);
  }

  job(store: Store = this.store): RunContext {
    return this.contextOf({ store, partLists: true });
  }

  /** One run: its commits, then its lists, then what may be deleted. Gives what kept the lists from being made. */
  async run(job: RunContext, ...commits: readonly (readonly Fill[])[]): Promise<FillbookError | null> {
    const session = await ArchiveSession.open(job, () => undefined);
    const before = { manifestIndex: session.manifestIndex };
    for (const fills of commits) {
      await commit(session, fills, [YEAR]);
    }
    const problem = await publishDataFileLists(job, session, before);
    const { mark } = problem === null ? await collectWhenDue(job, session) : { mark: null };
    await session.release({ endedAt: job.clock.now(), complete: true, problem: null }, mark);
    return problem;
  }

  /** A week and a day later: what was replaced may be deleted. */
  later(): void {
    this.now += 8 * DAY_MS;
  }
}
