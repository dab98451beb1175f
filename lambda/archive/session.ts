import { type Fill, identityOf } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import { type BuiltCommit, buildCommit, type Change, type Counts } from "./commit-builder.ts";
import { DataFileEncoder } from "./data-file-format.ts";
import { fillsOfDataFile } from "./data-files.ts";
import { FencedError } from "./fenced.ts";
import {
  type CollectionMark,
  type Head,
  type HeadChange,
  type HeldHead,
  type LastRun,
  nextHead,
  swapHead,
} from "./head.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import { manifestKey, pagesKey, sha256Of } from "./keys.ts";
import { acquireLease, readFreeHead } from "./lease.ts";
import type { Manifest } from "./manifest.ts";
import type { DataFile } from "./manifest-entries.ts";
import { NewestDataFiles } from "./newest-data-files.ts";
import { createContent } from "./objects.ts";
import { loadArchive, manifestBody, type Snapshot } from "./read.ts";
import { type AskingAs, type AskingTrader, askingTrader, NOBODY_ASKS } from "./trader-check.ts";

/** The archive between two commits. */
export interface Held extends Snapshot {
  readonly collection: CollectionMark | null;
  /** Writes the head, which proves that no other run holds the archive; else rejects with FencedError. */
  readonly prove: () => Promise<void>;
}

export interface Committed {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
  readonly counts: Counts;
}

/** When a commit adds no fills, the manifest holds index nodes inline, up to this size. */
const MAX_INLINE_BYTES = 128 * 1024;

/**
 * The archive while one run holds it. A commit writes data and checkpoint together: first the data files,
 * then the index nodes and the manifest, then the head by compare-and-swap. Commits and heartbeats go through
 * one queue, so a run never conflicts with itself.
 *
 * A run acquires the archive before it asks the service for anything, and holds it until it releases it or
 * another run takes it over because this one seems dead.
 */
export class ArchiveSession {
  readonly #job: RunContext;
  readonly #recent = new NewestDataFiles();
  readonly #encoder = new DataFileEncoder();
  readonly #epoch: number;
  #held: HeldHead;
  #manifest: Manifest;
  #manifestIndex: ManifestIndex;
  /** What the head names, and what this run has added to it. The manifest in memory may be ahead. */
  #committed: Committed;
  #counts: Counts = { added: 0, restated: 0 };
  /** Newly held fills of the look-back and later: identity to `txCreated`. */
  readonly #newlyHeld = new Map<string, number>();
  #isStaged = false;
  /** The end of the coverage when this run acquired the archive. Null: nothing was covered. */
  readonly #coveredTo: number | null;
  readonly #trader: AskingTrader;
  #hasAnswers: boolean;
  #queue: Promise<unknown> = Promise.resolve();
  #lastWriteAt: number;

  private constructor(job: RunContext, held: HeldHead, { manifest, manifestIndex }: Snapshot, trader: AskingTrader) {
    this.#job = job;
    this.#held = held;
    this.#epoch = held.head.epoch;
    this.#trader = trader;
    this.#hasAnswers = trader.isRebound;
    this.#manifest = manifest;
    this.#manifestIndex = manifestIndex;
    this.#committed = { manifest, manifestIndex, counts: this.#counts };
    this.#coveredTo = manifest.coverage.at(-1)?.to ?? null;
    this.#lastWriteAt = job.clock.monotonic();
  }

