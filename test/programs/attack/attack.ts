import { EXIT_CODES } from "../../../lambda/core/errors.ts";
import type { Ran } from "../../cli/commands/run.ts";

/** One bad input. It resolves with what was seen, and rejects where its law does not hold. */
export interface Attack {
  readonly name: string;
  readonly run: () => Promise<string>;
}

export interface Group {
  readonly name: string;
  /** The law that each of its attacks is held to. */
  readonly must: string;
  readonly attacks: (draw: Draw) => Promise<readonly Attack[]>;
}

/** How much is drawn, and from what. */
export interface Draw {
  readonly seed: number;
  /** Drawn attacks of each kind; the others are always tried. */
  readonly each: number;
}

/** A token whose every eight characters are unlike any message's. No output may hold it. */
export const CANARY = "eyJhbGciOiJIUzI1NiJ9.Q0FOQVJZY2FuYXJ5Q0FOQVJZ.c2lnbmF0dXJl-CANARY_zz";
const SHORTEST_LEAK = 8;
/** As V8 writes a frame: `at name (file:line:column)`. */
const STACK_FRAME = /^\s+at .+:\d+:\d+\)?$/m;

/** What was seen is against the law. */
export class Broken extends Error {}

export function law(holds: boolean, said: string): void {
  if (!holds) {
    throw new Broken(said);
  }
}

export function equal(seen: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  law(a === b, `${what}: ${shortened(a ?? "")} and not ${shortened(b ?? "")}`);
}

/**
 * A command that was run with `--json` ended in one of these codes, and told a person why: what, where, and
 * what to do. Gives what is on stdout.
 */
export function endedIn(ran: Ran, codes: readonly number[]): Record<string, unknown> {
  const all = ran.stdout + ran.stderr;
  withoutSecret(all);
  law(!STACK_FRAME.test(all), `a stack trace: ${shortened(all)}`);
  law(codes.includes(ran.code), `exit ${ran.code}, not one of ${codes.join(", ")}: ${shortened(ran.stderr)}`);
  const shown = JSON.parse(ran.stdout);
  if (ran.code !== 0) {
    law(
      EXIT_CODES[shown.error?.kind as keyof typeof EXIT_CODES] === ran.code,
      "the JSON's kind is not the exit code's",
    );
    law(isText(shown.error.message) && isText(shown.error.hint), "no message, or no hint");
    law(/^fillbook[ a-z-]*: \S/m.test(ran.stderr), `stderr does not say it: ${shortened(ran.stderr)}`);
  }
  return shown;
}

/** No eight characters of the token in a row. */
export function withoutSecret(text: string): void {
  for (let at = 0; at + SHORTEST_LEAK <= CANARY.length; at += 1) {
    law(!text.includes(CANARY.slice(at, at + SHORTEST_LEAK)), "a part of the token is in the output");
  }
}

export function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** Neither an escape sequence nor a sign that turns the line around. */
export function harmlessOnATerminal(text: string): void {
  const found = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.exec(text.replaceAll(/[\n\t]/g, ""));
  law(found === null, `a control character on the terminal: ${JSON.stringify(found?.[0])}`);
}
