import { parseArgs } from "node:util";
import { type FillbookError, usageError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import { type Flags, SCHEMA, SETTING_NAMES } from "../job/settings.ts";
import { type Args, argsOf, type Command } from "./commands/command.ts";
import { COMMANDS, type CommandName, isCommand, NAMES } from "./commands/table.ts";
import { type HelpTopic, OPTIONS_TOPIC } from "./help.ts";

/** The parsed command line. `flags`: each with its value, for readSettings. */
export type ParsedArguments =
  | { readonly kind: "help"; readonly topic: HelpTopic }
  | { readonly kind: "version" | "nothing" }
  | {
      readonly kind: "run";
      readonly name: CommandName;
      readonly command: Command;
      readonly given: Args;
      readonly flags: Flags;
    };

/** Flags, and the name of the value that each takes; null: none. */
type Options = Readonly<Record<string, string | null>>;

/** The flags that every command accepts: those of settings, and two more. */
const SHARED: Options = Object.fromEntries([
  ...SETTING_NAMES.flatMap((name) => (SCHEMA[name].flag === null ? [] : [[SCHEMA[name].flag, SCHEMA[name].value]])),
  ...["help", "version"].map((flag) => [flag, null]),
]);
/** Known only so that their values are not taken for a command. */
const SECRET: Options = { token: "T", "access-token": "T", bearer: "T", "token-secret": "T" };

/** Reads the command line. Rejects with a FillbookError of kind `usage` whose hint says what to type. */
export async function readArguments(argv: readonly string[]): Promise<ParsedArguments> {
  const [word] = tokensOf(argv, SHARED).words; // flags of one command only come after its name
  const command = word !== undefined && isCommand(word) ? await COMMANDS[word]() : null;
  const options: Options = { ...ownOptions(command), ...SHARED };
  const { words, typed } = tokensOf(argv, options);
  const [, ...rest] = words;
  const names = new Set(typed.map((flag) => flag.name));
  if (names.has("version")) {
    return { kind: "version" };
  }
  if (word === "help" || names.has("help")) {
    return { kind: "help", topic: topicOf(word === "help" ? rest[0] : word) };
  }
  const name = word === undefined ? null : nameIn(word);
  const unknown = typed.find((flag) => !Object.hasOwn(options, flag.name));
  if (unknown !== undefined) {
    throw await unknownFlag(unknown, name, options);
  }
  const values = valuesOf(typed, options, command?.accounts !== undefined);
  if (name === null || command === null) {
    return { kind: "nothing" };
  }
  await checkWords(rest, name, command);
  const isGroup = command.accounts === "owners"; // the names of its accounts together are its own
  const flags = Object.entries(values).map(([flag, all]) => [flag, isGroup ? all.join("_") : all[0]]);
  return { kind: "run", name, command, given: argsOf(rest, values), flags: Object.fromEntries(flags) };
}

function ownOptions(command: Command | null): Options {
  const options = Object.keys(command?.options ?? {}).map((option) => option.split(" "));
  return Object.fromEntries(options.map(([flag = "", value = null]) => [flag, value]));
}

/** Values by flag, in the order in which they were typed. */
function valuesOf(typed: readonly Flag[], options: Options, repeatsAccount: boolean) {
  const values: Record<string, readonly string[]> = {};
  for (const flag of typed) {
    const before = values[flag.name] ?? [];
    if (before.length > 0 && !(flag.name === "account" && repeatsAccount)) {
      throw usageError(`--${flag.name} is given twice`, "keep one of them");
    }
    values[flag.name] = [...before, textOf(flag, options[flag.name] === null)];
  }
  return values;
}

interface Flag {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function tokensOf(argv: readonly string[], known: Options) {
  const options = Object.entries({ ...known, ...SECRET }).map(
    ([flag, value]) => [flag, { type: value === null ? "boolean" : "string" }] as const,
  );
  const config = { ...Object.fromEntries(options), help: { type: "boolean", short: "h" } } as const;
  const { tokens } = parseArgs({ args: [...argv], options: config, strict: false, tokens: true });
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  return { words, typed: tokens.filter((token): token is typeof token & Flag => token.kind === "option") };
}

function nameIn(word: string): CommandName {
  if (isCommand(word)) {
    return word;
  }
  const near = nearest(word, NAMES);
  const hint = near === undefined ? "list the commands with: fillbook --help" : `did you mean: fillbook ${near}`;
  throw usageError(`there is no command "${word}"`, hint);
}

function topicOf(word: string | undefined): HelpTopic {
  return word === undefined || word === OPTIONS_TOPIC ? (word ?? null) : nameIn(word);
}

/** Throws if a word is missing, or there is one too many. */
async function checkWords(words: readonly string[], name: CommandName, command: Command): Promise<void> {
  const wanted = command.words?.split(" ") ?? [];
  const missing = wanted.filter((word) => !word.startsWith("["))[words.length];
  if (missing !== undefined) {
    throw usageError(`${missing.replace("…", "")} is missing`, `for example: ${command.example}`);
  }
  const extra = words[wanted.length];
  if (extra !== undefined && command.words?.endsWith("…") !== true) {
    const { nameOfTyped } = await import("../core/period-name.ts");
    const takes = wanted.length === 0 ? "only options" : command.words;
    const see = `see how it is used with: fillbook ${name} --help`;
    const meant = `did you mean: fillbook ${"period" in ownOptions(command) ? name : "export"} --period ${extra}`;
    const isPeriod = wanted.length === 0 && nameOfTyped(extra) !== null;
    throw usageError(`unexpected argument "${extra}": ${name} takes ${takes}`, isPeriod ? meant : see);
  }
}

/** The flag's value; of a switch, one that turns its setting on. */
function textOf({ name, value, inlineValue }: Flag, isSwitch: boolean): string {
  if (isSwitch) {
    if (value !== undefined) {
      throw usageError(`--${name} is a switch and takes no value`, `write --${name} alone, or leave it out`);
    }
    return "true";
  }
  if (value === undefined) {
    throw usageError(`--${name} needs a value after it`, `write: --${name} VALUE`);
  }
  if (inlineValue !== true && value.startsWith("-")) {
    const message = `--${name} needs a value, and ${flagPart(value)} after it looks like another option`;
    throw usageError(message, `if it is the value, write: --${name}=VALUE`);
  }
  return value;
}

/** A flag as typed, without its `=` and the value, which may be a secret. */
function flagPart(typed: string): string {
  return typed.split("=", 1)[0] ?? "";
}

async function unknownFlag(flag: Flag, command: CommandName | null, options: Options): Promise<FillbookError> {
  if (Object.hasOwn(SECRET, flag.name)) {
    return usageError(
      `${flagPart(flag.rawName)} is not an option: ps shows the flags of a program to every user of the machine`,
      "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret; replace a token that was typed on a command line",
    );
  }
  const all = await Promise.all(NAMES.map(async (name) => ({ name, own: ownOptions(await COMMANDS[name]()) })));
  const owners = all.flatMap(({ name, own }) => (Object.hasOwn(own, flag.name) ? [name] : []));
  const see = `see the options with: fillbook ${command === null ? "" : `${command} `}--help`;
  if (command !== null && owners.length > 0) {
    return usageError(`--${flag.name} is no option of ${command}: it belongs to ${owners.join(", ")}`, see);
  }
  const near = nearest(flag.name, Object.keys(options));
  const hint = near === undefined ? see : `did you mean --${near}?`;
  return usageError(`there is no option ${flagPart(flag.rawName)}`, hint);
}
