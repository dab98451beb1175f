import manifest from "../../package.json" with { type: "json" };
import { allProblems, asFillbookError, EXIT_CODES, type FillbookError } from "../core/errors.ts";
import { createRedactor, type Redactor, visible, visibleJson } from "../core/log.ts";
import type { Components } from "../job/components.ts";
import {
  type Environment,
  examineSettings,
  type FileValues,
  SCHEMA,
  type Settings,
  settingsOfAccount,
} from "../job/settings.ts";
import { type ParsedArguments, readArguments } from "./arguments.ts";
import type { Ask, Command, CommandContext, Outcome, Run, Setup } from "./commands/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { helpOn } from "./help.ts";
import { asStarted, overSame } from "./next-step.ts";
import { createPaint, type Paint } from "./paint.ts";
import { isOn, jsonProblem, problemLines, stackOf, withFaultHint } from "./problem-text.ts";

/**
 * Everything outside itself that the program touches: streams, the environment, the working folder, and the
 * signal to stop.
 */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Null if nobody can be asked. */
  readonly ask: Ask | null;
  readonly environment: Environment;
  /** The folder of fillbook.json; null: no file is read. */
  readonly folder: string | null;
  readonly signal: AbortSignal;
}

export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The terminal of a run. Its streams hide secrets, and have colours if they can. */
interface Terminal {
  readonly io: Io;
  readonly redactor: Redactor;
  readonly paint: Paint;
}

/**
 * Runs one command line and resolves to its exit code. `components` replaces real parts in tests. Never
 * rejects.
 */
export async function main(argv: readonly string[], io: Io, components: Partial<Components> = {}): Promise<number> {
  const redactor = createRedactor();
  redactor.hide((io.environment[SCHEMA.token.variable] ?? "").trim());
  const clean: Io = {
    ...io,
    stdout: changed(io.stdout, redactor.redact),
    stderr: changed(io.stderr, (text) => redactor.redact(asStarted(text, io.environment))),
  };
  const terminal = { io: clean, redactor, paint: createPaint(io.stderr, io.environment) };
  try {
    const asked = await readArguments(argv);
    switch (asked.kind) {
      case "help":
        clean.stdout.write(await helpOn(asked.topic, createPaint(io.stdout, io.environment), widthOf(io.stdout)));
        return 0;
      case "version":
        clean.stdout.write(`${manifest.version}\n`);
        return 0;
      case "nothing":
        clean.stderr.write(await helpOn(null, terminal.paint, widthOf(io.stderr)));
        return EXIT_CODES.usage;
      case "run":
        return await run(asked, terminal, components);
    }
  } catch (thrown) {
    const [word] = argv.filter((argument) => Object.hasOwn(COMMANDS, argument));
    const isJson = argv.includes("--json") || isOn(io.environment[SCHEMA.json.variable]);
    return fail(thrown, word, isJson, terminal);
  }
}

type Asked = Extract<ParsedArguments, { kind: "run" }>;

async function run(asked: Asked, outer: Terminal, replaced: Partial<Components>): Promise<number> {
  const stderr = changed(outer.io.stderr, (text) => overSame(text, asked.flags));
  const terminal = { ...outer, io: { ...outer.io, stderr } };
  const { io } = terminal;
  const { name, command } = asked;
  const { values, problem: fileProblem } = await fileOf(io.folder);
  const { account: _, ...others } = asked.flags;
  const flags = command.readsAccount === true ? others : asked.flags;
  const sources = { flags, environment: io.environment, file: values };
  const examined = examineSettings(sources);
  const { settings } = examined;
  try {
    const problems = [...(fileProblem === null ? [] : [fileProblem]), ...examined.problems];
    const work = planned(command, asked, problems);
    const setup = { sources, problems, folder: io.folder, ask: io.ask };
    return await carryOut(work, { asked, settings, setup }, terminal, replaced);
  } catch (thrown) {
    return fail(thrown, name, settings.json, terminal);
  }
}

/**
 * Plans the command. Throws all errors of the arguments and settings together, so that they can be repaired
 * together.
 */
function planned(command: Command, { given }: Asked, problems: readonly FillbookError[]): Run {
  const wrong = command.takesWrongSettings === true ? [] : problems;
  let work: Run | null = null;
  let unusable: readonly FillbookError[] = [];
  try {
    work = command.plan(given);
  } catch (thrown) {
    unusable = [asFillbookError(thrown)];
  }
  const problem = allProblems([...wrong, ...unusable]);
  if (problem !== null || work === null) {
    throw problem;
  }
  return work;
}

