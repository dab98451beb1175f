import { type Environment, keyOf, SCHEMA, SETTING_NAMES, SETTINGS_FILE } from "../job/settings.ts";
import { COMMAND_GROUPS, COMMANDS, type CommandName } from "./commands/table.ts";
import { createPaint, type Output } from "./problem-text.ts";

/** The topic of the help: a command, the options of all commands, or the program (null). */
export type HelpTopic = CommandName | typeof OPTIONS_TOPIC | null;

/** The word to type after `help`. */
export const OPTIONS_TOPIC = "options";

const EXIT_CODE_LINES = [
  "Exit codes: 0 done; 1 a defect of fillbook; 2 wrong usage or settings; 3 the token was refused;",
  "  4 not complete: what was read is kept, run again; 5 the data cannot be trusted.",
];
const OUTPUT_LINE =
  "The result goes to stdout, as text or, with --json, as one JSON object. Progress and problems go to stderr.";
const TIME_LINE =
  "Times: 2025-01-01 is midnight UTC (in export: the beginning of that day in the pack's zone); a date-time has its offset, such as 2025-01-01T09:30:00+01:00. --to is not included.";

const [LEAST_WIDTH, MOST_WIDTH] = [60, 100];
/** The widest left column; the text of a longer entry goes below it. */
const MOST_LEFT = 30;

/** In the width of the terminal, and with its colours. */
export async function helpOn(topic: HelpTopic, stream: Output, environment: Environment): Promise<string> {
  const lines = topic === OPTIONS_TOPIC ? optionsHelp() : await (topic === null ? programHelp() : commandHelp(topic));
  const paint = createPaint(stream, environment);
  const known = stream.isTTY === true && stream.columns ? stream.columns : MOST_WIDTH;
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, known));
  return lines
    .flatMap((line) => wrapped(line, width))
    .map((line) => `${line.replace(/^[A-Z][\w' ]*:(?= |$)/, (heading) => paint.heading(heading))}\n`)
    .join("");
}

function programHelp(): readonly string[] {
  const groups = Object.entries(COMMAND_GROUPS);
  return [
    "fillbook: every fill once, provably, in files for an accountant",
    "",
    "Usage: fillbook COMMAND [options]",
    "",
    ...groups.flatMap(([heading, commands]) => [`${heading}:`, ...columns(Object.entries(commands)), ""]),
    ...EXIT_CODE_LINES,
    "",
    "Start with: fillbook init",
    "More about one command: fillbook help COMMAND",
    `Options of all commands, and where else they can be set: fillbook help ${OPTIONS_TOPIC}`,
  ];
}

/** The command's own options first: the shared ones are the same everywhere. */
async function commandHelp(name: CommandName): Promise<readonly string[]> {
  const { words = "", options = {}, example, about } = await COMMANDS[name]();
  const own = Object.entries(options).map(([option, help]) => [`--${option}`, help] as const);
  const shared = SETTING_NAMES.flatMap((setting) => SCHEMA[setting].flag ?? []).map((flag) => `--${flag}`);
  return [
    `Usage: ${["fillbook", name, words, "[options]"].filter((part) => part !== "").join(" ")}`,
    "",
    ...(own.length === 0 ? [] : ["Options:", ...columns(own)]),
    `Shared options: ${shared.join(" ")}; see: fillbook help ${OPTIONS_TOPIC}`,
    "",
    `Example: ${example}`,
    "",
    ...about,
    "",
    OUTPUT_LINE,
    ...(Object.hasOwn(options, "from T") ? [TIME_LINE] : []),
    ...EXIT_CODE_LINES,
  ];
}

function optionsHelp(): readonly string[] {
  const all = SETTING_NAMES.map((name) => ({ ...SCHEMA[name], key: keyOf(name) }));
  const flags = all.flatMap(({ flag, value, help, variable, key }) =>
    flag === null ? [] : [[`--${flag} ${value ?? ""}`.trimEnd(), `${help} [${variable}, "${key}"]`] as const],
  );
  const others = all.flatMap(({ flag, variable, help, key }) =>
    flag === null ? [[variable, key === "token" ? help : `${help} ["${key}"]`] as const] : [],
  );
  return [
    "Options of all commands:",
    ...columns([...flags, ["-h, --help", "the help of a command"], ["--version", "the version"]]),
    "",
    "Only from the environment or the file:",
    ...columns(others),
    "",
    `File: every setting except the token can be in ${SETTINGS_FILE} in the working folder, under the name in quotes; fillbook init writes it. A flag overrides the environment, and the environment overrides the file.`,
    "",
    OUTPUT_LINE,
    ...EXIT_CODE_LINES,
  ];
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.min(MOST_LEFT, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

/** Wraps a long line. Further lines are indented to its text, which in a list begins after two spaces. */
function wrapped(line: string, width: number): readonly string[] {
  const hang = (/^ +\S.*? {2,}(?=\S)|^ +|^Usage: /.exec(line)?.[0] ?? "").length;
  const within = line.slice(0, width + 1).lastIndexOf(" ");
  const cut = within > hang ? within : line.indexOf(" ", width + 1); // a word that is too wide is left whole
  if (line.length <= width || cut === -1) {
    return [line];
  }
  return [line.slice(0, cut).trimEnd(), ...wrapped(" ".repeat(hang) + line.slice(cut).trimStart(), width)];
}
