import { isDeepStrictEqual } from "node:util";
import { asFillbookError, FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import type { Progress } from "../../../job/context.ts";
import { sentenceOf } from "../../page-words.ts";
import type { JobState, Jobs, MakeRequest } from "../../ports.ts";
import { told } from "./progress-note.ts";

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
  const stops = new Map<string, { readonly controller: AbortController; hasBegun: boolean }>(); // of those that run or wait

  function change(jobId: string, changed: Partial<JobState>): void {
    states = states.map((one) => (one.id === jobId ? { ...one, ...changed } : one));
  }

  function finish(jobId: string, changed: Partial<JobState>): void {
    stops.delete(jobId);
    change(jobId, changed);
    const state = states.find((one) => one.id === jobId);
    if (state !== undefined) {
      ended(state);
    }
  }

  async function work(jobId: string, request: MakeRequest): Promise<void> {
    const stop = stops.get(jobId);
    if (stop === undefined) {
      return; // stopped while it waited
    }
    stop.hasBegun = true;
    change(jobId, { note: "Looking at the archive." });
    const report = (progress: Progress) => change(jobId, told(progress));
    const { signal } = stop.controller;
    const { note, pack, problem } = await run(request, { report, signal }).catch(failed);
    if (problem === null) {
      finish(jobId, { state: "done", note, pack, covered: 1 });
    } else {
      // What is wrong besides is told: a full disk has kept nothing.
      const isStopped = signal.aborted && problem.kind === "incomplete";
      finish(jobId, isStopped ? { ...STOPPED, pack } : { state: "failed", note: sentence(problem), pack });
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
      const state: JobState = {
        id: id(),
        request,
        startedBy: user.name,
        startedAt: now(),
        state: "running",
        covered: null,
        note: "Waiting for another job of this account.",
        pack: null,
      };
      states = [state, ...states.filter((one, at) => one.state === "running" || at < MOST_KEPT - 1)];
      stops.set(state.id, { controller: new AbortController(), hasBegun: false });
      const before = queues.get(request.account) ?? Promise.resolve();
      queues.set(
        request.account,
        before.then(() => work(state.id, request)),
      );
      return Promise.resolve(state);
    },
    stop(account, jobId) {
      const stop = states.some((one) => one.id === jobId && one.request.account === account)
        ? stops.get(jobId)
        : undefined;
      stop?.controller.abort();
      if (stop?.hasBegun === false) {
        finish(jobId, STOPPED);
      } else if (stop !== undefined) {
        change(jobId, { stopping: true });
      }
      return Promise.resolve();
    },
    find: (account, jobId) =>
      Promise.resolve(states.find((one) => one.id === jobId && one.request.account === account) ?? null),
    recent: (account) => Promise.resolve(states.filter(({ request }) => request.account === account)),
    async idle() {
      await Promise.all(queues.values());
    },
  };
}

const STOPPED = { state: "stopped", note: "This job was stopped. What was read is kept." } as const;

function failed(thrown: unknown): JobEnd {
  return { note: "", pack: null, problem: asFillbookError(thrown) };
}

/** What went wrong, and what to do. */
export function sentence({ message, hint }: FillbookError): string {
  return [message, ...(hint === undefined ? [] : [hint])].map(sentenceOf).join(" ");
}
