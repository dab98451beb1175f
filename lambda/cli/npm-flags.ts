import { FillbookError } from "../core/errors.ts";
import { shellWord, typedFlag } from "../core/typed-flag.ts";
import { type Environment, SCHEMA } from "../job/settings.ts";
import type { Command } from "./commands/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { isStartedByNpm } from "./next-step.ts";

/**
 * Throws `usage` if npm kept options of the typed command for itself, because `--` was not typed before them:
 * `npm run fillbook sync --dry-run`. npm then sets `npm_config_dry_run`, and the program would run without
 * the option.
 */
export function refuseNpmFlags(argv: readonly string[], environment: Environment): void {
  const word = argv.find((argument) => Object.hasOwn(COMMANDS, argument));
  const command = Object.entries<Command>(COMMANDS).find(([name]) => name === word)?.[1];
  if (word === undefined || command === undefined || !isStartedByNpm(environment)) {
    return;
  }
  const taken = flagsOf(command).flatMap(([flag, placeholder]) => {
    const [positive, isNegated] = flag.startsWith("no-") ? [flag.slice("no-".length), true] : [flag, false];
    const value = environment[`npm_config_${positive.replaceAll("-", "_")}`];
    const isTyped = argv.some((argument) => argument.split("=", 1)[0] === `--${flag}`);
    const isTaken = value !== undefined && (value === "") === isNegated && !isTyped && !OF_NPM.includes(flag);
    return isTaken ? [{ flag, value: placeholder === null ? null : value }] : [];
  });
  if (taken.length > 0) {
    const rest = argv.filter((argument) => argument !== word);
    // One word behind a command that takes none is the value that npm left there.
    const isLeft = command.takesWords !== true && rest.length === 1;
    const [left] = isLeft && taken.filter(({ value }) => value === LEFT).length === 1 ? rest : [];
    const words = left === undefined ? argv.map(shellWord) : [word];
    const flags = taken.map(({ flag, value }) => flagText(flag, value === LEFT ? left : value));
    throw new FillbookError("usage", `npm took ${taken.map(({ flag }) => `--${flag}`).join(", ")} for itself`, {
      hint: `write: npm run -s fillbook -- ${[...words, ...flags].join(" ")}`,
    });
  }
}

/** What npm sets an option to whose value it left among the words. */
const LEFT = "true";

/**
 * npm's own settings, which people keep in their .npmrc, and which npm passes on from an outer run. Without
 * them only what is printed or asked changes. `dry-run` is one too, but a run without it changes things.
 */
const OF_NPM = ["json", "all", "yes"];

/** The options that the command takes, with the names of their values; null: a switch. */
function flagsOf({ options }: Command): readonly (readonly [string, string | null])[] {
  const common = Object.values(SCHEMA).flatMap(({ flag, value }) => (flag === null ? [] : [[flag, value] as const]));
  return [...common, ...Object.entries(options).map(([flag, { value }]) => [flag, value] as const)];
}

/** `value`: null for a switch, undefined if it is not known. */
function flagText(flag: string, value: string | null | undefined): string {
  if (value === null) {
    return `--${flag}`;
  }
  return value === undefined ? `--${flag} …` : typedFlag(flag, value);
}
