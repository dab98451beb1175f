import { SCHEMA } from "../job/settings.ts";
import { COMMANDS, type CommandName } from "./commands/table.ts";

const EXIT_CODE_LINES = [
  "Exit codes: 0 done; 1 a fault of fillbook; 2 wrong usage or settings; 3 the token was refused;",
  "  4 not complete: what was walked is kept, run again; 5 the data cannot be trusted.",
];

const OUTPUT_LINES = [
  "The result goes to stdout: lines for people, or with --json one JSON object. Progress and what went wrong go to stderr.",
];

const TIME_LINES = [
  "Times: 2025-01-01 is midnight UTC (in export: the beginning of that day in the pack's zone); a date-time carries its offset, as 2025-01-01T09:30:00+01:00. Ranges end before --to.",
];

/** The help of the program. */
export function programHelp(): string {
  const names = Object.entries(COMMANDS).map(([name, command]) => [name, command.summary] as const);
  return text([
    "fillbook: every fill once, provably, in files that an accountant can use",
    "",
    "Usage: fillbook COMMAND [options]",
    "",
    "Commands:",
    ...columns(names),
    "",
    "Options of all commands:",
    ...columns(commonOptions()),
    "",
    "Environment:",
    ...columns(environmentOnly()),
    "",
    ...OUTPUT_LINES,
    ...TIME_LINES,
    ...EXIT_CODE_LINES,
    "",
    "Example: fillbook sync --account-url https://account.example.com",
    "More about one command: fillbook help COMMAND",
  ]);
}

/** The help of one command. */
export function commandHelp(name: CommandName): string {
  const command = COMMANDS[name];
  const own = Object.entries(command.options).map(([flag, { value, help }]) => [flagText(flag, value), help] as const);
  return text([
    `Usage: fillbook ${`${name} ${command.usage}`.trimEnd()} [options]`,
    "",
    ...command.about,
    "",
    ...(own.length === 0 ? [] : ["Options:", ...columns(own), ""]),
    "Options of all commands:",
    ...columns(commonOptions()),
    "",
    ...OUTPUT_LINES,
    ...(Object.hasOwn(command.options, "from") ? TIME_LINES : []),
    ...EXIT_CODE_LINES,
    "",
    `Example: ${command.example}`,
  ]);
}

function commonOptions(): readonly (readonly [string, string])[] {
  const settings = Object.values(SCHEMA).flatMap((one) =>
    one.flag === null ? [] : [[flagText(one.flag, one.value), `${one.help} [${one.variable}]`] as const],
  );
  return [...settings, ["-h, --help", "this text"], ["--version", "the version"]];
}

function environmentOnly(): readonly (readonly [string, string])[] {
  return Object.values(SCHEMA).flatMap((one) => (one.flag === null ? [[one.variable, one.help] as const] : []));
}

function flagText(flag: string, value: string | null): string {
  return value === null ? `--${flag}` : `--${flag} ${value}`;
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
