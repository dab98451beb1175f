import { FillbookError } from "../core/errors.ts";
import type { Row } from "./cells.ts";

interface Line {
  /** ms UTC */
  readonly time: number;
  /** The line in the file, from 1. */
  readonly line: number;
}

/**
 * Throws `usage` at the second of two equal lines of one instant, because one of them was copied. `lines`: by
 * time. `textOf`: everything in a line but its time. `what`: the kind of line, as `payment`.
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
        `${name}, line ${one.line}: this is the same ${what} as line ${earlier}, so it would count twice`,
        { hint: "remove one of them; if there really were two, add them up in one line" },
      );
    }
    numbers.set(text, one.line);
  }
}

/**
 * Throws `usage` at the second line with the same key. `text` names the key for people. `what` says what a
 * line does: `gives the price of`.
 */
export function oncePerKey(
  what: string,
): (row: Pick<Row<string>, "where" | "line">, key: string, text: string) => void {
  const lines = new Map<string, number>();
  return ({ where, line }, key, text) => {
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw new FillbookError("usage", `${where}: line ${earlier} already ${what} ${text}`, {
        hint: "keep one of the two lines",
      });
    }
    lines.set(key, line);
  };
}
