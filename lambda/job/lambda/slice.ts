import type { CommandContext, Outcome, Run } from "../../cli/commands/command.ts";
import { exportCommand } from "../../cli/commands/export.ts";
import { sync } from "../../cli/commands/sync.ts";
import { verify } from "../../cli/commands/verify.ts";
import { jsonText } from "../../cli/terminal-text.ts";
import {
  asFillbookError,
  type ErrorKind,
  FillbookError,
  StoppedError,
  TooLongError,
  WaitError,
} from "../../core/errors.ts";
import { DAY_MS, SECOND_MS } from "../../core/time.ts";
import type { ServiceReader } from "../../service/service.ts";
import type { SliceEvent } from "./event.ts";
import { withoutCredentials } from "./lambda-log.ts";
import { type Ending, type Measured, measureSlice } from "./metrics.ts";

/**
 * The answer of a slice. A slice is one invocation of a run. It ends because everything is done, because its
 * time is up, or because something prevents progress.
 */
export type Answer = Readonly<Record<string, unknown>> & {
  readonly complete: boolean;
  /**
   * True if the run is not complete although there was time left and nothing to wait for. The state machine
   * tries again a limited number of times.
   */
  readonly stalled: boolean;
  /** When to call again: whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  /** What a person should act on although nothing failed. Absent: nothing. */
  readonly warnings?: readonly string[];
  /** Why the run is not complete. Absent: it is complete. */
  readonly error?: { readonly kind: ErrorKind; readonly message: string; readonly hint: string | null };
};

const AT_ONCE_SECONDS = 1;
/** The service is down or refuses requests: wait a few minutes, as a person would. */
const AFTER_STALL_SECONDS = 300;

/** The error names that the state machine sees. It tries none of these again. */
const ERROR_NAMES: Readonly<Record<ErrorKind, string>> = {
  fault: "Fault",
  usage: "BadSettings",
  token: "TokenRefused",
  incomplete: "NotComplete",
  untrusted: "UntrustedData",
};

/** `run` rejects or resolves as the command does. */
export interface SlicePlan extends Pick<SliceEvent, "action" | "whole"> {
  readonly run: Run;
}

/** Checks the arguments without opening anything. Throws a FillbookError of kind `usage`. */
export function planSlice({ action, given, whole }: SliceEvent): SlicePlan {
  const run = { sync, export: exportCommand, verify }[action].plan(given);
  const inOne: Run = async (live) => withFindings(await inOneSlice(run(live), live));
  return { action, whole, run: action === "verify" ? inOne : run };
}

/** A verification starts over with every slice, so if one slice is too short, the next is too. */
async function inOneSlice(work: Promise<Outcome>, { signal }: CommandContext): Promise<Outcome> {
  return await work.catch((thrown: unknown) => {
    if (thrown instanceof StoppedError && signal.aborted) {
      throw new TooLongError("the archive cannot be verified in the time that the function may run", {
        hint: "verify one period at a time, or use the command line",
      });
    }
    throw thrown;
  });
}

const FINDINGS_SHOWN = 3;

/** Adds the first findings to the problem's message, because only the message of a failed slice is kept. */
function withFindings(outcome: Outcome): Outcome {
  const { json, problem = null } = outcome;
  const findings = "findings" in json && Array.isArray(json["findings"]) ? json["findings"] : [];
  if (problem === null || findings.length === 0) {
    return outcome;
  }
  const { kind, message, hint } = problem;
  const shown = findings.slice(0, FINDINGS_SHOWN).join("; ");
  return { ...outcome, problem: new FillbookError(kind, `${message}: ${shown}`, hint === undefined ? {} : { hint }) };
}

/**
 * Runs the plan until it is done or `live.signal` stops it. Calls `measured` once, however the slice ends.
 * Throws the problem if another slice would not resolve it.
 */
