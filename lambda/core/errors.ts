/**
 * Kinds of errors, by what the reader does next. Every error that a person sees has a message (what went
 * wrong, and where) and a hint (what to do). Any other error is a fault of fillbook.
 */
export type ErrorKind = "fault" | "usage" | "token" | "incomplete" | "untrusted";

export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  fault: 1,
  usage: 2, // wrong usage or settings
  token: 3, // the token was refused
  incomplete: 4, // what was read is kept: run again
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

/** A mistake of the user: what is wrong and where, and what to do. */
export function usageError(message: string, hint: string, cause?: unknown): FillbookError {
  return new FillbookError("usage", message, { hint, cause });
}

/** The service asks for a longer wait than the run has. Nothing is wrong: a run after `waitMs` continues. */
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
  constructor(message: string, options: { hint: string }) {
    super("incomplete", message, options);
  }
}

/** Several problems of one kind, so that they can be mended together: each is said by itself. */
export class SeveralProblems extends FillbookError {
  readonly all: readonly FillbookError[];

  constructor(kind: ErrorKind, all: readonly FillbookError[]) {
    const hints = all.flatMap(({ hint }) => hint ?? []);
    super(kind, all.map(({ message }) => message).join("; "), { hint: hints.join("; "), cause: all[0] });
    this.all = all;
  }
}

/** The problems as one error of the first one's kind, equal ones once; null: there is none. */
export function allProblems(problems: readonly FillbookError[]): FillbookError | null {
  const each = problems.flatMap((one) => (one instanceof SeveralProblems ? one.all : [one]));
  const all = [...new Map(each.map((one) => [one.message, one])).values()];
  const [first, ...others] = all;
  return first === undefined || others.length === 0 ? (first ?? null) : new SeveralProblems(first.kind, all);
}

/** Gives whatever was thrown a kind. Anything but a FillbookError is a fault. */
export function asFillbookError(thrown: unknown): FillbookError {
  if (thrown instanceof FillbookError) {
    return thrown;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FillbookError("fault", message, { cause: thrown });
}

/** Thrown by a wait or a request that its AbortSignal ended. The run was asked to stop; nothing is wrong. */
export class StoppedError extends FillbookError {
  constructor(reason = "the run was asked to stop") {
    super("incomplete", reason, { hint: "what was read is kept; run again to continue" });
  }
}

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new StoppedError();
  }
}
