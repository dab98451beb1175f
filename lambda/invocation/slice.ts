import type { Live, Outcome } from "../commands/command.ts";
import { exportCommand } from "../commands/export.ts";
import { readRange } from "../commands/range.ts";
import { syncOutcome } from "../commands/sync.ts";
import { asFillbookError, type ErrorKind, WaitError } from "../errors.ts";
import { syncArchive } from "../flow/sync.ts";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import type { SliceEvent } from "./event.ts";
import { withoutCredentials } from "./log.ts";
import { type Metrics, syncMetrics } from "./metrics.ts";

/** A slice is one invocation of a run: it ends because all is done, because its time is up, or because something is in the way. */
export type Answer = Readonly<Record<string, unknown>> & {
  readonly complete: boolean;
  /** Not complete, and neither because the time was up nor because the service asked to wait: to be tried again, but not for ever. */
  readonly setback: boolean;
  /** When to call again; whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  /** What a person should act on although nothing failed; absent when there is nothing. */
  readonly warnings?: readonly string[];
  /** Why it is not complete; absent when it is. */
  readonly error?: { readonly kind: ErrorKind; readonly message: string; readonly hint: string | null };
};

const AT_ONCE_SECONDS = 1;
/** The service is down, or refuses: a few minutes, as a person would wait. */
const AFTER_SETBACK_SECONDS = 300;

/** What the state machine sees as the error's name. None of these is tried again. */
const ERROR_NAMES: Readonly<Record<ErrorKind, string>> = {
  fault: "Fault",
  usage: "BadSettings",
  token: "TokenRefused",
  incomplete: "NotComplete",
  untrusted: "UntrustedData",
};

export interface SlicePlan {
  /** Rejects or resolves as the command does; metrics go to `measured` whichever way it ends. */
  readonly run: (live: Live, measured: (metrics: Metrics) => void) => Promise<Outcome>;
}

/** Checks the arguments and opens nothing: throws a FillbookError of kind `usage`. */
export function planSlice({ action, given, whole }: SliceEvent): SlicePlan {
  if (action === "export") {
    const work = exportCommand.plan(given);
    return { run: (live) => work(live) };
  }
  const range = readRange(given);
  return {
    async run(live, measured) {
      live.requireAccountAccess("sync");
      const result = await syncArchive(await live.job(), range);
      measured(syncMetrics(result, whole, live.clock.now()));
      return syncOutcome(result, live.settings.lookBackMs);
    },
  };
}

/**
 * Runs the plan until it is done or `live.signal` stops it, and says which. Throws what another slice would not mend: an error that is named for its
 * kind, and carries the message and the hint only, because Lambda prints all else that an error has.
 */
export async function runSlice(plan: SlicePlan, live: Live, measured: (metrics: Metrics) => void): Promise<Answer> {
  const outcome = await plan
    .run(live, measured)
    .catch((thrown: unknown): Outcome => ({ json: {}, lines: [], problem: asFillbookError(thrown) }));
  const { json, problem, warnings = [] } = outcome;
  const warned = warnings.length === 0 ? {} : { warnings };
  if (problem === null) {
    return { ...json, complete: true, setback: false, retryAfterSeconds: AT_ONCE_SECONDS, ...warned };
  }
  const isTimeUp = live.signal.aborted;
  const waitMs = problem instanceof WaitError ? problem.waitMs : null;
  if (problem.kind !== "incomplete" || (!isTimeUp && endsLater(json, live.clock.now()))) {
    throw problem;
  }
  return {
    ...json,
    complete: false,
    setback: !isTimeUp && waitMs === null,
    retryAfterSeconds: waitMs === null ? secondsAfter(isTimeUp) : waitSeconds(waitMs),
    ...warned,
    error: { kind: problem.kind, message: problem.message, hint: problem.hint ?? null },
  };
}

function secondsAfter(isTimeUp: boolean): number {
  return isTimeUp ? AT_ONCE_SECONDS : AFTER_SETBACK_SECONDS;
}

/** All of a wait that the service asks for: the next slice finds it over. */
function waitSeconds(waitMs: number): number {
  return Math.max(AT_ONCE_SECONDS, Math.ceil(Math.min(waitMs, DAY_MS) / SECOND_MS));
}

/** A period that is not over cannot become complete by trying again. */
function endsLater(json: Outcome["json"], now: number): boolean {
  return "to" in json && typeof json["to"] === "string" && Date.parse(json["to"]) > now;
}

/** The error as the state machine is to see it: named for its kind, with message and hint, and without a cause that Lambda would print. */
export function namedError(thrown: unknown, redact: (text: string) => string): Error {
  const problem = asFillbookError(thrown);
  const text = problem.hint === undefined ? problem.message : `${problem.message}: ${problem.hint}`;
  const error = new Error(withoutCredentials(redact(text)));
  error.name = ERROR_NAMES[problem.kind];
  return error;
}
