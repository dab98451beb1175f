import { hash } from "node:crypto";
import { asFillbookError, type FillbookError } from "../core/errors.ts";
import { byTxCreated, type Fill } from "../core/fill.ts";
import { overlaps } from "../core/ranges.ts";
import { SECOND_MS, type TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import { buildCommit, coverageAfter, type Filing } from "./commit.ts";
import { readDataFile } from "./data-file.ts";
import { FencedError, type Head, type HeadChange, type HeldHead, type LastRun, nextHead, swapHead } from "./head.ts";
import { sha256Of, unfiledKey } from "./keys.ts";
import type { Coverage, DataFile, Known, Manifest } from "./manifest.ts";
import { readNewestHeld } from "./newest-head.ts";
import { createContent } from "./objects.ts";
import { fillsOfUnit, loadArchive, type Unit, unitsOf } from "./read.ts";
import { writeTable } from "./table.ts";
import { type AskingAs, type AskingTrader, askingTrader, NOBODY_ASKS } from "./trader-check.ts";

/** A commit is due when so many fills wait, or when the last one is so long ago, ms. */
const DUE_FILLS = 10_000;
const DUE_MS = 5 * SECOND_MS;
/** A reader waits while so many fills wait for a commit. */
const MOST_WAITING = 40_000;
/** Data files that are kept in memory: questions next to each other need the same ones. */
const MOST_LOADED = 2;
/** About so many fills are read a second time at once. */
const CHUNK_FILLS = 50_000;

/**
 * A run's view of the archive: what the head names, and what is filed and not committed yet. A commit writes
 * data and coverage together: first the data files, then the manifest, then the head by compare-and-swap. Nothing
 * is written before the first commit. If another run commits first, this one ends.
 */
export class ArchiveSession {
  readonly #job: RunContext;
  readonly #run: string;
  readonly #trader: AskingTrader;
  readonly #loaded = new Map<string, readonly Fill[]>();
  readonly #fillsBefore: number;
  readonly #seqBefore: number;
  /** Whose data files this run has changed: their beginnings, ms UTC. */
  readonly #months = new Set<number>();
  #held: HeldHead | null;
  #manifest: Manifest;
  #known: Known;
  /** With what waits. */
  #coverage: readonly Coverage[];
  #waiting: Filing[] = [];
  #waitingFills = 0;
  #committing: Promise<void> = Promise.resolve();
  #problem: FillbookError | null = null;
  #committedAt: number;
  #restated = 0;

  private constructor(job: RunContext, held: HeldHead | null, manifest: Manifest, trader: AskingTrader) {
    this.#job = job;
    this.#run = hash("sha256", job.random.id(), "hex").slice(0, 12);
    this.#held = held;
    this.#manifest = manifest;
    this.#known = manifest.known;
    this.#coverage = manifest.coverage;
    this.#fillsBefore = manifest.fills;
    this.#seqBefore = manifest.seq;
    this.#trader = trader;
    this.#committedAt = job.clock.monotonic();
  }

  /** Rejects with `untrusted` if the archive cannot be used or belongs to another trader. */
  static async open(job: RunContext, asking: AskingAs = NOBODY_ASKS): Promise<ArchiveSession> {
    const held = await readNewestHeld(job.store, job.account);
    const { manifest } = await loadArchive(job.store, job.account, held?.head ?? null);
    const trader = askingTrader(held?.head.owner ?? null, asking, `${job.store.location}/${job.account}`);
    job.reader.begin(held?.head.learned ?? null, job.timeLeftMs);
    return new ArchiveSession(job, held, manifest, trader);
  }

  /** As it is committed. */
  get manifest(): Manifest {
    return this.#manifest;
  }

  get ref(): Head["manifest"] {
    return this.#held?.head.manifest ?? null;
  }

  get head(): Head | null {
    return this.#held?.head ?? null;
  }

  get run(): string {
    return this.#run;
  }

  /** With what is filed and not committed. */
  get coverage(): readonly Coverage[] {
    return this.#coverage;
  }

  /** About so many fills are held, with those that are filed and not committed. */
  get fills(): number {
    return this.#manifest.fills + this.#waitingFills;
  }

  get known(): Known {
    return this.#known;
  }

  get counts(): { readonly added: number; readonly restated: number } {
    return { added: Math.max(0, this.#manifest.fills - this.#fillsBefore), restated: this.#restated };
  }

  /** True if the token names the trader whose fills are held. */
  get isSameTrader(): boolean {
    return this.#trader.isSame;
  }

  get isRebound(): boolean {
    return this.#trader.isRebound;
  }

  learn(change: Partial<Known>): void {
    this.#known = { ...this.#known, ...change };
  }

  /** Takes over what an answer brought. It is committed soon, at the latest by `flush`. */
  file(filing: Filing): void {
    if (filing.fills.length === 0 && filing.covers === null && filing.doubts === undefined) {
      return;
    }
    const { covers, fills } = filing;
    this.#waiting.push(filing);
    this.#waitingFills += fills.length;
    this.#coverage = coverageAfter(this.#coverage, filing);
    this.learn(covers?.readings === 1 ? { readAt: this.#job.clock.now() } : {});
    const skew = fills.reduce(
      (most, { txCreated, filledAt }) => Math.max(most, Math.abs((filledAt ?? txCreated) - txCreated)),
      0,
    );
    this.learn(skew > this.#known.skewMs ? { skewMs: skew } : {});
    if (this.#waitingFills >= DUE_FILLS || this.#job.clock.monotonic() - this.#committedAt >= DUE_MS) {
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
    await this.#commit(true);
    this.#check();
    if (this.#held !== null) {
      const isWhole = this.#held.head.table === this.#seqBefore; // else a killed run has not written it
      await writeTable(this.#job.store, this.#manifest, isWhole ? this.#months : "all");
      await this.#swap({ lastRun, table: this.#manifest.seq });
    }
  }

  /** Stores a change of the head alone. */
  async note(change: HeadChange): Promise<void> {
    await this.#swap(change);
  }

  /** Keeps a page of which a row cannot be filed. */
  async setAside(window: TimeRange, body: string): Promise<void> {
    const { account, store, clock } = this.#job;
    const bytes = Buffer.from(body);
    await createContent({ store, clock }, unfiledKey(account, window, sha256Of(bytes)), bytes);
  }

  /** The fills of a range, both ends included, sorted by `tx_created`. Commits what waits. */
  async fillsIn({ from, to }: TimeRange): Promise<readonly Fill[]> {
    await this.flush();
    const found: Fill[] = [];
    for (const unit of this.#units.filter((one) => one.from <= to && from < one.to)) {
      found.push(...(await this.#fillsOf(unit)).filter(({ txCreated }) => from <= txCreated && txCreated <= to));
    }
    return found;
  }

  /**
   * A range in pieces that memory holds. It is extended to the known fills next to its ends, and is cut at
   * known fills.
   */
  async chunksOf(range: TimeRange): Promise<readonly TimeRange[]> {
    await this.flush();
    const from = (await this.#near(range.from, -1))?.txCreated ?? range.from;
    const to = (await this.#near(range.to, 1))?.txCreated ?? range.to;
    const cuts: number[] = [from];
    let count = 0;
    for (const unit of this.#units.filter((one) => overlaps(one, { from, to }))) {
      count += unit.fills;
      if (count >= CHUNK_FILLS) {
        const last = (await this.#fillsOf(unit)).at(-1)?.txCreated ?? to;
        cuts.push(...(last > (cuts.at(-1) as number) && last < to ? [last] : []));
        count = 0;
      }
    }
    return [...cuts, to].slice(1).map((end, place) => ({ from: cuts[place] as number, to: end }));
  }

  /** The first and the last fill. Null: there is none. */
  async ends(): Promise<{ readonly first: Fill; readonly last: Fill } | null> {
    await this.flush();
    const first = await this.#near(Number.NEGATIVE_INFINITY, 1);
    const last = await this.#near(Number.POSITIVE_INFINITY, -1);
    return first === null || last === null ? null : { first, last };
  }

  /** The newest fill of each of the newest orders, at most three. */
  async newest(): Promise<readonly Fill[]> {
    const unit = this.#units.at(-1);
    const fills = unit === undefined ? [] : await this.#fillsOf(unit);
    const orders = new Map(fills.map((fill) => [fill.orderId, fill]));
    return [...orders.values()].sort(byTxCreated).slice(-3).toReversed();
  }

  get #units(): readonly Unit[] {
    return unitsOf(this.#manifest);
  }

  /** The nearest fill that is not before (`step` 1) or not after (-1) a time. */
  async #near(time: number, step: 1 | -1): Promise<Fill | null> {
    const isThere = ({ txCreated }: Fill) => (step === 1 ? txCreated >= time : txCreated <= time);
    const units = this.#units.filter(({ from, to }) => (step === 1 ? to > time : from <= time));
    for (const unit of step === 1 ? units : units.toReversed()) {
      const fills = await this.#fillsOf(unit);
      const found = step === 1 ? fills.find(isThere) : fills.findLast(isThere);
      if (found !== undefined) {
        return found;
      }
    }
    return null;
  }

  #fillsOf(unit: Unit): Promise<readonly Fill[]> {
    return fillsOfUnit(unit, this.#manifest, (file) => this.#load(file));
  }

  async #load(file: DataFile): Promise<readonly Fill[]> {
    const name = `${file.from} ${file.sha256}`;
    const fills = this.#loaded.get(name) ?? (await readDataFile(this.#job.store, this.#job.account, file));
    this.#loaded.delete(name);
    this.#loaded.set(name, fills);
    for (const oldest of [...this.#loaded.keys()].slice(0, -MOST_LOADED)) {
      this.#loaded.delete(oldest);
    }
    return fills;
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
    const isCut = !this.#manifest.dataFiles.some(({ kind }) => kind === "chain");
    const isSame = JSON.stringify(this.#known) === JSON.stringify(this.#manifest.known);
    if (this.#problem !== null || (filings.length === 0 && !(isLast && !(isCut && isSame)))) {
      return;
    }
    this.#waiting = [];
    this.#waitingFills = 0;
    this.#committedAt = this.#job.clock.monotonic();
    const { account, store, clock } = this.#job;
    const ports = { account, store, clock, run: this.#run, load: (file: DataFile) => this.#load(file) };
    try {
      const built = await buildCommit(ports, this.#manifest, { filings, known: this.#known, isLast });
      const { manifest, sha256, restated, months } = built;
      await this.#swap({ manifest: { seq: manifest.seq, sha256 } });
      this.#manifest = manifest;
      this.#restated += restated;
      for (const month of months) {
        this.#months.add(month);
      }
    } catch (error) {
      this.#problem = asFillbookError(error);
      throw this.#problem;
    }
  }

  async #swap(change: HeadChange): Promise<void> {
    const { account, random, reader, store } = this.#job;
    const owner = this.#trader.owner === null ? {} : { owner: this.#trader.owner };
    const next = nextHead(this.#held?.head ?? null, { ...owner, ...change, learned: reader.learned() }, random);
    const outcome = await swapHead(this.#job, account, next, this.#held?.tag ?? null);
    if (outcome.kind !== "landed") {
      throw new FencedError(`${store.location}/${account}`);
    }
    this.#held = outcome.held;
  }
}
