import { hash } from "node:crypto";
import { asFillbookError, type FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import { SECOND_MS, type TimeRange } from "../core/time.ts";
import { buildCommit, evidenceOf, type Filing, type WaitingFiling } from "./commit.ts";
import { coverageAfter } from "./coverage.ts";
import { type Head, type HeldHead, type LastRun, type SessionPorts, swapHead } from "./head.ts";
import { HeldFills } from "./held.ts";
import { dataFileKey, sha256Of, unfiledKey } from "./keys.ts";
import type { Coverage, DataFile, Known, Manifest } from "./manifest.ts";
import { MovedFills } from "./moved.ts";
import { createContent, readText } from "./objects.ts";
import { readNewestArchive, requireDataFiles } from "./read.ts";
import { writeTable } from "./table.ts";
import { type AskingAs, type AskingTrader, askingTrader } from "./trader-check.ts";

/** A commit is due when so many fills wait, or when the last one is so long ago, ms. */
const DUE_FILLS = 2500;
const DUE_MS = 5 * SECOND_MS;
/** A reader waits while so many fills wait for a commit. */
const MOST_WAITING = 5000;

/**
 * A run's view of the archive: what the head names, and what is filed and not committed yet. A commit writes
 * data and coverage together: first the data files, then the manifest, then the head by compare-and-swap.
 * Nothing is written before the first commit. If another run commits first, this one ends.
 */
export class ArchiveSession {
  readonly trader: AskingTrader;
  /** With what is filed and not committed. */
  known: Known;
  coverage: readonly Coverage[];
  readonly #run: string;
  readonly #ports: SessionPorts;
  readonly #held: HeldFills;
  readonly #moved: MovedFills;
  readonly #before: Pick<Manifest, "fills" | "seq">;
  /** Whose data files this run has changed: their beginnings, ms UTC. */
  #months: ReadonlySet<number> = new Set();
  #head: HeldHead | null;
  #waiting: WaitingFiling[] = [];
  #waitingFills = 0;
  #committing: Promise<void> = Promise.resolve();
  #problem: FillbookError | null = null;
  #committedAt: number;
  #restated = 0;

  private constructor(ports: SessionPorts, head: HeldHead | null, manifest: Manifest, trader: AskingTrader) {
    this.#run = hash("sha256", ports.random.id(), "hex").slice(0, 12);
    this.#ports = ports;
    this.#head = head;
    const moved = new MovedFills(manifest.known.vanished);
    const read = (file: DataFile) => readText(ports.store, dataFileKey(ports.account, file), file.sha256);
    this.#held = new HeldFills(manifest, read, (fill) => !moved.isVanished(fill));
    this.#moved = moved;
    this.known = manifest.known;
    this.coverage = manifest.coverage;
    this.#before = manifest;
    this.trader = trader;
    this.#committedAt = ports.clock.monotonic();
  }

  /** Rejects with `untrusted` if the archive cannot be used or belongs to another trader. */
  static async open(
    ports: SessionPorts,
    asking: AskingAs = { owner: null, isRebound: false },
  ): Promise<ArchiveSession> {
    const { account, reader, store, timeLeftMs } = ports;
    const { held = null, manifest } = await readNewestArchive(store, account);
    await requireDataFiles(store, manifest);
    const trader = askingTrader(held?.head.owner ?? null, asking, `${store.location}/${account}`);
    reader.begin(held?.head.learned ?? null, timeLeftMs);
    return new ArchiveSession(ports, held, manifest, trader);
  }

  /** As it is committed. */
  get manifest(): Manifest {
    return this.#held.manifest;
  }

  get head(): Head | null {
    return this.#head?.head ?? null;
  }

  /** About so many fills are held, with those that are filed and not committed. */
  get fills(): number {
    return this.manifest.fills + this.#waitingFills;
  }

  get counts(): { readonly added: number; readonly restated: number } {
    return { added: Math.max(0, this.manifest.fills - this.#before.fills), restated: this.#restated };
  }

  learn(change: Partial<Known>): void {
    this.#moved.vanish(change.vanished ?? []);
    this.known = { ...this.known, ...change, vanished: this.#moved.vanished };
  }

  /** Takes over what an answer brought. It is committed soon, at the latest by `flush`. */
  file(filing: Filing): void {
    const { covers, shown = filing.fills, doubts, moved = [] } = filing;
    const moves = this.#moved.shown(shown);
    const fills = moves.length === 0 ? filing.fills : [...filing.fills, ...moves.map(({ after }) => after)];
    const skewMs = fills.reduce((most, fill) => Math.max(most, skewOf(fill)), this.known.skewMs);
    const now = this.#ports.clock.now();
    this.learn({ skewMs, ...(covers?.readings === 1 ? { readAt: now } : {}) });
    if (fills.length + moved.length === 0 && covers === null && doubts === undefined) {
      return;
    }
    const gone = [...moved, ...moves.map(({ before }) => before)];
    this.#waiting.push({ fills, covers, doubts, moved: gone, evidence: evidenceOf({ ...filing, shown }, now) });
    this.#waitingFills += fills.length;
    this.coverage = coverageAfter(this.coverage, filing);
    if (this.#waitingFills >= DUE_FILLS || this.#ports.clock.monotonic() - this.#committedAt >= DUE_MS) {
      void this.#commit(false).catch(() => undefined); // the error is kept for `room` and `flush`
    }
  }

  /** Waits while much waits for a commit. Rejects if a commit has failed. */
  async room(): Promise<void> {
    while (this.#waitingFills > MOST_WAITING && this.#problem === null) {
      await this.#commit(false);
    }
    this.#check();
  }

  /** Commits all that is filed. */
  async flush(): Promise<void> {
    await this.#commit(false);
    this.#check();
  }

  /** Cuts the months that are not covered, commits, writes `table/`, and stores the run's outcome. */
  async end(lastRun: LastRun): Promise<void> {
    if (this.#moved.isOpen && !this.#ports.signal.aborted) {
      await this.flush();
      const moves = await this.#moved.settle(() => this.#held.all());
      this.file({ fills: moves.map(({ after }) => after), moved: moves.map(({ before }) => before), covers: null });
    }
    await this.#commit(true);
    this.#check();
    if (this.manifest.seq > 0) {
      const isWhole = this.head?.table === this.#before.seq; // else a killed run has not written it
      await writeTable(this.#ports.store, this.manifest, isWhole ? this.#months : "all");
      await this.note({ lastRun, table: this.manifest.seq });
    } else if (this.#ports.reader.learned().pausedUntil !== null) {
      await this.note({ lastRun }); // the next run must know of the wait that the service asked for
    }
  }

  /** Keeps a page of which a row cannot be filed. */
  async setAside(window: TimeRange, body: string): Promise<void> {
    const bytes = Buffer.from(body);
    await createContent(this.#ports, unfiledKey(this.#ports.account, window, sha256Of(bytes)), bytes);
  }

  /** The fills of a range that is read a second time, both ends included, sorted. Commits what waits. */
  async fillsIn(range: TimeRange): Promise<readonly Fill[]> {
    const fills = await (await this.held()).within(range);
    this.#moved.compareWith(range, fills);
    return fills;
  }

  /** What the archive holds, with all that was filed. */
  async held(): Promise<HeldFills> {
    await this.flush();
    return this.#held;
  }

  #check(): void {
    if (this.#problem !== null) {
      throw this.#problem;
    }
  }

  /** One commit after another. After one has failed, nothing more is written. */
  async #commit(isLast: boolean): Promise<void> {
    const turn = this.#committing.then(() => this.#write(isLast));
    this.#committing = turn.catch(() => undefined);
    await turn;
  }

  async #write(isLast: boolean): Promise<void> {
    const filings = this.#waiting;
    const isCut = !this.manifest.dataFiles.some(({ kind }) => kind === "chain");
    const isSame = JSON.stringify(this.known) === JSON.stringify(this.manifest.known);
    if (this.#problem !== null || (filings.length === 0 && !(isLast && !(isCut && isSame)))) {
      return;
    }
    this.#waiting = [];
    this.#waitingFills = 0;
    this.#committedAt = this.#ports.clock.monotonic();
    const ports = { ...this.#ports, run: this.#run, textIn: (file: DataFile) => this.#held.textOf(file) };
    try {
      const built = await buildCommit(ports, this.manifest, { filings, known: this.known, isLast });
      await this.note({ manifest: built.ref });
      this.#held.manifest = built.manifest;
      this.#restated += built.restated;
      this.#months = this.#months.union(new Set(built.months));
    } catch (error) {
      this.#problem = asFillbookError(error);
      throw this.#problem;
    }
  }

  /** Stores a change of the head alone. */
  async note(change: Parameters<typeof swapHead>[2]): Promise<void> {
    const owner = this.trader.owner === null ? {} : { owner: this.trader.owner };
    const learned = this.#ports.reader.learned();
    this.#head = await swapHead(this.#ports, this.#head, { ...owner, ...change, learned });
  }
}

/** How far the two times of a fill differ, ms. */
function skewOf({ txCreated, filledAt }: Fill): number {
  return Math.abs((filledAt ?? txCreated) - txCreated);
}