  /**
   * Waits until no other run holds the archive, then acquires it and gives the reader what earlier runs
   * learned. Throws `untrusted`, without acquiring it, if it cannot be used or belongs to another trader.
   */
  static async open(
    job: RunContext,
    waiting: (holder: string) => void,
    asking: AskingAs = NOBODY_ASKS,
  ): Promise<ArchiveSession> {
    while (true) {
      const free = await readFreeHead({ ...job, waiting });
      const snapshot = await loadArchive(job.store, job.account, free?.head ?? null);
      const trader = askingTrader(free?.head.owner ?? null, asking, `${job.store.location}/${job.account}`);
      const held = await acquireLease(job, free);
      if (held !== null) {
        job.reader.begin(held.head.learned, job.timeLeftMs);
        return new ArchiveSession(job, held, snapshot, trader);
      }
    }
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  get manifestIndex(): ManifestIndex {
    return this.#manifestIndex;
  }

  /** What a run may report after it has released the archive. */
  get committed(): Committed {
    return this.#committed;
  }

  /** True if filed data waits for a manifest that names it. */
  get isStaged(): boolean {
    return this.#isStaged;
  }

  get collection(): CollectionMark | null {
    return this.#held.head.collection;
  }

  /** True if the token names the trader whose fills are held. */
  get isSameTrader(): boolean {
    return this.#trader.isSame;
  }

  /** True if the user allows another trader's fills to replace those held. */
  get isRebound(): boolean {
    return this.#trader.isRebound;
  }

  /** ms since this run wrote the head or opened the archive, by its own clock. */
  get idleMs(): number {
    return this.#job.clock.monotonic() - this.#lastWriteAt;
  }

  /** The epoch of this run alone (see head.ts). */
  get epoch(): number {
    return this.#epoch;
  }

  /** The key for pages of a window, from page number `page` on. `asked`: the window's dates. */
  pagesKey(asked: TimeRange, page: number, sha256: string): string {
    return pagesKey(this.#job.account, asked, page, { epoch: this.#epoch, sha256 });
  }

  get manifestRef(): Head["manifest"] {
    return this.#held.head.manifest;
  }

  /** The fills of a data file, sorted by `tx_created`. */
  async fillsOf(dataFile: DataFile): Promise<readonly Fill[]> {
    return await fillsOfDataFile({ store: this.#job.store, recent: this.#recent }, dataFile);
  }

  /**
   * Commits rows, coverage and checkpoint together. Rejects with `untrusted` if the archive is damaged, with
   * `incomplete` if this run was fenced. `soon`: objects are written now, but named only by the next commit
   * with `now`, heartbeat, `hold` or release; a crash before that loses this commit.
   */
  async commit(change: Change, when: "now" | "soon" = "now"): Promise<void> {
    await this.#exclusively(async () => {
      const built = await buildCommit(this.#dataFilePorts(), this, change);
      this.#stage(built);
      this.#rememberNewlyHeld(built.newlyHeld);
      this.#hasAnswers ||= change.rawResponses.length > 0 || change.finished.length > 0;
      if (this.#isStaged && when === "now") {
        await this.#write({});
      }
    });
  }

  /** At the end of a walk: removes old copies of fills whose time was corrected. Commits with `soon`. */
  async settleNewlyHeld(): Promise<void> {
    if (this.#newlyHeld.size > 0) {
      const { checkpoint } = this.#manifest;
      const settles = { newlyHeld: this.#newlyHeld, near: this.#near };
      await this.commit({ incomingFills: [], rawResponses: [], finished: [], checkpoint, settles }, "soon");
    }
  }

  /** Shows other runs that this one is alive, and commits what is pending. */
  async heartbeat(): Promise<void> {
    await this.#exclusively(async () => {
      await (this.#isStaged ? this.#write({}) : this.#swap({}));
    });
  }

  /** Commits what is pending, then runs `work` with the archive. No commit happens meanwhile. */
  async hold<T>(work: (held: Held) => Promise<T>): Promise<T> {
    return await this.#exclusively(async () => {
      if (this.#isStaged) {
        await this.#write({});
      }
      return await work({
        manifest: this.#manifest,
        manifestIndex: this.#manifestIndex,
        ref: this.manifestRef,
        collection: this.collection,
        prove: () => this.#swap({}),
      });
    });
  }

  /**
   * Commits what is pending, stores the run's outcome and gives up the lease. `collection`: the one that this
   * run finished, if any.
   */
  async release(lastRun: LastRun, collection: CollectionMark | null = null): Promise<void> {
    const change = { lastRun, lease: null, ...(collection === null ? {} : { collection }) };
    await this.#exclusively(() => (this.#isStaged ? this.#write(change) : this.#swap(change)));
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  #dataFilePorts() {
    const { account, store, clock } = this.#job;
    return {
      ...{ account, store, clock },
      epoch: this.#epoch,
      recent: this.#recent,
      encoder: this.#encoder,
    };
  }

  /** From the look-back before `#coveredTo` to the newest time. */
  get #near(): TimeRange {
    const to = Number.POSITIVE_INFINITY;
    return { from: this.#coveredTo === null ? to : this.#coveredTo - this.#job.lookBackMs, to };
  }

  #rememberNewlyHeld(newlyHeld: readonly Fill[]): void {
    const { from } = this.#near;
    for (const fill of newlyHeld.filter(({ txCreated }) => txCreated >= from)) {
      this.#newlyHeld.set(identityOf(fill), fill.txCreated);
    }
  }

  #stage({ manifest, manifestIndex, added, restated }: BuiltCommit): void {
    const isSame = manifestIndex === this.#manifestIndex && headerOf(manifest) === headerOf(this.#manifest);
    this.#isStaged ||= !isSame;
    this.#manifest = manifest;
    this.#manifestIndex = manifestIndex;
    this.#counts = { added: this.#counts.added + added, restated: this.#counts.restated + restated };
  }

  async #write(change: HeadChange): Promise<void> {
    const seq = (this.manifestRef?.seq ?? 0) + 1;
    const next = { ...this.#manifest, seq, epoch: this.#epoch, index: this.#manifestIndex.root };
    let body = manifestBody(next);
    const { added, restated } = this.#counts;
    if (added + restated > 0 || body.byteLength > MAX_INLINE_BYTES) {
      this.#manifestIndex = await this.#manifestIndex.seal({ clock: this.#job.clock, epoch: this.#epoch });
      next.index = this.#manifestIndex.root;
      body = manifestBody(next);
    }
    const sha256 = sha256Of(body);
    await createContent(this.#job, manifestKey(this.#job.account, seq, sha256), body);
    await this.#swap({ ...change, manifest: { seq, sha256 }, current: next });
    this.#manifest = next;
    this.#isStaged = false;
    this.#committed = { manifest: next, manifestIndex: this.#manifestIndex, counts: this.#counts };
  }

  async #swap(change: HeadChange): Promise<void> {
    const { account, random, reader, store } = this.#job;
    const { head, tag } = this.#held;
    // The owner is recorded only after an answer: a refused token owns nothing.
    const owner = this.#hasAnswers && this.#trader.owner !== null ? { owner: this.#trader.owner } : {};
    const next = nextHead(head, { ...owner, ...change, learned: reader.learned() }, random);
    const outcome = await swapHead(this.#job, account, next, tag);
    if (outcome.kind !== "landed") {
      throw new FencedError(`${store.location}/${account}`);
    }
    this.#held = outcome.held;
    this.#lastWriteAt = this.#job.clock.monotonic();
  }
}

/** The manifest without its index, which is compared by identity, and without who wrote it and when. */
function headerOf({ index: _, seq: __, epoch: ___, ...header }: Manifest): string {
  return JSON.stringify(header);
}
