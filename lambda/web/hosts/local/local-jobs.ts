import { isDeepStrictEqual } from "node:util";
import { asFillbookError, FillbookError } from "../../../core/errors.ts";
import { count, counted } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import type { Progress } from "../../../job/context.ts";
import type { JobState, Jobs, MakeRequest } from "../../ports.ts";

/** What a job comes to. */
export interface JobEnd {
  readonly note: string;
  readonly pack: JobState["pack"];
  readonly problem: FillbookError | null;
}

export type Run = (request: MakeRequest, report: (progress: Progress) => void) => Promise<JobEnd>;

export interface LocalJobs extends Jobs {
  /** Resolves when none is running. */
  readonly idle: () => Promise<void>;
}

const MOST_KEPT = 50;
const MOST_AT_ONCE = 10;

/** Jobs in this process, known while it lives: of one account one at a time, in the order in which they were asked for. */
export function createLocalJobs(
  { now, id, run }: { readonly now: () => number; readonly id: () => string; readonly run: Run },
  ended: (state: JobState) => void,
): LocalJobs {
  let states: readonly JobState[] = []; // newest first
  const queues = new Map<string, Promise<void>>();

  function change(jobId: string, changed: Partial<JobState>): void {
    states = states.map((one) => (one.id === jobId ? { ...one, ...changed } : one));
  }

  async function work(jobId: string, request: MakeRequest): Promise<void> {
    change(jobId, { note: "Looking at what is there." });
    const end = await run(request, (progress) => {
      change(jobId, { covered: progress.covered, note: progressNote(progress) });
    }).catch((thrown: unknown): JobEnd => ({ note: "", pack: null, problem: asFillbookError(thrown) }));
    const { note, pack, problem } = end;
    change(
      jobId,
      problem === null ? { state: "done", note, pack, covered: 1 } : { state: "failed", note: sentence(problem), pack },
    );
    const state = states.find((one) => one.id === jobId);
    if (state !== undefined) {
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
        return Promise.reject(new FillbookError("usage", `${running.length} jobs are running or waiting already`));
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
      const before = queues.get(request.account) ?? Promise.resolve();
      queues.set(
        request.account,
        before.then(() => work(state.id, request)),
      );
      return Promise.resolve(state);
    },
    find: (account, jobId) =>
      Promise.resolve(states.find((one) => one.id === jobId && one.request.account === account) ?? null),
    recent: (account) => Promise.resolve(states.filter(({ request }) => request.account === account)),
    async idle() {
      await Promise.all(queues.values());
    },
  };
}

/** Where a job is, in a sentence. */
function progressNote({ stage, note, pages, fillsSeen, reached, packed }: Progress): string {
  if (stage === "waiting") {
    return note === undefined ? "Waiting." : `Waiting: ${note}.`;
  }
  if (stage === "packing") {
    const made = packed === undefined ? "" : `, ${count(packed.fills)} of ${counted(packed.of, "fill")}`;
    return `All of it is read: ${note ?? "the files"} is being made${made}.`.replace("the files is", "the files are");
  }
  const to = reached === undefined ? "" : `, as far as ${isoTime(reached).slice(0, 10)}`;
  const what = note === undefined ? "" : ` ${note}`;
  return `Reading${what} from the service: ${counted(fillsSeen, "fill")} in ${counted(pages, "page")} so far${to}.`;
}

/** What went wrong, and what to do. */
export function sentence({ message, hint }: FillbookError): string {
  return hint === undefined ? `${message}.` : `${message}: ${hint}.`;
}
