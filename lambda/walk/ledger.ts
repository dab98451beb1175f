import { pagesKey, sha256Of } from "../archive/keys.ts";
import type { Checkpoint, OpenWindow } from "../archive/manifest.ts";
import { createContent } from "../archive/objects.ts";
import { encodePages } from "../archive/pages.ts";
import type { Sighting } from "../archive/parts.ts";
import type { ArchiveSession, FinishedWindow } from "../archive/session.ts";
import type { Job } from "../job.ts";
import { holds, union } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import type { Segment } from "./chain.ts";

const COMMIT_ROWS = 10_000;
const COMMIT_MS = 2000;
/** Rows waiting beyond which the walk waits for the store. */
const MAX_ROWS = 3 * COMMIT_ROWS;

interface Evidence {
  readonly key: string;
  readonly body: Uint8Array;
}

/** What one commit is about. */
interface Taken {
  readonly sightings: readonly Sighting[];
  readonly evidence: readonly Evidence[];
  readonly finished: readonly FinishedWindow[];
}

/**
 * What a run has walked and not committed yet. Taking a segment and ending a window are single steps without an await between, so a commit
 * always sees rows and checkpoint that fit together: the checkpoint is never ahead of the data.
 */
export class Ledger {
  readonly #job: Job;
  readonly #session: ArchiveSession;
  readonly #range: TimeRange;
  readonly #open = new Map<string, OpenWindow>();
  #checkpoint: Omit<Checkpoint, "open">;
  #sightings: Sighting[] = [];
  #evidence: Evidence[] = [];
  #finished: FinishedWindow[] = [];
  #committing: Promise<void> | null = null;

  constructor(job: Job, session: ArchiveSession, range: TimeRange) {
    this.#job = job;
    this.#session = session;
    this.#range = range;
    this.#checkpoint = session.manifest.checkpoint;
  }

  get checkpoint(): Omit<Checkpoint, "open"> {
    return this.#checkpoint;
  }

  get openCount(): number {
    return this.#open.size;
  }

  get finishedRanges(): readonly TimeRange[] {
    return this.#finished;
  }

  note(finding: Partial<Omit<Checkpoint, "open">>): void {
    this.#checkpoint = { ...this.#checkpoint, ...finding };
  }

  /** A window that is to be walked, or to be walked again from its beginning. */
  begin(window: OpenWindow): void {
    this.#open.set(nameOf(window), window);
  }

  take({ before, pages, fills, after }: Segment): void {
    const body = encodePages(pages);
    const by = { epoch: this.#session.epoch, sha256: sha256Of(body) };
    const key = pagesKey(this.#job.account, before, before.pages, by);
    const name = nameOf(after);
    this.#evidence.push({ key, body });
    for (const fill of fills) {
      this.#sightings.push({ fill, evidence: key });
    }
    this.#open.set(name, { ...after, evidence: [...(this.#open.get(name)?.evidence ?? []), key] });
  }

  /** The window is done; `covered` is what of it counts (null: none). */
  end(window: TimeRange, covered: TimeRange | null): void {
    const state = this.#open.get(nameOf(window));
    this.#open.delete(nameOf(window));
    if (covered !== null && state !== undefined && this.#counts(state)) {
      const { pages, duplicates, pagesHash, evidence } = state;
      this.#finished.push({ ...covered, pages, duplicates, ended: "no-last", pagesHash, evidence });
    }
  }

  /** Where a window that was begun stands after what was taken. */
  stateOf(window: OpenWindow): OpenWindow {
    return this.#open.get(nameOf(window)) ?? window;
  }

  /** A window that was asked with dates counts only while they are trusted. */
  #counts({ dated }: OpenWindow): boolean {
    return dated === this.#checkpoint.datesTrusted;
  }

  /** Commits when enough has come together; makes the walk wait when the store cannot follow. */
  async commitWhenDue(): Promise<void> {
    if (this.#committing !== null && this.#sightings.length < MAX_ROWS) {
      return;
    }
    if (this.#sightings.length >= COMMIT_ROWS || this.#session.idleMs >= COMMIT_MS) {
      await this.commit();
    }
  }

  async commit(): Promise<void> {
    while (this.#committing !== null) {
      await this.#committing;
    }
    this.#committing = this.#write().finally(() => {
      this.#committing = null;
    });
    await this.#committing;
  }

  async #write(): Promise<void> {
    const taken = { sightings: this.#sightings, evidence: this.#evidence, finished: this.#finished };
    this.#sightings = [];
    this.#evidence = [];
    this.#finished = [];
    try {
      await this.#commit(taken);
    } catch (error) {
      // The windows stand where these rows have brought them: a later commit without the rows would be ahead of the data.
      this.#sightings = [...taken.sightings, ...this.#sightings];
      this.#evidence = [...taken.evidence, ...this.#evidence];
      this.#finished = [...taken.finished, ...this.#finished];
      throw error;
    }
  }

  async #commit(taken: Taken): Promise<void> {
    // Windows that ended by dates rest on the wrong time once these are not trusted: none of them counts any more, all of their rows are kept.
    const distrustCoverage = this.#session.manifest.checkpoint.datesTrusted && !this.#checkpoint.datesTrusted;
    const open = [...this.#open.values()].filter((window) => this.#counts(window));
    const finished = distrustCoverage ? [] : taken.finished;
    const change = { finished, checkpoint: { ...this.#checkpoint, open }, distrustCoverage };
    const wanted = union([...this.#session.manifest.coverage, this.#range]);
    // A margin row beyond the range that was asked for is not this run's to file; its page is kept.
    const sightings = taken.sightings.filter(({ fill }) => holds(wanted, fill.txCreated));
    for (const { key, body } of taken.evidence) {
      await createContent(this.#job, key, body);
    }
    await this.#session.commit({ ...change, sightings });
  }
}

function nameOf({ from, to }: TimeRange): string {
  return `${from}-${to}`;
}
