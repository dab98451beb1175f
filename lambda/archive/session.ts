import { FillbookError } from "../errors.ts";
import type { Job } from "../job.ts";
import type { Fill } from "../model/fill.ts";
import { holds, overlaps, union } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { type CollectionMark, type Head, type HeldHead, type LastRun, nextHead, swapHead } from "./head.ts";
import { manifestKey, sha256Of } from "./keys.ts";
import { latenessAfter } from "./lateness.ts";
import { acquireHead } from "./lease.ts";
import type { Checkpoint, Manifest, Part, RestatementFile, WindowRecord } from "./manifest.ts";
import { createContent } from "./objects.ts";
import { fileFills, type PartPorts, partFills, type Sighting } from "./parts.ts";
import { loadManifest } from "./read.ts";
import { RecentParts } from "./recent-parts.ts";
import { storeRestatements } from "./restatements.ts";
import { EMPTY_SET, formatSetHash, parseSetHash, setHashOf } from "./set-hash.ts";

/** A finished walk, before the archive says what it holds there. */
export type FinishedWindow = Omit<WindowRecord, "rows" | "first" | "last" | "setHash">;

/** What one commit adds: rows, the windows that ended with them, and where the run stands after them. */
export interface Change {
  readonly sightings: readonly Sighting[];
  readonly finished: readonly FinishedWindow[];
  readonly checkpoint: Checkpoint;
  /** Coverage that rested on answers now known to be wrong is given up, all of it or what rested on the order of rows; the rows stay. */
  readonly distrust?: "all" | "order";
}

export interface Counts {
  added: number;
  restated: number;
}

/** The archive between two commits. */
export interface Held {
  readonly manifest: Manifest;
  readonly ref: Head["manifest"];
  readonly collection: CollectionMark | null;
  /** Writes the head, and so proves that no other run has taken the archive; rejects with FencedError when one has. */
  readonly prove: () => Promise<void>;
}

/**
 * The archive as one run holds it, from acquiring the head to releasing it. Data and checkpoint are one commit: parts first, then the
 * manifest, then the head by compare-and-swap. Commits and heartbeats go through one queue, so a run never conflicts with itself.
 */
export class ArchiveSession {
  readonly counts: Counts = { added: 0, restated: 0 };
  readonly #job: Job;
  readonly #ports: PartPorts;
  #held: HeldHead;
  #manifest: Manifest;
  #queue: Promise<unknown> = Promise.resolve();
  #lastWriteAt: number;

  private constructor(job: Job, held: HeldHead, manifest: Manifest) {
    this.#job = job;
    this.#ports = { ...job, epoch: held.head.epoch, recent: new RecentParts() };
    this.#held = held;
    this.#manifest = manifest;
    this.#lastWriteAt = job.clock.monotonic();
  }

