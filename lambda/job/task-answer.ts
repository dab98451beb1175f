import { taskAnswerKey } from "../archive/keys.ts";
import { type ErrorKind, EXIT_CODES, FillbookError } from "../core/errors.ts";
import { isRecord } from "../core/record.ts";
import type { Store } from "../storage/store.ts";

/**
 * The answer of a task. A container's end says only that it ended, so the task leaves its answer in the
 * archive's store, and a slice of the same run reads it there.
 */
export interface TaskAnswer {
  /** The command's JSON. Null: the command threw. */
  readonly answer: Readonly<Record<string, unknown>> | null;
  /** Why the task is not complete. Null: it is complete. */
  readonly problem: TaskProblem | null;
}

export interface TaskProblem {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint: string | null;
}

interface Place {
  readonly account: string;
  readonly runId: string;
}

/**
 * Stores a task's answer. It replaces that of an earlier task of the same run. Rejects with kind `incomplete`
 * if another task writes at the same moment.
 */
export async function leaveTaskAnswer(store: Store, { account, runId }: Place, answer: TaskAnswer): Promise<void> {
  const key = taskAnswerKey(account, runId);
  const earlier = await store.get(key);
  const body = Buffer.from(`${JSON.stringify({ runId, ...answer })}\n`);
  if ((await store.replaceIf(key, body, earlier?.tag ?? null)) === null) {
    throw new FillbookError("incomplete", `another task is writing ${store.location}/${key}`, { hint: "run again" });
  }
}

/**
 * The answer of a complete task. Rejects with the task's own problem, or with kind `fault` if it left no
 * answer.
 */
export async function takeTaskAnswer(store: Store, place: Place): Promise<Readonly<Record<string, unknown>>> {
  const key = taskAnswerKey(place.account, place.runId);
  const found = await store.get(key);
  if (found === null) {
    throw new FillbookError("fault", `the task of run ${place.runId} left no answer`, {
      hint: "check the task's log, then start the run again",
    });
  }
  const left = answerIn(new TextDecoder().decode(found.body), place.runId);
  if (left === null) {
    throw new FillbookError("untrusted", `${store.location}/${key} is no answer of the task of run ${place.runId}`, {
      hint: "find out who has written it, and start the run again",
    });
  }
  const { answer, problem } = left;
  if (answer === null || problem !== null) {
    const { kind, message, hint } = problem ?? NOTHING_SAID;
    throw new FillbookError(kind, message, hint === null ? {} : { hint });
  }
  return answer;
}

const NOTHING_SAID: TaskProblem = { kind: "fault", message: "the task says nothing", hint: null };

/** Null: it is not as `leaveTaskAnswer` writes it, or of another run. */
function answerIn(text: string, runId: string): TaskAnswer | null {
  const { answer, problem, ...rest } = recordIn(text);
  const isAnswer = answer === null || isRecord(answer);
  return rest["runId"] === runId && isAnswer && (problem === null || isProblem(problem)) ? { answer, problem } : null;
}

function isProblem(value: unknown): value is TaskProblem {
  return (
    isRecord(value) &&
    typeof value["kind"] === "string" &&
    Object.hasOwn(EXIT_CODES, value["kind"]) &&
    typeof value["message"] === "string" &&
    (value["hint"] === null || typeof value["hint"] === "string")
  );
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {}; // the parser's message quotes the text
  }
}
