import manifest from "../../package.json" with { type: "json" };
import { asFillbookError, EXIT_CODES, FillbookError } from "../core/errors.ts";
import { createRedactor, type Redactor, visible, visibleJson } from "../core/log.ts";
import { type Components, createComponents, createRunContext } from "../job/components.ts";
import { type Environment, readSettings, SCHEMA, type Settings, settingsOfAccount } from "../job/settings.ts";
import { type ParsedArguments, readArguments } from "./arguments.ts";
import type { Command, CommandContext, Outcome } from "./commands/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { commandHelp, programHelp } from "./help.ts";
import { createProgressView } from "./progress.ts";

/** What the program touches outside itself: two streams, the environment, and the wish to stop. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

export interface Output {
  readonly write: (text: string) => void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Runs one command line and resolves to its exit code. `components` replaces real parts, for tests. Never rejects. */
export async function main(argv: readonly string[], io: Io, components: Partial<Components> = {}): Promise<number> {
  const redactor = createRedactor();
  redactor.hide((io.environment[SCHEMA.token.variable] ?? "").trim());
  const clean: Io = { ...io, stdout: redacting(io.stdout, redactor), stderr: redacting(io.stderr, redactor) };
  try {
    const asked = readArguments(argv);
    switch (asked.kind) {
      case "help":
        clean.stdout.write(asked.command === null ? programHelp() : commandHelp(asked.command));
        return 0;
      case "version":
        clean.stdout.write(`${manifest.version}\n`);
        return 0;
      case "nothing":
        clean.stderr.write(programHelp());
        return EXIT_CODES.usage;
      case "run":
        return await run(asked, clean, redactor, components);
    }
  } catch (thrown) {
    return fail(thrown, argv, clean);
  }
}

async function run(
  asked: Extract<ParsedArguments, { kind: "run" }>,
  io: Io,
  redactor: Redactor,
  replaced: Partial<Components>,
): Promise<number> {
  const command: Command = COMMANDS[asked.command];
  const settings = readSettings(io.environment, asked.flags);
  const work = command.plan(asked.given);
  const components = { ...createComponents(settings, (token) => redactor.hide(token)), ...replaced };
  const progress = createProgressView(io.stderr, components.clock, io.signal);
  const say = (line: string) => io.stderr.write(`${visible(line)}\n`);
  const jobWith = (own: Settings, parts: Components) =>
    createRunContext(own, parts, {
      signal: io.signal,
      // A flag is meant for this run, the environment for any.
      alwaysLooksBack: asked.flags.lookBackMs !== undefined,
      report: settings.quiet ? () => undefined : progress.report,
    });
  const live: CommandContext = {
    ...components,
    settings,
    signal: io.signal,
    say: settings.quiet ? () => undefined : say,
    job: () => jobWith(settings, components),
    jobOf(account) {
      const own = settingsOfAccount(settings, account);
      return jobWith(own, { ...createComponents(own, (token) => redactor.hide(token)), ...replaced });
    },
  };
  const outcome = await work(live).finally(progress.clear);
  const { problem } = outcome;
  io.stdout.write(settings.json ? `${jsonOf(outcome)}\n` : outcome.lines.map((line) => `${visible(line)}\n`).join(""));
  for (const warning of outcome.warnings ?? []) {
    io.stderr.write(`fillbook ${asked.command}: warning: ${visible(warning)}\n`);
  }
  await outcome.goesOn?.({
    say,
    isSeen: io.stderr.isTTY === true,
  });
  if (problem === null) {
    return 0;
  }
  io.stderr.write(problemLines(problem, asked.command));
  io.stderr.write(stackOf(problem, io.environment));
  return EXIT_CODES[problem.kind];
}

function jsonOf({ json, problem }: Outcome): string {
  if ("verbatim" in json) {
    return visibleJson(String(json.verbatim).trim());
  }
  return visibleJson(JSON.stringify(problem === null ? json : { ...json, ...jsonProblem(problem) }));
}

function jsonProblem(problem: FillbookError): Readonly<Record<string, unknown>> {
  return { error: { kind: problem.kind, message: problem.message, hint: problem.hint ?? null } };
}

/** A failure before there was a result: perhaps before the settings were read, so `--json` is looked for in what was typed. */
function fail(thrown: unknown, argv: readonly string[], io: Io): number {
  const problem = withFaultHint(asFillbookError(thrown));
  const [word] = argv.filter((argument) => Object.hasOwn(COMMANDS, argument));
  if (argv.includes("--json") || isOn(io.environment[SCHEMA.json.variable])) {
    io.stdout.write(`${visibleJson(JSON.stringify(jsonProblem(problem)))}\n`);
  }
  io.stderr.write(problemLines(problem, word));
  io.stderr.write(stackOf(problem, io.environment));
  return EXIT_CODES[problem.kind];
}

/** An unexpected error has no hint of its own. */
function withFaultHint(problem: FillbookError): FillbookError {
  if (problem.kind !== "fault" || problem.hint !== undefined) {
    return problem;
  }
  return new FillbookError("fault", problem.message, {
    hint: `this was not expected; ${SCHEMA.debug.variable}=1 shows where it happened`,
    cause: problem.cause ?? problem,
  });
}

function problemLines(problem: FillbookError, command: string | undefined): string {
  const program = command === undefined ? "fillbook" : `fillbook ${command}`;
  const hint = problem.hint === undefined ? "" : `  ${visible(problem.hint)}\n`;
  return `${program}: ${visible(problem.message)}\n${hint}`;
}

/** The stacks of a fault and of what caused it, when they are asked for. */
function stackOf(problem: FillbookError, environment: Environment): string {
  if (!isOn(environment[SCHEMA.debug.variable])) {
    return "";
  }
  const stacks: string[] = [];
  let error: unknown = problem;
  while (error instanceof Error && stacks.length < 8) {
    const lines = (error.stack ?? String(error)).split("\n");
    stacks.push(lines.map((line) => `${visible(line)}\n`).join(""));
    error = error.cause;
  }
  return stacks.join("");
}

function isOn(text: string | undefined): boolean {
  try {
    return text !== undefined && text !== "" && SCHEMA.json.parse(text, "");
  } catch {
    return false;
  }
}

function redacting(output: Output, redactor: Redactor): Output {
  return {
    write: (text) => output.write(redactor.redact(text)),
    // asked each time: a window can be resized
    get isTTY() {
      return output.isTTY === true;
    },
    get columns() {
      return output.columns ?? 0;
    },
  };
}
