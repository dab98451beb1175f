import { parseArgs } from "node:util";
import { FillbookError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import { type Flags, SCHEMA, type SettingName } from "../job/settings.ts";
import type { Args, Command } from "./commands/command.ts";
import { COMMANDS, type CommandName, NAMES } from "./commands/table.ts";
import { type HelpTopic, OPTIONS_TOPIC } from "./help.ts";

/** The parsed command line. `flags` are the common options, for readSettings. */
export type ParsedArguments =
  | { readonly kind: "help"; readonly topic: HelpTopic }
  | { readonly kind: "version" }
  | { readonly kind: "nothing" }
  | {
      readonly kind: "run";
      readonly name: CommandName;
      readonly command: Command;
      readonly given: Args;
      readonly flags: Flags;
    };

/** The flags of settings, which every command accepts. */
const COMMON: ReadonlyMap<string, { readonly name: SettingName; readonly switched: boolean }> = new Map(
  Object.entries(SCHEMA).flatMap(([name, one]) =>
    one.flag === null ? [] : [[one.flag, { name: name as SettingName, switched: one.value === null }] as const],
  ),
);
const ALWAYS = ["help", "version"];
const SECRET_FLAGS = ["token", "access-token", "bearer", "token-secret"];

/** Reads the command line. Rejects with a FillbookError of kind `usage` whose hint says what to type. */
export async function readArguments(argv: readonly string[]): Promise<ParsedArguments> {
  const options = parserOptions(await commandsIn(argv));
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const flags = tokens.filter((token) => token.kind === "option");
  const [word, ...rest] = words;
  if (flags.some((flag) => flag.name === "version")) {
    return { kind: "version" };
  }
  const helped = flags.some((flag) => flag.name === "help");
  if (word === "help" || (helped && word === undefined)) {
    return { kind: "help", topic: helpTopic(rest[0]) };
  }
  if (word !== undefined && helped) {
    return { kind: "help", topic: commandName(word) };
  }
  if (word === undefined) {
    await checkedFlags(flags, null);
    return { kind: "nothing" };
  }
  const name = commandName(word);
  const command: Command = await COMMANDS[name].load();
  const values = await checkedFlags(flags, { name, command });
  await refuseStrayWords(rest, { name, command });
  return { kind: "run", name, command, given: givenTo(rest, values), flags: commonOf(values) };
}

/** The commands whose flags may be meant. Where flags come first, that is any command. */
async function commandsIn(argv: readonly string[]): Promise<readonly Command[]> {
  const [first = ""] = argv;
  const isAny = first.startsWith("-") && argv.some((one) => Object.hasOwn(COMMANDS, one));
  const names = NAMES.filter((name) => isAny || name === first);
  return await Promise.all(names.map((name) => COMMANDS[name].load()));
}

interface Named {
  readonly name: CommandName;
  readonly command: Command;
}

function helpTopic(word: string | undefined): HelpTopic {
  return word === undefined || word === OPTIONS_TOPIC ? (word ?? null) : commandName(word);
}

async function refuseStrayWords([extra]: readonly string[], { name, command }: Named): Promise<void> {
  if (extra !== undefined && command.takesWords !== true) {
    const { nameOfTyped } = await import("../core/period-name.ts");
    const withPeriod = Object.hasOwn(command.options, "period") ? name : "export";
    throw new FillbookError("usage", `unexpected argument "${extra}": ${name} takes only options`, {
      hint:
        nameOfTyped(extra) === null
          ? `see how it is used with: fillbook ${name} --help`
          : `did you mean: fillbook ${withPeriod} --period ${extra}`,
    });
  }
}

function commandName(word: string): CommandName {
  if (Object.hasOwn(COMMANDS, word)) {
    return word as CommandName; // the table's keys are the names
  }
  const near = nearest(word, Object.keys(COMMANDS));
  throw new FillbookError("usage", `there is no command "${word}"`, {
    hint: near === undefined ? "list the commands with: fillbook --help" : `did you mean: fillbook ${near}`,
  });
}

interface Flag {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** Values by flag, in the order in which they were typed. */
type Values = ReadonlyMap<string, readonly (string | true)[]>;

async function checkedFlags(flags: readonly Flag[], named: Named | null): Promise<Values> {
  const { options: own = {}, repeats }: Partial<Command> = named?.command ?? {};
  const values = new Map<string, readonly (string | true)[]>();
  for (const flag of flags) {
    const switched =
      COMMON.get(flag.name)?.switched ?? (Object.hasOwn(own, flag.name) ? own[flag.name]?.value === null : undefined);
    if (switched === undefined) {
      throw await unknownFlag(flag, named);
    }
    const before = values.get(flag.name) ?? [];
    if (before.length > 0 && flag.name !== repeats) {
      throw new FillbookError("usage", `--${flag.name} is given twice`, { hint: "keep one of them" });
    }
    values.set(flag.name, [...before, switched ? switchValue(flag) : textValue(flag)]);
  }
  return values;
}

function switchValue(flag: Flag): true {
  if (flag.value === undefined) {
    return true;
  }
  throw new FillbookError("usage", `--${flag.name} is a switch and takes no value`, {
    hint: `write --${flag.name} alone, or leave it out`,
  });
}

function textValue(flag: Flag): string {
  if (flag.value === undefined) {
    throw new FillbookError("usage", `--${flag.name} needs a value after it`, { hint: `write: --${flag.name} VALUE` });
  }
  if (flag.inlineValue !== true && flag.value.startsWith("-")) {
    throw new FillbookError(
      "usage",
      `--${flag.name} needs a value, and ${flagPart(flag.value)} after it looks like another option`,
      {
        hint: `if it is the value, write: --${flag.name}=VALUE`,
      },
    );
  }
  return flag.value;
}

/** A flag as typed, without its `=` and the value, which may be a secret. */
function flagPart(typed: string): string {
  return typed.split("=", 1)[0] ?? "";
}

async function unknownFlag(flag: Flag, named: Named | null): Promise<FillbookError> {
  if (SECRET_FLAGS.includes(flag.name)) {
    return new FillbookError(
      "usage",
      `${flagPart(flag.rawName)} is not an option: ps shows the flags of a program to every user of the machine`,
      {
        hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret; replace a token that was typed on a command line",
      },
    );
  }
  const all = await Promise.all(NAMES.map(async (name) => ({ name, ...(await COMMANDS[name].load()) })));
  const owners = all.flatMap(({ name, options }) => (Object.hasOwn(options, flag.name) ? [name] : []));
  const command = named?.name ?? null;
  if (command !== null && owners.length > 0) {
    return new FillbookError("usage", `--${flag.name} is no option of ${command}: it belongs to ${owners.join(", ")}`, {
      hint: `see the options with: fillbook ${command} --help`,
    });
  }
  const own = Object.keys(named?.command.options ?? {});
  const near = nearest(flag.name, [...own, ...COMMON.keys(), ...ALWAYS]);
  return new FillbookError("usage", `there is no option ${flagPart(flag.rawName)}`, {
    hint:
      near === undefined
        ? `see the options with: fillbook ${command ?? ""} --help`.replace("  ", " ")
        : `did you mean --${near}?`,
  });
}

function givenTo(positionals: readonly string[], values: Values): Args {
  const texts = (flag: string) => (values.get(flag) ?? []).filter((value) => value !== true);
  return {
    positionals,
    texts,
    text: (flag) => texts(flag)[0],
    has: (flag) => values.has(flag),
  };
}

function commonOf(values: Values): Flags {
  return Object.fromEntries(
    [...values].flatMap(([flag, [value]]) => {
      const common = COMMON.get(flag);
      return common === undefined || value === undefined ? [] : [[common.name, value] as const];
    }),
  );
}

/**
 * The flags of commands, so that the parser tells a flag's value from a command wherever the flag stands. A flag has
 * the same type in every command.
 */
function parserOptions(commands: readonly Command[]): Record<string, { type: "string" | "boolean"; short?: string }> {
  const own = commands.flatMap((command) =>
    Object.entries(command.options).map(([flag, { value }]) => [flag, { type: kind(value === null) }] as const),
  );
  const common = [...COMMON].map(([flag, { switched }]) => [flag, { type: kind(switched) }] as const);
  return {
    ...Object.fromEntries([...own, ...common]),
    // known here only so that their values are not taken for a command
    ...Object.fromEntries(SECRET_FLAGS.map((flag) => [flag, { type: "string" as const }])),
    help: { type: "boolean", short: "h" },
    version: { type: "boolean" },
  };
}

function kind(switched: boolean): "string" | "boolean" {
  return switched ? "boolean" : "string";
}
