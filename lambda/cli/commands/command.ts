import type { FillbookError } from "../../core/errors.ts";
import type { Components } from "../../job/components.ts";
import type { RunContext } from "../../job/context.ts";
import type { SettingSources, Settings } from "../../job/settings.ts";
import type { NextStep } from "../next-step.ts";

/**
 * A command: what its help says, and what it does. To add one: its file here, its entry in table.ts, and a
 * test of each message that its user can meet.
 */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name: `[--from T] [--to T]`. */
  readonly usage: string;
  /** What it does and prints, a paragraph an element. */
  readonly about: readonly string[];
  /** Takes words after its name; without this, each is refused. */
  readonly takesWords?: true;
  /** What its first word may be, where that is known: for completion in a shell. */
  readonly words?: readonly string[];
  /** Runs with wrong settings too: each has its default, and `given` tells what is wrong. */
  readonly takesWrongSettings?: true;
  /** A common flag that may be given more than once, without its dashes. */
  readonly repeats?: string;
  /** `--account` may also name accounts that are exported together: the command reads it itself. */
  readonly readsAccount?: true;
  /** Flags beside the common ones, without their dashes. */
  readonly options: Readonly<Record<string, CommandOption>>;
  /** One whole line to type. */
  readonly example: string;
  /** Checks the arguments and opens nothing: throws a FillbookError of kind `usage`. */
  readonly plan: (given: Args) => Run;
}

export interface CommandOption {
  /** What the help calls the value; null: a switch. */
  readonly value: string | null;
  readonly help: string;
  /** All values that there are, where they are a closed list: for completion in a shell. */
  readonly values?: readonly string[];
}

/** The command's own arguments, as they were typed. */
export interface Args {
  readonly positionals: readonly string[];
  /** The value of a flag that takes one, or undefined when it was not given. */
  readonly text: (flag: string) => string | undefined;
  /** All values of a flag that may be given more than once. */
  readonly texts: (flag: string) => readonly string[];
  /** Whether a switch was given. */
  readonly has: (flag: string) => boolean;
}

export type Run = (live: CommandContext) => Promise<Outcome>;

/** What a command works with. Nothing is opened before it is asked for. */
export interface CommandContext extends Components {
  readonly settings: Settings;
  /** Absent on Lambda, where nobody types. */
  readonly setup?: Setup;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
  /** A line for people, at once: not a part of the result. */
  readonly say: (line: string) => void;
  readonly job: () => Promise<RunContext>;
  /**
   * Of one of several accounts: with its own token, by {account} in FILLBOOK_TOKEN_SECRET, or else without
   * one.
   */
  readonly jobOf: (account: string) => Promise<RunContext>;
}

/** How the settings came about, for the commands that look at them or write them. */
export interface Setup {
  readonly sources: SettingSources;
  /** The folder of fillbook.json; null: it is not looked for. */
  readonly folder: string | null;
  /** What is wrong with the settings; always empty but for a command that takes wrong settings. */
  readonly problems: readonly FillbookError[];
  /** Live parts by other settings. */
  readonly partsOf: (settings: Settings) => Components;
  /** Null: nobody is there to be asked. */
  readonly ask: Ask | null;
}

export function setupOf({ setup }: CommandContext): Setup {
  if (setup === undefined) {
    throw new RangeError("a command of a terminal was run without one");
  }
  return setup;
}

/** Asks a person a question; resolves to null when there is no more input. */
export type Ask = (question: string) => Promise<string | null>;

/** What a command has to say: one record, printed as JSON or as lines. */
export interface Outcome {
  /** A record to print with `--json`; or `text`, an object's JSON that is printed as the service wrote it. */
  readonly json: Readonly<Record<string, unknown>> | { readonly verbatim: string };
  /** For people, without a newline at their ends. */
  readonly lines: readonly string[];
  /** What a person should act on although nothing failed: a sentence each. */
  readonly warnings?: readonly string[];
  /** Why the result is not all that was asked for: its kind decides the exit code. */
  readonly problem: FillbookError | null;
  /** Shown as the last line where nothing failed, for people alone: not with `--json` or `--quiet`. */
  readonly next?: NextStep;
  /** What goes on when the rest is printed, as a server does until it is stopped. */
  readonly goesOn?: (terminal: Terminal) => Promise<void>;
}

export interface Terminal {
  /** Prints a line for people at once. */
  readonly say: (line: string) => void;
  /** What is said is seen by a person, not kept in a file. */
  readonly isSeen: boolean;
}
