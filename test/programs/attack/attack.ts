import { EXIT_CODES } from "../../../lambda/core/errors.ts";
import type { Ran } from "../../cli/commands/run.ts";

/** One bad input. `run` resolves with what was seen, and rejects if the attack breaks its law. */
export interface Attack {
  readonly name: string;
  readonly run: () => Promise<string>;
}

export interface Group {
  readonly name: string;
  /** The law that all of the group's attacks must keep. */
  readonly must: string;
  readonly attacks: (draw: Draw) => Promise<readonly Attack[]>;
}

/** The seed and number of random attacks. */
export interface Draw {
  readonly seed: number;
  /** Number of random attacks of each kind. The fixed attacks are always tried. */
  readonly each: number;
}

/**
 * A token of which no eight successive characters occur in a message. No output may contain eight of them.
 */
export const CANARY = "eyJhbGciOiJIUzI1NiJ9.Q0FOQVJZY2FuYXJ5Q0FOQVJZ.c2lnbmF0dXJl-CANARY_zz";
const SHORTEST_LEAK = 8;
/** V8's form of a stack frame: `at name (file:line:column)`. */
const STACK_FRAME = /^\s+at .+:\d+:\d+\)?$/m;

/** What was seen breaks the law. */
export class Broken extends Error {}

export function law(holds: boolean, said: string): void {
  if (!holds) {
    throw new Broken(said);
  }
}

export function equal(seen: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  law(a === b, `${what}: ${shortened(a ?? "")} instead of ${shortened(b ?? "")}`);
}

/**
 * Requires that a command with `--json` ended with one of these codes. If it failed, it must have told a
 * person what happened, where, and what to do. Returns the object on stdout.
 */
export function endedIn(ran: Ran, codes: readonly number[]): Record<string, unknown> {
  const all = ran.stdout + ran.stderr;
  withoutSecret(all);
  law(!STACK_FRAME.test(all), `a stack trace: ${shortened(all)}`);
  law(codes.includes(ran.code), `exit code ${ran.code} is not one of ${codes.join(", ")}: ${shortened(ran.stderr)}`);
  const shown = JSON.parse(ran.stdout);
  if (ran.code !== 0) {
    law(
      EXIT_CODES[shown.error?.kind as keyof typeof EXIT_CODES] === ran.code,
      "the error's kind does not fit the exit code",
    );
    law(isText(shown.error.message) && isText(shown.error.hint), "the message or the hint is missing");
    law(/^fillbook[ a-z-]*: \S/m.test(ran.stderr), `stderr has no message: ${shortened(ran.stderr)}`);
  }
  return shown;
}

/** Requires that no eight successive characters of the token occur in the text. */
export function withoutSecret(text: string): void {
  for (let at = 0; at + SHORTEST_LEAK <= CANARY.length; at += 1) {
    law(!text.includes(CANARY.slice(at, at + SHORTEST_LEAK)), "the output contains a part of the token");
  }
}

export function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** Requires that the text has no escape sequence and no character that reverses the direction of a line. */
export function harmlessOnATerminal(text: string): void {
  const found = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.exec(text.replaceAll(/[\n\t]/g, ""));
  law(found === null, `the output has a control character: ${JSON.stringify(found?.[0])}`);
}
