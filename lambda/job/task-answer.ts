import { taskAnswerKey } from "../archive/keys.ts";
import { type ErrorKind, FillbookError } from "../core/errors.ts";
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
  const { answer, problem }: TaskAnswer = JSON.parse(new TextDecoder().decode(found.body));
  if (problem !== null || answer === null) {
    const { kind = "fault", message = "the task gave no reason", hint = null } = problem ?? {};
    throw new FillbookError(kind, message, hint === null ? {} : { hint });
  }
  return answer;
}
