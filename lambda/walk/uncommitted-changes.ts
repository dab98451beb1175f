import { sha256Of } from "../archive/keys.ts";
import type { Checkpoint, OpenWindow } from "../archive/manifest.ts";
import type { ArchiveSession } from "../archive/session.ts";
import { holds, intersection, overlaps, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Segment } from "./chain-ports.ts";
import { apply, type Finding, type Knowledge } from "./knowledge.ts";
import { assumedAfter } from "./outcome.ts";
import { distrustsAfter, stillCounts } from "./still-counts.ts";
import { type Credit, nothingWaits, type Waiting } from "./waiting.ts";
import { nameOf } from "./window.ts";

/**
 * Rows of one commit. A commit ends in the middle of data files, which the next one writes again. Over
 * loopback, commits of 10,000 rows write a million fills 2.0 times, these 1.7 times, and commits of 50,000
 * 1.2 times with 50 MB more memory.
 */
const COMMIT_ROWS = 15_000;
const COMMIT_MS = 2000;
/**
 * The most objects of raw responses of a commit. Each is one write, and each window of one page has its own.
 */
const COMMIT_OBJECTS = 64;
/** How many windows that could not be read to their end have their pages kept. */
const MOST_FAILED = 16;
/** With more waiting rows than this, the walk waits for the store. */
const MAX_ROWS = 2 * COMMIT_ROWS;

/**
 * What a run has walked and not committed yet. Taking a segment and ending a window are single steps without
 * an await between them. So a commit always sees rows and a checkpoint that belong together: the checkpoint
 * is never ahead of the data.
 */
export class UncommittedChanges {
  readonly session: ArchiveSession;
  /** The ranges of this run, whatever is covered now: coverage can be withdrawn meanwhile. */
  readonly #ranges: readonly TimeRange[];
  readonly #open = new Map<string, OpenWindow>();
  #checkpoint: Omit<Checkpoint, "open">;
  #waiting = nothingWaits();
  #doubted: readonly TimeRange[] = [];
  #uncovered: readonly TimeRange[] = [];
  #commits = 0;
  #committing: Promise<void> | null = null;