export async function runSlice(
  plan: SlicePlan,
  live: CommandContext,
  measured: (slice: Measured) => void,
): Promise<Answer> {
  const begunAt = live.clock.monotonic();
  let counts: () => ServiceReader["counts"] | null = () => null; // before there was a job
  const job = async () => {
    const opened = await live.job();
    counts = () => opened.reader.counts;
    return opened;
  };
  const ended = await plan
    .run({ ...live, job })
    .catch((thrown: unknown): Outcome => ({ json: {}, lines: [], problem: asFillbookError(thrown) }));
  const { json, problem = null, warnings = [], result = null } = ended;
  const ending = endingOf(ended, live);
  const { action, whole } = plan;
  const reason = problem?.message ?? null;
  const tookMs = live.clock.monotonic() - begunAt;
  measured(measureSlice({ action, whole, ending, reason, tookMs, counts: counts(), result }, live.clock.now()));
  const told = bounded(JSON.parse(jsonText(warnings.length === 0 ? json : { ...json, warnings })));
  if (problem === null) {
    return { ...told, complete: true, stalled: false, retryAfterSeconds: AT_ONCE_SECONDS };
  }
  if (ending === "failed") {
    throw problem;
  }
  const { kind, message, hint } = problem;
  const afterEnding = ending === "stalled" ? AFTER_STALL_SECONDS : AT_ONCE_SECONDS;
  return {
    ...told,
    complete: false,
    stalled: ending === "stalled",
    retryAfterSeconds: problem instanceof WaitError ? waitSeconds(problem.waitMs) : afterEnding,
    error: { kind, message: shortened(message), hint: hint === undefined ? null : shortened(hint) },
  };
}

function endingOf({ json, problem = null }: Outcome, live: CommandContext): Ending {
  if (problem === null) {
    return "complete";
  }
  const isTimeUp = live.signal.aborted;
  if (
    problem instanceof TooLongError ||
    problem.kind !== "incomplete" ||
    (!isTimeUp && endsLater(json, live.clock.now()))
  ) {
    return "failed";
  }
  if (problem instanceof WaitError) {
    return "wait";
  }
  return isTimeUp ? "time-up" : "stalled";
}

/** The whole wait that the service asks for, so that the next slice need not wait. */
function waitSeconds(waitMs: number): number {
  return Math.max(AT_ONCE_SECONDS, Math.ceil(Math.min(waitMs, DAY_MS) / SECOND_MS));
}

/** A period that is not over cannot become complete by trying again. */
function endsLater(json: Outcome["json"], now: number): boolean {
  return "to" in json && Number(json["to"]) > now;
}

/**
 * The error for the state machine: named for its kind, with message and hint, and without a cause, because
 * Lambda prints everything that an error has.
 */
export function namedError(thrown: unknown, redact: (text: string) => string): Error {
  const problem = asFillbookError(thrown);
  const text = problem.hint === undefined ? problem.message : `${problem.message}: ${problem.hint}`;
  const error = new Error(shortened(withoutCredentials(redact(text))));
  error.name = ERROR_NAMES[problem.kind];
  return error;
}

/**
 * A state machine's state holds at most 256 KiB, and a larger answer ends the execution for good. This limit,
 * in bytes, leaves room for everything else in the state.
 */
const MAX_BYTES = 100_000;
/** The most characters of a text in a shortened answer, and of an error's message. */
const MAX_LETTERS = 4000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Drops `coverage`, which may have any number of ranges and is in the archive. If the answer is still too
 * large, drops all lists and objects.
 */
function bounded({ coverage: _, ...answer }: Fields): Fields {
  if (Buffer.byteLength(JSON.stringify(answer)) <= MAX_BYTES) {
    return answer;
  }
  const plain = Object.entries(answer).filter(([, value]) => typeof value !== "object" || value === null);
  return {
    ...Object.fromEntries(plain.map(([name, value]) => [name, typeof value === "string" ? shortened(value) : value])),
    shortened: true,
  };
}

function shortened(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
}