async function fileOf(
  folder: string | null,
): Promise<{ readonly values: FileValues; readonly problem: FillbookError | null }> {
  try {
    const { readSettingsFile, settingsIn } = await import("../job/settings-file.ts");
    const object = folder === null ? null : await readSettingsFile(folder);
    return { values: object === null ? {} : settingsIn(object), problem: null };
  } catch (thrown) {
    return { values: {}, problem: asFillbookError(thrown) };
  }
}

interface Examined {
  readonly asked: Asked;
  readonly settings: Settings;
  readonly setup: Omit<Setup, "partsOf">;
}

async function carryOut(
  work: Run,
  { asked, settings, setup }: Examined,
  { io, redactor, paint }: Terminal,
  replaced: Partial<Components>,
): Promise<number> {
  const { createComponents, createRunContext } = await import("../job/components.ts");
  const { createProgressView } = await import("./progress.ts");
  const partsOf = (own: Settings) => ({ ...createComponents(own, (token) => redactor.hide(token)), ...replaced });
  const components = partsOf(settings);
  const progress = createProgressView(io.stderr, components.clock, io.signal);
  const say = (line: string) => io.stderr.write(`${visible(line)}\n`);
  const jobWith = (own: Settings, parts: Components) =>
    createRunContext(own, parts, {
      signal: io.signal,
      // A flag is meant for this run; the environment is for every run.
      alwaysLooksBack: asked.flags.lookBackMs !== undefined,
      report: settings.quiet ? () => undefined : progress.report,
    });
  const live: CommandContext = {
    ...components,
    settings,
    setup: { ...setup, partsOf },
    signal: io.signal,
    say: settings.quiet ? () => undefined : say,
    job: () => jobWith(settings, components),
    jobOf(account) {
      const own = settingsOfAccount(settings, account);
      return jobWith(own, partsOf(own));
    },
  };
  const outcome = await work(live).finally(progress.clear);
  const { problem } = outcome;
  const lines = () =>
    outcome.lines.map((line) => `${visible(asStarted(overSame(line, asked.flags), io.environment))}\n`).join("");
  io.stdout.write(settings.json ? `${jsonOf(outcome, asked.name)}\n` : lines());
  for (const warning of outcome.warnings ?? []) {
    io.stderr.write(`${paint.warning(`fillbook ${asked.name}: warning:`)} ${visible(warning)}\n`);
  }
  if (problem === null && outcome.next !== undefined && !settings.json && !settings.quiet) {
    const [what, note] = outcome.next;
    io.stderr.write(`${paint.next(visible(`Next: ${what}`))}\n  ${visible(note)}\n`);
  }
  await outcome.goesOn?.({
    say,
    isSeen: io.stderr.isTTY === true,
  });
  if (problem === null) {
    return 0;
  }
  io.stderr.write(problemLines(problem, asked.name, paint));
  io.stderr.write(stackOf(problem, io.environment));
  return EXIT_CODES[problem.kind];
}

function jsonOf({ json, problem }: Outcome, command: string): string {
  if ("verbatim" in json) {
    return visibleJson(String(json.verbatim).trim());
  }
  return visibleJson(JSON.stringify(problem === null ? json : { ...json, ...jsonProblem(problem, command) }));
}

/** Reports a failure that happened before there was a result. */
function fail(thrown: unknown, command: string | undefined, isJson: boolean, { io, paint }: Terminal): number {
  const problem = withFaultHint(asFillbookError(thrown));
  if (isJson) {
    io.stdout.write(`${visibleJson(JSON.stringify(jsonProblem(problem, command)))}\n`);
  }
  io.stderr.write(problemLines(problem, command, paint));
  io.stderr.write(stackOf(problem, io.environment));
  return EXIT_CODES[problem.kind];
}

function widthOf({ isTTY, columns }: Output): number | null {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : null;
}

function changed(output: Output, change: (text: string) => string): Output {
  return {
    write: (text) => output.write(change(text)),
    // read each time, because a window can be resized
    get isTTY() {
      return output.isTTY === true;
    },
    get columns() {
      return output.columns ?? 0;
    },
  };
}