  /** Waits for the archive, takes it, loads what the head names, and lets the reader know what runs before this one have learned. */
  static async open(job: Job, waiting: (holder: string) => void): Promise<ArchiveSession> {
    const held = await acquireHead({ ...job, waiting });
    job.reader.begin(held.head.learned, job.timeLeftMs);
    try {
      return new ArchiveSession(job, held, await loadManifest(job.store, job.account, held.head));
    } catch (error) {
      // An archive that this run cannot use is not kept from the next one, which would wait for nothing.
      await swapHead(job, job.account, nextHead(held.head, { lease: null }, job.random), held.tag).catch(
        () => undefined,
      );
      throw error;
    }
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** ms since the head was last written, by the run's own clock. */
  get idleMs(): number {
    return this.#job.clock.monotonic() - this.#lastWriteAt;
  }

  /** Of this run, and of no other: see head.ts. */
  get epoch(): number {
    return this.#ports.epoch;
  }

  get manifestRef(): { seq: number; sha256: string } | null {
    return this.#held.head.manifest;
  }

  /** Commits rows, coverage and checkpoint together. `untrusted` where the archive is damaged, `incomplete` when this run was fenced. */
  async commit(change: Change): Promise<void> {
    await this.#exclusively(async () => {
      const { manifest, added, restated } = await this.#file(change);
      await this.#write(manifest);
      this.counts.added += added;
      this.counts.restated += restated;
    });
  }

  /** Shows other runs that this one is alive. */
  async heartbeat(): Promise<void> {
    await this.#exclusively(() => this.#swap({}));
  }

  /** Gives `work` the archive as it stands: nothing is committed meanwhile. */
  async hold<T>(work: (held: Held) => Promise<T>): Promise<T> {
    return await this.#exclusively(() => {
      const { manifest, collection } = this.#held.head;
      return work({ manifest: this.#manifest, ref: manifest, collection, prove: () => this.#swap({}) });
    });
  }

  /** Ends the run: says how it went, and lets the next one in. `collection`: the one that this run finished, if any. */
  async release(lastRun: LastRun, collection: CollectionMark | null = null): Promise<void> {
    await this.#exclusively(() => this.#swap({ lastRun, lease: null, ...(collection === null ? {} : { collection }) }));
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  async #file(change: Change): Promise<Counts & { readonly manifest: Manifest }> {
    const before = this.#manifest;
    const filed = await fileFills(this.#ports, before.parts, change.sightings);
    // Coverage that is given up was never held, so that what it lacked did not come late.
    const trusted = stillTrusted(before.windows, change.distrust);
    const coverage = change.distrust === undefined ? before.coverage : union(trusted);
    const late = filed.added.filter(({ txCreated }) => holds(coverage, txCreated));
    const restated = [...filed.restated, ...late.map((after) => ({ kind: "late" as const, before: null, after }))];
    const restatements: RestatementFile[] = [...before.restatements];
    const seenAt = this.#job.clock.now();
    if (restated.length > 0) {
      restatements.push(await storeRestatements(this.#ports, restated, { seenAt, seq: before.seq + 1 }));
    }
    const finished = await this.#records(filed.parts, change.finished);
    const manifest: Manifest = {
      ...before,
      fills: filed.parts.reduce((sum, { rows }) => sum + rows, 0),
      parts: filed.parts,
      coverage: union([...coverage, ...change.finished]),
      windows: [...withoutSuperseded(trusted, change.finished), ...finished].sort((a, b) => a.from - b.from),
      restatements,
      maxSkewMs: [...filed.added, ...restated.map(({ after }) => after)].reduce(
        (max, fill) => Math.max(max, skewOf(fill)),
        before.maxSkewMs,
      ),
      lateness: latenessAfter(before.lateness, late, seenAt),
      checkpoint: change.checkpoint,
    };
    return { manifest, added: filed.added.length, restated: restated.length };
  }

  /** What the archive holds in each finished window, by its parts: the record speaks of what is kept. */
  async #records(parts: readonly Part[], finished: readonly FinishedWindow[]): Promise<WindowRecord[]> {
    const records: WindowRecord[] = [];
    // Parts are written in the order of time: those of the newest windows are still at hand.
    for (const window of finished.toSorted((a, b) => b.from - a.from)) {
      records.push({ ...window, ...(await summariseBySums(this.#ports, parts, window)) });
    }
    return records;
  }

  async #write(manifest: Manifest): Promise<void> {
    const next = { ...manifest, seq: this.#manifest.seq + 1, epoch: this.epoch };
    const body = new TextEncoder().encode(`${JSON.stringify(next, null, 1)}\n`);
    const sha256 = sha256Of(body);
    await createContent(this.#job, manifestKey(this.#job.account, next.seq, sha256), body);
    await this.#swap({ manifest: { seq: next.seq, sha256 } });
    this.#manifest = next;
  }

  async #swap(change: Parameters<typeof nextHead>[1]): Promise<void> {
    const { account, random, reader } = this.#job;
    const next = nextHead(this.#held.head, { ...change, learned: reader.learned() }, random);
    const outcome = await swapHead(this.#job, account, next, this.#held.tag);
    if (outcome.kind !== "landed") {
      throw new FencedError(`${this.#job.store.location}/${account}`);
    }
    this.#held = outcome.held;
    this.#lastWriteAt = this.#job.clock.monotonic();
  }
}

/** Another run took the archive over: this one stops, deletes nothing and writes nothing more. */
export class FencedError extends FillbookError {
  constructor(where: string) {
    super("incomplete", `another run has taken over the archive ${where}`, {
      hint: "what this run had committed is kept; the other run goes on from there",
    });
  }
}

function skewOf(fill: Fill): number {
  return fill.filledAt === null ? 0 : Math.abs(fill.filledAt - fill.txCreated);
}

function stillTrusted(windows: readonly WindowRecord[], distrust: Change["distrust"]): readonly WindowRecord[] {
  switch (distrust) {
    case undefined:
      return windows;
    case "order":
      return windows.filter(({ ended }) => ended !== "order");
    case "all":
      return [];
  }
}

/** Without those that a new window holds whole, and on no weaker ground. */
function withoutSuperseded(windows: readonly WindowRecord[], finished: readonly FinishedWindow[]): WindowRecord[] {
  return windows.filter(
    (old) =>
      !finished.some(
        ({ from, to, ended }) => from <= old.from && old.to <= to && (ended === "no-last" || old.ended === "order"),
      ),
  );
}

/** Count, ends and hash of the fills that the parts hold in `range`. */
export async function summarise(
  ports: Pick<PartPorts, "store" | "recent">,
  parts: readonly Part[],
  range: TimeRange,
): Promise<Pick<WindowRecord, "rows" | "first" | "last" | "setHash">> {
  let rows = 0;
  let first: number | null = null;
  let last: number | null = null;
  let set = EMPTY_SET;
  for (const part of parts) {
    if (part.from >= range.to || part.to <= range.from) {
      continue;
    }
    const fills = (await partFills(ports, part)).filter(
      ({ txCreated }) => range.from <= txCreated && txCreated < range.to,
    );
    rows += fills.length;
    first ??= fills.at(0)?.txCreated ?? null;
    last = fills.at(-1)?.txCreated ?? last;
    set += setHashOf(fills);
  }
  return { rows, first, last, setHash: formatSetHash(BigInt.asUintN(256, set)) };
}

/** The same by what the manifest says of the parts inside of `range`: only those near its ends are read, two on each side, since one may have no row in it. */
export async function summariseBySums(
  ports: Pick<PartPorts, "store" | "recent">,
  parts: readonly Part[],
  range: TimeRange,
): ReturnType<typeof summarise> {
  const inside = parts.filter((part) => overlaps(part, range));
  if (inside.length <= 4) {
    return await summarise(ports, inside, range);
  }
  const ends = await summarise(ports, [...inside.slice(0, 2), ...inside.slice(-2)], range);
  const middle = inside.slice(2, -2);
  const set = middle.reduce((sum, { setHash }) => sum + parseSetHash(setHash), parseSetHash(ends.setHash));
  return {
    ...ends,
    rows: middle.reduce((sum, { rows }) => sum + rows, ends.rows),
    setHash: formatSetHash(BigInt.asUintN(256, set)),
  };
}
