import manifest from "../../package.json" with { type: "json" };
import { allProblems, asFillbookError, EXIT_CODES, FillbookError } from "../core/errors.ts";
import { createRedactor, visible, visibleJson } from "../core/log.ts";
import type { Components } from "../job/components.ts";
import {
  type Environment,
  examineSettings,
  type Flags,
  SCHEMA,
  type Settings,
  settingsOfAccount,
} from "../job/settings.ts";
import { type ParsedArguments, readArguments } from "./arguments.ts";
import type { Ask, CommandContext, Outcome } from "./commands/command.ts";
import { type CommandName, isCommand } from "./commands/table.ts";
import { helpOn } from "./help.ts";
import { asTyped } from "./next-step.ts";
import { createPaint, isOn, jsonProblem, type Output, type Paint, problemText } from "./problem-text.ts";
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

/** The terminal of a run. Its streams hide secrets, and have colours if they can. */
interface Terminal {
  readonly io: Io;
  readonly hide: (secret: string) => void;
  readonly paint: Paint;
  /** What is known of the command line so far: messages name the command, and repeat the flags that matter. */
  readonly known: { command: CommandName | undefined; flags: Flags; isJson: boolean };
}

/**
 * Runs one command line and resolves to its exit code. `components` replaces real parts in tests. Never
 * rejects.
 */
export async function main(argv: readonly string[], io: Io, components: Partial<Components> = {}): Promise<number> {
  const { environment } = io;
  const { hide, redact } = createRedactor();
  hide((environment[SCHEMA.token.variable] ?? "").trim());
  const isJson = argv.includes("--json") || isOn(environment[SCHEMA.json.variable]);
  const known: Terminal["known"] = { command: argv.find(isCommand), flags: {}, isJson };
  const stdout = changed(io.stdout, redact);
  const stderr = changed(io.stderr, (text) => redact(asTyped(text, known.flags, environment)));
  const paint = createPaint(io.stderr, environment);
  try {
    const asked = await readArguments(argv);
    switch (asked.kind) {
      case "help":
        stdout.write(await helpOn(asked.topic, io.stdout, environment));
        return 0;
      case "nothing":
        stderr.write(await helpOn(null, io.stderr, environment));
        return EXIT_CODES.usage;
      case "run":
        return await run(asked, { io: { ...io, stdout, stderr }, hide, paint, known }, components);
      default:
        stdout.write(`${manifest.version}\n`);
        return 0;
    }
  } catch (thrown) {
    const problem = asFillbookError(thrown);
    if (known.isJson) {
      stdout.write(`${visibleJson(jsonText(jsonProblem(problem, known.command)))}\n`);
    }
    stderr.write(problemText(problem, known.command, paint, environment));
    return EXIT_CODES[problem.kind];
  }
}

type Asked = Extract<ParsedArguments, { kind: "run" }>;

async function run(asked: Asked, terminal: Terminal, replaced: Partial<Components>): Promise<number> {
  const { name, command } = asked;
  const { environment, folder, ask } = terminal.io;
  const { readSettingsFile, settingsIn } = await import("../job/settings-file.ts");
  const problems: FillbookError[] = [];
  const read = async () => settingsIn((folder === null ? null : await readSettingsFile(folder)) ?? {});
  const file = await read().catch((thrown: unknown) => {
    problems.push(asFillbookError(thrown));
    return {};
  });
  const flags = command.accounts === "owners" ? { ...asked.flags, account: undefined } : asked.flags;
  const sources = { flags, environment, file };
  const { settings, problems: wrong } = examineSettings(sources);
  Object.assign(terminal.known, { command: name, flags: asked.flags, isJson: settings.json });
  problems.push(...wrong);
  const work = await (async () => command.plan(asked.given))().catch(asFillbookError);
  const wrongs = command.takesWrongSettings === true ? [] : problems;
  const problem = allProblems(work instanceof FillbookError ? [...wrongs, work] : wrongs);
  if (problem !== null || work instanceof FillbookError) {
    throw problem; // all errors of the arguments and settings together, so that they can be repaired together
  }
  const { createComponents, createRunContext } = await import("../job/components.ts");
  const { createProgressView } = await import("./progress.ts");
  const { stderr, signal } = terminal.io;
  const partsOf = (own: Settings): Components => ({ ...createComponents(own, terminal.hide), ...replaced });
  const components = partsOf(settings);
  const progress = createProgressView(stderr, components.clock, signal);
  const say = (line: string) => stderr.write(`${visible(line)}\n`);
  const jobWith = (own: Settings, parts: Components) =>
    createRunContext(own, parts, {
      signal,
      // A flag is meant for this run; the environment is for every run.
      alwaysLooksBack: asked.flags["look-back"] !== undefined,
      report: settings.quiet ? () => undefined : progress.report,
    });
  const live: CommandContext = {
    ...components,
    ...{ settings, setup: { sources, problems, folder, ask }, signal },
    say: settings.quiet ? () => undefined : say,
    job: () => jobWith(settings, components),
    jobOf(account) {
      const own = settingsOfAccount(settings, account);
      return jobWith(own, partsOf(own));
    },
  };
  const outcome = await work(live).finally(progress.clear);
  tell(outcome, asked, settings, terminal);
  await outcome.goesOn?.({ say, isSeen: stderr.isTTY === true });
  if (outcome.problem === undefined || outcome.problem === null) {
    return 0;
  }
  stderr.write(problemText(outcome.problem, name, terminal.paint, environment));
  return EXIT_CODES[outcome.problem.kind];
}

function tell(
  { json, lines, warnings = [], problem = null, next }: Outcome,
  { name, flags }: Asked,
  { json: isJson, quiet }: Settings,
  { io, paint }: Terminal,
): void {
  if (isJson) {
    const record = problem === null ? json : { ...json, ...jsonProblem(problem, name) };
    io.stdout.write(`${visibleJson("verbatim" in json ? String(json["verbatim"]).trim() : jsonText(record))}\n`);
  } else {
    const shown = lines.map((line) => `${visible(asTyped(line, flags, io.environment))}\n`);
    io.stdout.write(shown.join(""));
  }
  for (const warning of warnings) {
    io.stderr.write(`${paint.warning(`fillbook ${name}: warning:`)} ${visible(warning)}\n`);
  }
  if (problem === null && next !== undefined && !(isJson || quiet)) {
    io.stderr.write(`${paint.next(visible(`Next: ${next[0]}`))}\n  ${visible(next[1])}\n`);
  }
}

/** The same stream, whose width and kind are read each time, because a window can be resized. */
function changed(output: Output, change: (text: string) => string): Output {
  return Object.create(output, { write: { value: (text: string) => output.write(change(text)) } });
}
