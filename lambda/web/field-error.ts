import { FillbookError } from "../core/errors.ts";
import type { Obstacle } from "./ports.ts";

/** What is wrong with one field of a form. Its kind is always `usage`. */
export class FieldError extends FillbookError {
  readonly field: string;

  constructor(field: string, { message, hint, cause }: Obstacle & { readonly cause?: unknown }) {
    super("usage", message, { ...(hint === undefined ? {} : { hint }), cause });
    this.field = field;
  }
}

/** Attributes usage errors of `read` to this field. */
export function inField<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof FillbookError && error.kind === "usage" ? new FieldError(field, error) : error;
  }
}

/** Without a hint that says what to type on a command line. */
export function forPeople({ message, hint }: FillbookError): Obstacle {
  return hint === undefined || hint.includes("--") ? { message } : { message, hint };
}
