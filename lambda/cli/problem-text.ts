import { type FillbookError, SeveralProblems } from "../core/errors.ts";
import { visible } from "../core/log.ts";
import { type Environment, SCHEMA } from "../job/settings.ts";

/** For `--json`. `command`: undefined if none was understood. */
export function jsonProblem(problem: FillbookError, command: string | undefined): Readonly<Record<string, unknown>> {
  return { error: { kind: problem.kind, message: messageOf(problem, command), hint: hintOf(problem) } };
}

/**
 * For people: what happened, and below it what to do. Several problems are printed one after another. The stacks of a
 * fault and of its causes follow if they were requested.
 */
export function problemText(
  problem: FillbookError,
  command: string | undefined,
  paint: Pick<Paint, "error">,
  environment: Environment,
): string {
  const speaker = paint.error(command === undefined ? "fillbook:" : `fillbook ${command}:`);
  const all = problem instanceof SeveralProblems ? problem.all : [problem];
  const lines = all.flatMap((one) => [
    `${speaker} ${visible(messageOf(one, command))}`,
    ...(hintOf(one) === null ? [] : [`  ${visible(hintOf(one) ?? "")}`]),
  ]);
  let error: unknown = isOn(environment[SCHEMA.debug.variable]) ? problem : null;
  for (let depth = 0; error instanceof Error && depth < 8; depth += 1) {
    lines.push(...(error.stack ?? String(error)).split("\n").map(visible));
    error = error.cause;
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Removes the endpoint's name from the message if the command has the same name. */
function messageOf({ message }: FillbookError, command: string | undefined): string {
  const name = `${command}: `;
  return message.startsWith(name) ? message.slice(name.length) : message;
}

/** An unexpected error has no hint of its own. */
function hintOf({ kind, hint }: FillbookError): string | null {
  const fault = `this error was not expected; ${SCHEMA.debug.variable}=1 shows where it happened`;
  return hint ?? (kind === "fault" ? fault : null);
}

/** True if a switch is on. A text that means neither on nor off counts as off. */
export function isOn(text: string | undefined): boolean {
  try {
    return text !== undefined && text !== "" && SCHEMA.json.parse(text, "");
  } catch {
    return false;
  }
}

export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Colours for one stream. The texts must already be safe to print. */
export type Paint = Readonly<Record<"heading" | "warning" | "error" | "next", (text: string) => string>>;

/** Select Graphic Rendition, ECMA-48 8.3.117. */
const [BOLD, RED, YELLOW, CYAN] = [1, 31, 33, 36];

/**
 * Uses colour on a terminal, unless it cannot show colour (TERM=dumb) or NO_COLOR is set to anything
 * (https://no-color.org).
 */
export function createPaint(stream: Pick<Output, "isTTY">, environment: Environment): Paint {
  const isPlain = stream.isTTY !== true || (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  const painted = (code: number) => (text: string) => (isPlain ? text : `\u001b[${code}m${text}\u001b[0m`);
  return { heading: painted(BOLD), warning: painted(YELLOW), error: painted(RED), next: painted(CYAN) };
}
