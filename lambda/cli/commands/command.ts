import type { FillbookError } from "../../core/errors.ts";
import type { Components } from "../../job/components.ts";
import type { RunContext, SyncResult } from "../../job/context.ts";
import type { SettingSources, Settings } from "../../job/settings.ts";
import type { NextStep } from "../next-step.ts";

/**
 * A command: its help and its action. To add one, write its file here, its entries in table.ts, and a test of
 * each message that it can print.
 */
export interface Command {
  /** The words that follow the name: `MARKET`, `[MARKET]` (or none), `MARKET…` (or more). Absent: none. */
  readonly words?: string;
  /** What it does and prints; one element a paragraph. */
  readonly about: readonly string[];
  /** Runs even if settings are wrong: each wrong one has its default, and the setup's `problems` name them. */
  readonly takesWrongSettings?: true;
  /**
   * `many`: `--account` may be given more than once. `owners`: it may also name accounts that were exported
   * together; the command reads it itself.
   */
  readonly accounts?: "many" | "owners";
  /** Flags besides the shared ones, and their help. One that takes a value names it: `from T`; others are switches. */
  readonly options?: Readonly<Record<string, string>>;
  /** One complete command line. */
  readonly example: string;
  /** Checks the arguments without opening anything. Throws a FillbookError of kind `usage`. */
  readonly plan: (given: Args) => Run;
}

/** The command's own arguments, as typed. */
export interface Args {
  /** After the command's name. */
  readonly words: readonly string[];
  /** The value of a flag; undefined if it was not given. */
  readonly text: (flag: string) => string | undefined;
  /** All values of a flag that may be given more than once. */
  readonly texts: (flag: string) => readonly string[];
  readonly has: (flag: string) => boolean;
}

/** `values`: of each flag that was given. */
export function argsOf(words: readonly string[], values: Readonly<Record<string, readonly string[]>>): Args {
  const texts = (flag: string) => values[flag] ?? [];
  return { words, texts, text: (flag) => texts(flag)[0], has: (flag) => texts(flag).length > 0 };
}

export type Run = (live: CommandContext) => Promise<Outcome>;

/** What a command works with. Each part is opened when it is first asked for. */
export interface CommandContext extends Components {
  readonly settings: Settings;
  /** Absent on Lambda, where nobody types. */
  readonly setup?: Setup;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
  /** Prints a line for people at once; it is not part of the result. */
  readonly say: (line: string) => void;
  readonly job: () => Promise<RunContext>;
  /**
   * The run context of one of several accounts. It has that account's token if FILLBOOK_TOKEN_SECRET contains
   * {account}, and otherwise none.
   */
  readonly jobOf: (account: string) => Promise<RunContext>;
}

/** How the settings were made, for commands that show or write them. */
export interface Setup {
  readonly sources: SettingSources;
  /** The folder of fillbook.json; null: no file is read. */
  readonly folder: string | null;
  /** What is wrong with the settings; always empty unless the command takes wrong settings. */
  readonly problems: readonly FillbookError[];
  /** Null if nobody can be asked. */
  readonly ask: Ask | null;
}

export function setupOf({ setup }: CommandContext): Setup {
  if (setup === undefined) {
    throw new RangeError("a command of a terminal was run without one");
  }
  return setup;
}

/** Asks a person a question. Resolves to null when there is no more input. */
export type Ask = (question: string) => Promise<string | null>;

/** A command's result: one record, printed as JSON or as lines. */
export interface Outcome {
  /** The record that `--json` prints (jsonText); or `verbatim`, JSON that is printed as the service wrote it. */
  readonly json: Readonly<Record<string, unknown>> | { readonly verbatim: string };
  /** Of a sync. */
  readonly result?: SyncResult;
  /** For people, without line ends. */
  readonly lines: readonly string[];
  /** What a person should act on although nothing failed, one sentence each. */
  readonly warnings?: readonly string[];
  /** Why the result is not all that was requested. Its kind decides the exit code. Absent, or null: it is. */
  readonly problem?: FillbookError | null;
  /**
   * The last lines of a run without failure, or of its start if it goes on; for people only: not with
   * `--json` or `--quiet`.
   */
  readonly next?: NextStep;
  /**
   * Continues after the rest is printed, as a server does until it is stopped. `isSeen`: a person reads the output, and
   * it does not go into a file.
   */
  readonly goesOn?: (terminal: Pick<CommandContext, "say"> & { readonly isSeen: boolean }) => Promise<void>;
}
