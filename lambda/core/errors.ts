/**
 * Errors by what the reader does next. Every failure that reaches a person carries a message that says what went wrong and
 * where, and a hint that says what to do. An error that is none of these is a fault of ours.
 */
export type ErrorKind = "fault" | "usage" | "token" | "incomplete" | "untrusted";

export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  fault: 1,
  usage: 2, // wrong usage or settings
  token: 3, // the token was refused
  incomplete: 4, // what was walked is kept: run again
  untrusted: 5, // a hash, a conflict, a re-walk that differs
};

export class FillbookError extends Error {
  override readonly name = "FillbookError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;

  constructor(kind: ErrorKind, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
  }
}

/** The service asks for a longer wait than the run has: nothing is wrong, and a run after `waitMs` goes on. */
export class WaitError extends FillbookError {
  readonly waitMs: number;

  constructor(message: string, { waitMs, ...options }: { waitMs: number; hint: string }) {
    super("incomplete", message, options);
    this.waitMs = waitMs;
  }
}

/**
 * What is asked for is made in one go, and takes longer than the run may last: a run as long would not end it
 * either.
 */
export class TooLongError extends FillbookError {
  /** How many fills it reads; null: it was not counted. */
  readonly fills: number | null;

  constructor(message: string, { fills, ...options }: { fills: number | null; hint: string }) {
    super("incomplete", message, options);
    this.fills = fills;
  }
}

/** Whatever was thrown, as an error with a kind: what is not a FillbookError is a fault. */
export function asFillbookError(thrown: unknown): FillbookError {
  if (thrown instanceof FillbookError) {
    return thrown;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FillbookError("fault", message, { cause: thrown });
}

/** Thrown by a wait or a request that its AbortSignal ended: the run was asked to stop, nothing is wrong. */
export class StoppedError extends FillbookError {
  constructor(reason = "the run was asked to stop") {
    super("incomplete", reason, { hint: "what was walked is kept; run again to go on" });
  }
}
