import { FillbookError, SeveralProblems } from "../core/errors.ts";
import { visible } from "../core/log.ts";
import { type Environment, SCHEMA } from "../job/settings.ts";
import type { Paint } from "./paint.ts";

/** For `--json`. `command`: undefined if none was understood. */
export function jsonProblem(problem: FillbookError, command: string | undefined): Readonly<Record<string, unknown>> {
  const { kind, hint = null } = problem;
  return { error: { kind, message: messageOf(problem, command), hint } };
}

/** For people: what happened, and below it what to do. Several problems are printed one after another. */
export function problemLines(problem: FillbookError, command: string | undefined, paint: Pick<Paint, "error">): string {
  const speaker = command === undefined ? "fillbook" : `fillbook ${command}`;
  const all = problem instanceof SeveralProblems ? problem.all : [problem];
  return all
    .map((one) => {
      const hint = one.hint === undefined ? "" : `  ${visible(one.hint)}\n`;
      return `${paint.error(`${speaker}:`)} ${visible(messageOf(one, command))}\n${hint}`;
    })
    .join("");
}

/** Removes the endpoint's name from the message if the command has the same name. */
function messageOf({ message }: FillbookError, command: string | undefined): string {
  const name = `${command}: `;
  return message.startsWith(name) ? message.slice(name.length) : message;
}

/** Adds a hint to an unexpected error, which has none of its own. */
export function withFaultHint(problem: FillbookError): FillbookError {
  if (problem.kind !== "fault" || problem.hint !== undefined) {
    return problem;
  }
  return new FillbookError("fault", problem.message, {
    hint: `this error was not expected; ${SCHEMA.debug.variable}=1 shows where it happened`,
    cause: problem.cause ?? problem,
  });
}

/** The stacks of a fault and of its causes, if they were requested. */
export function stackOf(problem: FillbookError, environment: Environment): string {
  if (!isOn(environment[SCHEMA.debug.variable])) {
    return "";
  }
  const stacks: string[] = [];
  let error: unknown = problem;
  while (error instanceof Error && stacks.length < 8) {
    const lines = (error.stack ?? String(error)).split("\n");
    stacks.push(lines.map((line) => `${visible(line)}\n`).join(""));
    error = error.cause;
  }
  return stacks.join("");
}

/** True if a switch is on. A text that means neither on nor off counts as off. */
export function isOn(text: string | undefined): boolean {
  try {
    return text !== undefined && text !== "" && SCHEMA.json.parse(text, "");
  } catch {
    return false;
  }
}
