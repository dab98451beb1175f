import { isDeepStrictEqual } from "node:util";
import { asFillbookError, FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import type { Progress } from "../../../job/context.ts";
import type { JobState, Jobs, MakeRequest } from "../../ports.ts";
import { STOPPED, sentenceOf } from "../../words.ts";

/** How a job ended. */
export interface JobEnd {
  readonly note: string;
  readonly pack: JobState["pack"];
  readonly problem: FillbookError | null;
}

export type Run = (request: MakeRequest, watch: Watch) => Promise<JobEnd>;

export interface Watch {
  readonly report: (progress: Progress) => void;
  /** Aborted when the job should end soon. */
  readonly signal: AbortSignal;
}

export interface LocalJobs extends Jobs {
  /** Resolves when no job is running. */
  readonly idle: () => Promise<void>;
}

const MOST_KEPT = 50;
const MOST_AT_ONCE = 10;

/**
 * Jobs in this process, forgotten when it ends. Each account runs one job at a time, in the order of their
 * requests.
 */
export function createLocalJobs(
  { now, id, run }: { readonly now: () => number; readonly id: () => string; readonly run: Run },
  ended: (state: JobState) => void,
): LocalJobs {
  let states: readonly JobState[] = []; // newest first
  const queues = new Map<string, Promise<void>>();
  const stops = new Map<string, AbortController>(); // of those that run or wait

  const stateOf = (account: string, jobId: string) =>
    states.find((one) => one.id === jobId && one.request.account === account) ?? null;

  function change(jobId: string, changed: Partial<JobState>): void {
    states = states.map((one) => (one.id === jobId ? { ...one, ...changed } : one));
  }

  async function work(jobId: string, request: MakeRequest, signal: AbortSignal): Promise<void> {
    const report = (progress: Progress) => (signal.aborted ? undefined : change(jobId, told(progress)));
    const end = signal.aborted ? STOPPED_EARLY : await run(request, { report, signal }).catch(failed);
    stops.delete(jobId);
    change(jobId, endedWith(end, signal.aborted));
    const state = stateOf(request.account, jobId);
    if (state !== null) {
      ended(state);
    }
  }

  return {
    start(request, user) {
      const running = states.filter((one) => one.state === "running");
      const same = running.find((one) => isDeepStrictEqual(one.request, request));
      if (same !== undefined) {
        return Promise.resolve(same);
      }
      if (running.length >= MOST_AT_ONCE) {
        return Promise.reject(
          new FillbookError("usage", `${counted(running.length, "job is", "jobs are")} already running or waiting`),
        );
      }
      const asked = { id: id(), request, startedBy: user.name, startedAt: now() };
      const note = "It begins when no other job of this account runs.";
      const state: JobState = { ...asked, state: "running", covered: null, note, pack: null };
      states = [state, ...states.filter((one, at) => one.state === "running" || at < MOST_KEPT - 1)];
      const stop = new AbortController();
      stops.set(state.id, stop);
      const before = queues.get(request.account) ?? Promise.resolve();
      queues.set(
        request.account,
        before.then(() => work(state.id, request, stop.signal)),
      );
      return Promise.resolve(state);
    },
    stop(account, jobId) {
      const stop = stateOf(account, jobId) === null ? undefined : stops.get(jobId);
      if (stop !== undefined) {
        stop.abort();
        change(jobId, { note: "It stops as soon as it can." });
      }
      return Promise.resolve();
    },
    find: (account, jobId) => Promise.resolve(stateOf(account, jobId)),
    recent: (account) => Promise.resolve(states.filter(({ request }) => request.account === account)),
    async idle() {
      await Promise.all(queues.values());
    },
  };
}

/** All files are made only when the job is over. */
const MOST_PACKED = 0.99;

/** What a job does now, and the share of that which is done. */
function told({ stage, note, pages, fillsSeen, packed, checked, covered }: Progress): Partial<JobState> {
  if (stage === "packing") {
    const share = packed === undefined || packed.of === 0 ? null : Math.min(MOST_PACKED, packed.fills / packed.of);
    return { covered: share, note: "All fills were read. The files are being made." };
  }
  if (stage === "waiting") {
    return { covered, note: sentenceOf(`waiting${note === undefined ? "" : `: ${note}`}`) };
  }
  const read = `${counted(fillsSeen, "fill")} read so far, in ${counted(pages, "page")} of the venue's answers.`;
  return { covered, note: checked === undefined ? read : `${counted(checked.objects, "object")} checked so far.` };
}

function failed(thrown: unknown): JobEnd {
  return { note: "", pack: null, problem: asFillbookError(thrown) };
}

const STOPPED_EARLY = failed(new FillbookError("incomplete", "it was stopped while it waited"));

function endedWith({ note, pack, problem }: JobEnd, isAborted: boolean): Partial<JobState> {
  if (problem === null) {
    return { state: "done", note, pack, covered: 1 };
  }
  // What is wrong besides is told: a full disk has kept nothing.
  const isStopped = isAborted && problem.kind === "incomplete";
  return isStopped ? { state: "stopped", note: STOPPED, pack } : { state: "failed", note: sentence(problem), pack };
}

/** What went wrong, and what to do. */
export function sentence({ message, hint }: FillbookError): string {
  return [message, ...(hint === undefined ? [] : [hint])].map(sentenceOf).join(" ");
}
