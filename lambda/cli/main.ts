import manifest from "../../package.json" with { type: "json" };
import { allProblems, asFillbookError, EXIT_CODES, type FillbookError } from "../core/errors.ts";
import { createRedactor, visible, visibleJson } from "../core/log.ts";
import type { Components } from "../job/components.ts";
import { type Environment, examineSettings, SCHEMA, type Settings, settingsOfAccount } from "../job/settings.ts";
import { type ParsedArguments, readArguments } from "./arguments.ts";
import type { Ask, Command, CommandContext, Outcome, Run, Setup } from "./commands/command.ts";
import { isCommand } from "./commands/table.ts";
import { helpOn } from "./help.ts";
import { asStarted, overSame } from "./next-step.ts";
import { createPaint, type Paint } from "./paint.ts";
import { isOn, jsonProblem, problemLines, stackOf, withFaultHint } from "./problem-text.ts";
import { jsonText } from "./terminal-text.ts";

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
  readonly hide: (secret: string) => void;
  readonly paint: Paint;
}

/**
 * Runs one command line and resolves to its exit code. `components` replaces real parts in tests. Never
 * rejects.
 */
export async function main(argv: readonly string[], io: Io, components: Partial<Components> = {}): Promise<number> {
  const { hide, redact } = createRedactor();
  hide((io.environment[SCHEMA.token.variable] ?? "").trim());
  const stdout = changed(io.stdout, redact);
  const stderr = changed(io.stderr, (text) => redact(asStarted(text, io.environment)));
  const terminal = { io: { ...io, stdout, stderr }, hide, paint: createPaint(io.stderr, io.environment) };
  try {
    const asked = await readArguments(argv);
    switch (asked.kind) {
      case "help":
        stdout.write(await helpOn(asked.topic, createPaint(io.stdout, io.environment), widthOf(io.stdout)));
        return 0;
      case "nothing":
        stderr.write(await helpOn(null, terminal.paint, widthOf(io.stderr)));
        return EXIT_CODES.usage;
      case "run":
        return await run(asked, terminal, components);
      default:
        stdout.write(`${manifest.version}\n`);
        return 0;
    }
  } catch (thrown) {
    const isJson = argv.includes("--json") || isOn(io.environment[SCHEMA.json.variable]);
    return fail(thrown, argv.find(isCommand), isJson, terminal);
  }
}

type Asked = Extract<ParsedArguments, { kind: "run" }>;

async function run(asked: Asked, outer: Terminal, replaced: Partial<Components>): Promise<number> {
  const { name, command } = asked;
  const { environment, folder, ask } = outer.io;
  const stderr = changed(outer.io.stderr, (text) => overSame(text, asked.flags));
  const terminal = { ...outer, io: { ...outer.io, stderr } };
  const problems: FillbookError[] = [];
  const file = await fileOf(folder).catch((thrown: unknown) => {
    problems.push(asFillbookError(thrown));
    return {};
  });
  const { account: _, ...others } = asked.flags;
  const flags = command.accounts === "owners" ? others : asked.flags;
  const sources = { flags, environment, file };
  const { settings, problems: wrong } = examineSettings(sources);
  problems.push(...wrong);
  try {
    const work = planned(command, asked, problems);
    const setup = { sources, problems, folder, ask };
    return await carryOut(work, { asked, settings, setup, replaced }, terminal);
  } catch (thrown) {
    return fail(thrown, name, settings.json, terminal);
  }
}

async function fileOf(folder: string | null) {
  const { readSettingsFile, settingsIn } = await import("../job/settings-file.ts");
  return settingsIn((folder === null ? null : await readSettingsFile(folder)) ?? {});
}

/**
 * Plans the command. Throws all errors of the arguments and settings together, so that they can be repaired
 * together.
 */
function planned(command: Command, { given }: Asked, problems: readonly FillbookError[]): Run {
  const wrong = command.takesWrongSettings === true ? [] : [...problems];
  let work: Run | null = null;
  try {
    work = command.plan(given);
  } catch (thrown) {
    wrong.push(asFillbookError(thrown));
  }
  const problem = allProblems(wrong);
  if (problem !== null || work === null) {
    throw problem;
  }
  return work;
}

interface Examined {
  readonly asked: Asked;
  readonly settings: Settings;
  readonly setup: Setup;
  readonly replaced: Partial<Components>;
}

async function carryOut(
  work: Run,
  { asked, settings, setup, replaced }: Examined,
  { io, hide, paint }: Terminal,
): Promise<number> {
  const { createComponents, createRunContext } = await import("../job/components.ts");
  const { createProgressView } = await import("./progress.ts");
  const { name, flags } = asked;
  const { json: isJson, quiet } = settings;
  const partsOf = (own: Settings): Components => ({ ...createComponents(own, hide), ...replaced });
  const components = partsOf(settings);
  const progress = createProgressView(io.stderr, components.clock, io.signal);
  const say = (line: string) => io.stderr.write(`${visible(line)}\n`);
  const jobWith = (own: Settings, parts: Components) =>
    createRunContext(own, parts, {
      signal: io.signal,
      // A flag is meant for this run; the environment is for every run.
      alwaysLooksBack: flags["look-back"] !== undefined,
      report: quiet ? () => undefined : progress.report,
    });
  const live: CommandContext = {
    ...components,
    settings,
    setup,
    signal: io.signal,
    say: quiet ? () => undefined : say,
    job: () => jobWith(settings, components),
    jobOf(account) {
      const own = settingsOfAccount(settings, account);
      return jobWith(own, partsOf(own));
    },
  };
  const outcome = await work(live).finally(progress.clear);
  const { problem = null, next } = outcome;
  const lines = () => outcome.lines.map((line) => `${visible(asStarted(overSame(line, flags), io.environment))}\n`);
  io.stdout.write(isJson ? `${jsonOf(outcome, name)}\n` : lines().join(""));
  for (const warning of outcome.warnings ?? []) {
    io.stderr.write(`${paint.warning(`fillbook ${name}: warning:`)} ${visible(warning)}\n`);
  }
  if (problem === null && next !== undefined && !(isJson || quiet)) {
    io.stderr.write(`${paint.next(visible(`Next: ${next[0]}`))}\n  ${visible(next[1])}\n`);
  }
  await outcome.goesOn?.({ say, isSeen: io.stderr.isTTY === true });
  return problem === null ? 0 : told(problem, name, { io, paint });
}

function jsonOf({ json, problem = null }: Outcome, command: string): string {
  const text = "verbatim" in json ? String(json.verbatim).trim() : null;
  return visibleJson(text ?? jsonText(problem === null ? json : { ...json, ...jsonProblem(problem, command) }));
}

/** Reports a failure that happened before there was a result. */
function fail(thrown: unknown, command: string | undefined, isJson: boolean, { io, paint }: Terminal): number {
  const problem = withFaultHint(asFillbookError(thrown));
  if (isJson) {
    io.stdout.write(`${visibleJson(jsonText(jsonProblem(problem, command)))}\n`);
  }
  return told(problem, command, { io, paint });
}

function told(problem: FillbookError, command: string | undefined, { io, paint }: Omit<Terminal, "hide">): number {
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
