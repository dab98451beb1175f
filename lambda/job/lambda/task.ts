import { FillbookError } from "../../core/errors.ts";
import type { Environment } from "../settings.ts";

const EVENT = "FILLBOOK_EVENT";

/**
 * What a task has to do: the event of the slice that was too short, and the run that it belongs to. Throws
 * with kind `usage`.
 */
export function readTask(environment: Environment): { readonly event: unknown; readonly runId: string } {
  const text = environment[EVENT] ?? "";
  const event = parsed(text);
  const runId = typeof event === "object" && event !== null && "runId" in event ? event.runId : undefined;
  if (typeof runId !== "string" || runId === "") {
    throw new FillbookError("usage", `${EVENT} does not hold the event of a run`, {
      hint: "start the state machine, which starts the task",
    });
  }
  return { event, runId };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