  constructor(session: ArchiveSession, ranges: readonly TimeRange[]) {
    this.session = session;
    this.#ranges = ranges;
    const { checkpoint, coverage } = session.manifest;
    this.#checkpoint = {
      ...checkpoint,
      failed: checkpoint.failed.filter((one) => subtract(one, coverage).length > 0),
    };
  }

  get checkpoint(): Omit<Checkpoint, "open"> {
    return this.#checkpoint;
  }

  /** How many commits have begun. Pages that no window needed by then are gone. */
  get commits(): number {
    return this.#commits;
  }

  get openCount(): number {
    return this.#open.size;
  }

  get finishedRanges(): readonly TimeRange[] {
    return this.#waiting.credited.map(({ finished }) => finished);
  }

  /** Records what the run has done or must do. */
  setCheckpoint(change: Partial<Omit<Checkpoint, "open" | keyof Knowledge>>): void {
    this.#checkpoint = { ...this.#checkpoint, ...change };
  }

  apply(...findings: readonly Finding[]): void {
    for (const finding of findings) {
      this.#checkpoint = { ...this.#checkpoint, ...apply(this.#checkpoint, finding) };
    }
  }

  /** Adds a window that is to be walked, or walked again from its beginning. */
  begin(window: OpenWindow): void {
    this.#open.set(nameOf(window), window);
  }

  take({ before, rawResponses, fills, after }: Segment): void {
    const [body, asked] = [rawResponses(), { from: before.askFrom, to: before.askTo }];
    const sha256 = sha256Of(body);
    const key = this.session.pagesKey(asked, before.pages, sha256);
    const known = this.stateOf(after);
    this.#waiting.rawResponses.push({ key, body });
    for (const fill of fills) {
      this.#waiting.incomingFills.push(fill);
    }
    this.#open.set(nameOf(after), {
      ...after,
      pagesHash: sha256Of(Buffer.from(known.pagesHash + sha256)),
      rawResponses: [...known.rawResponses, key],
    });
  }

  /** Replaces the open windows by those of a new round. Windows that ended and are not decided yet stay. */
  beginOnly(windows: readonly OpenWindow[], undecided: readonly OpenWindow[]): void {
    const kept = undecided.map((window) => this.stateOf(window));
    this.#open.clear();
    for (const window of [...kept, ...windows]) {
      this.begin(window);
    }
  }

  /**
   * Gives a part of a running window to another chain, in one step, so that no commit sees the part twice or
   * not at all.
   */
  split(window: OpenWindow, part: OpenWindow): void {
    const { from, to, cut } = window;
    this.#open.set(nameOf(window), { ...this.stateOf(window), from, to, cut });
    this.begin(part);
  }

  /** The window cannot be read to its end. Its pages are kept. */
  fail(window: OpenWindow): void {
    const { from, to, rawResponses } = this.stateOf(window);
    const others = this.#checkpoint.failed.filter((one) => subtract(one, [window]).length > 0);
    this.setCheckpoint({ failed: [...others, { from, to, rawResponses }].slice(-MOST_FAILED) });
    this.drop(window);
  }

  /** The window is not walked any further. What was read is kept. */
  drop(window: OpenWindow): void {
    this.#open.delete(nameOf(window));
  }

  /**
   * The chain of a window has ended, and `covered` counts. Called again for the same window when more of it
   * counts. `assumedMs`: it counts only if the service answers at least this width of a range. 0: nothing is
   * assumed.
   */
  credit(window: OpenWindow, { covered, ended }: Credit, assumedMs = 0): void {
    const { dated, pages, duplicates, pagesHash, rawResponses } = window;
    const kept = intersection(covered, this.#wanted).map((one) => ({
      finished: { ...one, pages, duplicates, ended, pagesHash, rawResponses },
      dated,
    }));
    this.#waiting = { ...this.#waiting, credited: [...this.#waiting.credited, ...kept] };
    const { assumed = [], rechecks } = this.#checkpoint;
    const next = assumedAfter(assumed, covered, assumedMs);
    this.setCheckpoint({
      rechecks: rechecks.flatMap((one) => subtract(one, [covered])),
      ...(next.length === 0 && assumed.length === 0 ? {} : { assumed: next }),
    });
  }

  /** Withdraws coverage of these ranges, both what this run credited and what the archive has. */
  doubt(ranges: readonly TimeRange[]): void {
    this.#doubted = [...this.#doubted, ...ranges];
    const credited = this.#waiting.credited.filter(({ finished }) => !ranges.some((one) => overlaps(one, finished)));
    this.#waiting = { ...this.#waiting, credited };
  }

  /** These times do not count any more. The rest of their windows still does. */
  uncover(ranges: readonly TimeRange[]): void {
    this.#uncovered = [...this.#uncovered, ...ranges];
    const credited = this.#waiting.credited.flatMap(({ finished, dated }) =>
      subtract(finished, ranges).map((piece) => ({ finished: { ...finished, ...piece }, dated })),
    );
    this.#waiting = { ...this.#waiting, credited };
  }

  /** The state of a window after the segments taken so far. */
  stateOf(window: OpenWindow): OpenWindow {
    return this.#open.get(nameOf(window)) ?? window;
  }

  /** The ranges whose rows are filed. Rows elsewhere can cover nothing. */
  get #wanted(): TimeRange[] {
    return union([...this.session.manifest.coverage, ...this.#ranges]);
  }

  /** Commits when enough has come together. Makes the walk wait when the store is slower. */
  async commitWhenDue(): Promise<void> {
    const isMuch = this.#waiting.rawResponses.length >= COMMIT_OBJECTS;
    if (this.#committing !== null && this.#waiting.incomingFills.length < MAX_ROWS && !isMuch) {
      return;
    }
    if (isMuch || this.#waiting.incomingFills.length >= COMMIT_ROWS || this.session.idleMs >= COMMIT_MS) {
      await this.commit();
    }
  }

  /** `soon`: as in ArchiveSession.commit. */
  async commit(when: "now" | "soon" = "now"): Promise<void> {
    while (this.#committing !== null) {
      await this.#committing;
    }
    this.#committing = this.#write(when).finally(() => {
      this.#committing = null;
    });
    await this.#committing;
  }

  async #write(when: "now" | "soon"): Promise<void> {
    this.#commits += 1;
    const taken = this.#waiting;
    this.#waiting = nothingWaits();
    try {
      await this.#commit(taken, when);
    } catch (error) {
      // The windows already stand behind these rows. A later commit without the rows would put the checkpoint
      // ahead of the data.
      const { incomingFills, rawResponses, credited } = this.#waiting;
      this.#waiting = {
        incomingFills: [...taken.incomingFills, ...incomingFills],
        rawResponses: [...taken.rawResponses, ...rawResponses],
        credited: [...taken.credited, ...credited],
      };
      throw error;
    }
  }

  async #commit(taken: Waiting, when: "now" | "soon"): Promise<void> {
    const before = this.session.manifest.checkpoint;
    const doubted = this.#doubted;
    const uncovered = this.#uncovered;
    const distrusts = distrustsAfter(before, this.#checkpoint, doubted);
    const open = [...this.#open.values()].filter(({ dated }) => dated === this.#checkpoint.datesTrusted);
    const finished = taken.credited
      .filter(({ dated, finished: one }) => stillCounts({ ...one, dated }, this.#checkpoint))
      .map((one) => one.finished);
    const change = {
      finished,
      checkpoint: { ...this.#checkpoint, open },
      ...(distrusts === null ? {} : { distrusts }),
      uncovered,
    };
    const wanted = this.#wanted;
    // A margin row outside the run's range is not filed by this run. Its page is kept.
    const incomingFills = taken.incomingFills.filter(({ txCreated }) => holds(wanted, txCreated));
    await this.session.commit({ ...change, incomingFills, rawResponses: taken.rawResponses }, when);
    if (this.#doubted === doubted) {
      this.#doubted = [];
    }
    if (this.#uncovered === uncovered) {
      this.#uncovered = [];
    }
  }
}
