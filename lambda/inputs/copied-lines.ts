import { FillbookError } from "../core/errors.ts";

interface Line {
  /** ms UTC */
  readonly time: number;
  /** Of the file, from 1. */
  readonly line: number;
}

/**
 * Throws `usage` at the second of two lines of one instant that differ in nothing: one of them was copied. `lines`: by time. `textOf`: all that a line
 * says but its time. `what` it is: `payment`.
 */
export function refuseCopiedLines<T extends Line>(
  name: string,
  lines: readonly T[],
  textOf: (line: T) => string,
  what: string,
): void {
  let time = Number.NaN;
  const numbers = new Map<string, number>();
  for (const one of lines) {
    if (one.time !== time) {
      time = one.time;
      numbers.clear();
    }
    const text = textOf(one);
    const earlier = numbers.get(text);
    if (earlier !== undefined) {
      throw new FillbookError(
        "usage",
        `${name}, line ${one.line}: it is the same ${what} as line ${earlier}, and would count twice`,
        { hint: "take one of them out; if both were made, add them up in one line" },
      );
    }
    numbers.set(text, one.line);
  }
}
