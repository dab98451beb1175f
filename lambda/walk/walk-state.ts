import type { Known } from "../archive/manifest.ts";
import type { ArchiveSession } from "../archive/session.ts";
import { FillbookError } from "../core/errors.ts";
import { wider, widthOf, without } from "../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";
import { Workers } from "../core/workers.ts";
import type { Progress, RunContext } from "../job/context.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import { readChain } from "./chain.ts";
import type { ChainAnswer, ChainOptions } from "./pages.ts";
import { afterRefusal, NARROWEST_MS, type Refusal, tooMany, tooOld } from "./problems.ts";

/** So many windows that cannot be read: the rest is left to another run. */
const MOST_FAILED = 50;
/** So many pages, and one more for so many fills: no service needs more. */
const MOST_PAGES = 8000;
const FILLS_A_PAGE = 10;
/** A page with fewer rows is not full. */
const LEAST_FULL = 10;

/** Nothing more can be asked in this run. What was read is filed. */
export class WalkStopped extends FillbookError {
  constructor({ kind, message, hint }: FillbookError) {
    super(kind, message, { hint });
  }
}

/** The rows of a service that ignores dates can only be read by one chain. */
export class DatesIgnored extends Error {}

/** What the first reading needs of a session. `verify --rewalk` gives it one that only compares. */
export type FilingSession = Pick<ArchiveSession, "known" | "fills" | "learn" | "file" | "room" | "setAside">;

/** What the two readings share: how they ask, what they have learned, and what they could not read. */
export class WalkState<Session extends FilingSession = ArchiveSession> {
  readonly job: RunContext;
  readonly session: Session;
  readonly problems: FillbookError[] = [];
  readonly failed: TimeRange[] = [];
  readonly contradicted = new Set<string>();
  pages = 0;
  fillsSeen = 0;
  windowsDone = 0;
  /** The widest range that was answered in this run, ms. */
  widest = 0;
  /** Called after each page: by the workers, and for progress. */
  onPage: () => void = () => undefined;
  onReport: (shown?: Pick<Progress, "stage" | "note">) => void = () => undefined;

  constructor(job: RunContext, session: Session) {
    this.job = job;
    this.session = session;
  }

  get known(): Known {
    return this.session.known;
  }

  /**
   * Reads a window, and remembers what it showed of the service. `asked`: without it, one ms more on both sides.
   * `isFirst`: what a chain has read when it breaks off is covered once.
   */
  async read(
    window: TimeRange,
    options: Partial<Pick<ChainOptions, "asked" | "mostPages" | "isOnePage" | "isProof" | "isProbe">> = {},
    isFirst = false,
  ): Promise<ChainAnswer> {
    const { isOrdered, keepsTies, full, page, most } = this.known;
    const limits = {
      asked: wider(window, 1),
      ...options,
      full: Math.max(LEAST_FULL, full ?? page),
      ...{ isOrdered, keepsTies, most },
      readsOn: widthOf(window) <= NARROWEST_MS,
      now: this.job.clock.now(),
      contradicted: this.contradicted,
    };
    const answer = await readChain((request) => this.ask(request), window, limits);
    const { end, longest, followed, order } = answer;
    const isRefused = end.kind === "refused" && end.refusal.why === "range";
    this.widest = isRefused ? this.widest : Math.max(this.widest, widthOf(window));
    this.session.learn({
      page: Math.max(this.known.page, longest),
      most: Math.max(most, this.known.most, answer.fills.size),
      ...(followed === 0 ? {} : { full: Math.max(full ?? 0, followed) }),
      ...(order === "mixed" ? { isOrdered: false } : {}),
      ...(answer.keepsTies ? { keepsTies: true } : {}),
    });
    if (end.kind === "refused" && end.refusal.why === "ignored" && options.isProbe !== true) {
      if (widthOf(window) <= DAY_MS) {
        throw new DatesIgnored("the service ignores the dates"); // the one chain will bring these rows again
      }
      await this.read({ from: window.from, to: window.from + DAY_MS }, { isOnePage: true });
    }
    if (end.kind === "broken") {
      const { from, to } = without(window, end.rest);
      const covers = isFirst && from < to ? { from, to, readings: 1 as const, silentIn: null } : null;
      this.session.file({ fills: answer.rows, covers });
      throw end.cause;
    }
    return answer;
  }

  /** The windows that follow when one could not be read. Throws WalkStopped when nothing can be. */
  async after(window: TimeRange, refusal: Refusal, asked = window): Promise<readonly TimeRange[]> {
    const next = afterRefusal(window, refusal, this.widest > 0, asked);
    if (next instanceof FillbookError) {
      if (next.kind === "usage") {
        throw new WalkStopped(next);
      }
      await this.setAside(window, refusal);
      return this.fail(window, next);
    }
    const [older, newer] = next;
    // As wide a window was answered: is an hour in the middle refused, too? Then the older half is given up.
    const isDoubted =
      refusal.why === "range" && refusal.problem?.kind !== "incomplete" && widthOf(window) <= this.widest;
    const hour = { from: Math.max(older.from, older.to - NARROWEST_MS), to: older.to };
    const end = isDoubted ? (await this.read(hour, { isOnePage: true })).end : null;
    const isOld = end?.kind === "refused" && end.refusal.why === "range";
    return [newer, ...(isOld ? this.fail(older, tooOld(older)) : [older])];
  }

  async setAside(window: TimeRange, { body }: Refusal): Promise<void> {
    await (body === undefined ? undefined : this.session.setAside(window, body));
  }

  /** Workers that take what is next while the service has room for requests. */
  workers(take: () => (() => Promise<void>) | null): Workers {
    const workers = new Workers({ workers: this.job.concurrency, hasRoom: () => this.job.reader.hasRoom(), take });
    this.onPage = () => workers.notify();
    return workers;
  }

  /** → no windows */
  fail(window: TimeRange, problem: FillbookError): [] {
    this.failed.push(window);
    this.problems.push(problem);
    if (this.failed.length >= MOST_FAILED) {
      throw new WalkStopped(problem);
    }
    return [];
  }

  async ask(request: PageRequest): Promise<PageAnswer> {
    if (this.pages > MOST_PAGES + this.session.fills / FILLS_A_PAGE) {
      throw new WalkStopped(tooMany(this.pages));
    }
    const answer = await this.job.reader.completedOrders(request, this.job.signal);
    if (answer.kind === "page") {
      this.pages += 1;
      this.fillsSeen += answer.rows.length;
    }
    this.onPage();
    this.onReport();
    return answer;
  }
}
