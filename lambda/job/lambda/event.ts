import { type Args, argsOf } from "../../cli/commands/command.ts";
import { usageError } from "../../core/errors.ts";

const ACTIONS = ["sync", "export", "verify"] as const;

export type Action = (typeof ACTIONS)[number];

/** The request to a slice: a command's arguments, as on the command line. */
export interface SliceEvent {
  readonly action: Action;
  readonly given: Args;
  /** Null: the event names no account, which is allowed if there is only one. */
  readonly account: string | null;
  /** True for a sync of everything up to now; false for a sync of a requested range. */
  readonly whole: boolean;
}

/** `runId` names the run in the logs. `startedBy` is for people who look at the execution. */
const COMMON = ["action", "account", "runId", "startedBy"];
const LONGEST_STARTED_BY = 128;
const ARGUMENTS: Readonly<Record<Action, readonly string[]>> = {
  sync: ["from", "to"],
  // There is no argument for a folder: the user's files come from the store.
  export: ["period", "from", "to", "zone", "method", "basis", "currency"],
  verify: ["period"],
};
const HINT = 'for example {"action": "sync"}, or {"action": "export", "period": "us-2025"}';

/** Parses an event. Throws a FillbookError of kind `usage` that says what is wrong. */
export function readEvent(event: unknown): SliceEvent {
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw usageError("the event is not an object", HINT);
  }
  const fields: readonly (readonly [string, unknown])[] = Object.entries(event);
  const action = readAction(Object.fromEntries(fields)["action"]);
  const known = [...COMMON, ...ARGUMENTS[action]];
  const given = argsOf([], Object.fromEntries(fields.map(([name, value]) => [name, [String(value)]])));
  for (const [name, value] of fields) {
    if (!known.includes(name)) {
      const hint = `${action} takes ${known.join(", ")}`;
      throw usageError(`the event has a field "${name}", which ${action} does not know`, hint);
    }
    if (typeof value !== "string" || value === "") {
      const hint = "times are texts, too: 2025-01-01, or 2025-01-01T09:30:00Z";
      throw usageError(`the event's field "${name}" must be a text that is not empty`, hint);
    }
    if (name === "startedBy" && value.length > LONGEST_STARTED_BY) {
      const message = `the event's field "startedBy" is longer than ${LONGEST_STARTED_BY} characters`;
      throw usageError(message, "it is a user's name");
    }
  }
  const whole = action === "sync" && !given.has("from") && !given.has("to");
  return { action, given, account: given.text("account") ?? null, whole };
}

function readAction(action: unknown): Action {
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined) {
    const got = action === undefined ? "no action" : `the action ${JSON.stringify(action)}`;
    throw usageError(`the event has ${got}; it must be one of ${ACTIONS.join(", ")}`, HINT);
  }
  return known;
}
