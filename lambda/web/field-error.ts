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

/**
 * What a form says of a usage error: with its field, if it has one, and without a hint that says what to type on a
 * command line. Throws every other error again.
 */
export function refusalOf(error: unknown): { readonly field: string | null; readonly problem: Obstacle } {
  if (!(error instanceof FillbookError && error.kind === "usage")) {
    throw error;
  }
  const { message, hint } = error;
  const problem = hint === undefined || hint.includes("--") ? { message } : { message, hint };
  return { field: error instanceof FieldError ? error.field : null, problem };
}
