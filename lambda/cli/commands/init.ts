import { asFillbookError, FillbookError, usageError } from "../../core/errors.ts";
import { showsToken } from "../../core/token.ts";
import { givenFor, keyOf, SCHEMA, SETTING_NAMES, SETTINGS_FILE, type SettingName } from "../../job/settings.ts";
import { readSettingsFile, settingsIn, soundKeys, writeSettingsFile } from "../../job/settings-file.ts";
import {
  type Args,
  type Ask,
  type Command,
  type CommandContext,
  type Outcome,
  type Setup,
  setupOf,
} from "./command.ts";

/** What is asked for, in this order. An optional answer may be left empty. */
const QUESTIONS: readonly { readonly name: SettingName; readonly text: string; readonly isOptional: boolean }[] = [
  { name: "accountUrl", text: "Address of the account host, https://… (completed orders)", isOptional: false },
  { name: "marketDataUrl", text: "Address of the market-data host, https://… (markets, specs)", isOptional: true },
  { name: "orderUrl", text: "Address of the order host, https://… (set-leverage alone)", isOptional: true },
  { name: "account", text: "Name for the account, of your choice", isOptional: false },
  { name: "store", text: "Where to keep the archive, a folder or s3://bucket/prefix", isOptional: false },
];

/** The answer that leaves an optional setting unset. */
const NONE = "-";
/** Somebody who cannot answer after this many attempts needs the manual. */
const MOST_ATTEMPTS = 5;
const LONGEST_ANSWER = 2048;
/** Flags of a single run, which the file does not keep. */
const NOT_KEPT: readonly SettingName[] = ["json", "quiet"];

export const init: Command = {
  takesWrongSettings: true,
  about: [
    `Asks for the addresses of the service, a name for the account and the place of the archive, and writes them into ${SETTINGS_FILE} in the working folder. Only you can read the file.`,
    "It never asks for the token and never stores it; it explains how to provide it.",
    "With --yes it asks nothing, and uses the flags or the existing settings. Shared options that are given are written too.",
    `An existing ${SETTINGS_FILE} is changed only after confirmation, or with --overwrite. Its other settings are kept.`,
  ],
  options: {
    yes: "ask nothing; use the flags, then the environment, then the file, then the defaults",
    overwrite: `change an existing ${SETTINGS_FILE} without asking`,
  },
  example: "fillbook init --account-url https://account.example.com --yes",
  plan: (given) => (live) => initialise(setupOf(live), given, live.say),
};

async function initialise(setup: Setup, given: Args, say: CommandContext["say"]): Promise<Outcome> {
  const ask = given.has("yes") ? null : setup.ask;
  if (ask === null && !given.has("yes")) {
    const hint = `add --yes, and give the answers as flags: ${init.example}`;
    throw usageError("there is no terminal to answer questions in", hint);
  }
  const folder = setup.folder ?? ".";
  const held = await readSettingsFile(folder);
  if (held !== null) {
    await confirmChange(held, given.has("overwrite") ? null : (ask ?? (() => Promise.resolve(null))), say);
  }
  const answers = new Map(typedSettings(setup));
  for (const question of QUESTIONS.filter(({ name }) => !answers.has(name))) {
    const offered = offeredFor(question.name, setup);
    const answer = ask === null ? answerWithout(question, offered) : await answerTo(question, offered, ask, say);
    if (answer !== null) {
      answers.set(question.name, answer);
    }
  }
  const asked = QUESTIONS.map(({ name }) => keyOf(name));
  const others = Object.entries(soundKeys(held ?? {})).filter(([key]) => !asked.includes(key));
  const own = [...answers].map(([name, text]) => [keyOf(name), text] as const);
  const path = await writeSettingsFile(folder, Object.fromEntries([...others, ...own]), held !== null);
  return {
    json: { file: path, settings: Object.fromEntries(own) },
    lines: [`wrote ${path}`, ...own.map(([key, text]) => `  ${key}: ${text}`), ...HOW_TO_GIVE_A_TOKEN],
    next: ["fillbook doctor", "checks everything once the token is set"],
  };
}

/** Throws unless the existing file may be changed. `ask` null: it may. */
async function confirmChange(
  held: Readonly<Record<string, unknown>>,
  ask: Ask | null,
  say: CommandContext["say"],
): Promise<void> {
  const wrong = problemOf(() => settingsIn(held));
  const state = wrong ?? `${SETTINGS_FILE} is there already`;
  if (ask !== null && !/^\s*y(?:es)?\s*$/i.test((await ask(`${state}. Change it? [y/N] `)) ?? "")) {
    throw usageError(`${state}, and was left as it is`, "to change it, add --overwrite");
  }
  if (wrong !== null) {
    say(`${wrong}: this setting is removed`);
  }
}

function problemOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return asFillbookError(error).message;
  }
}

/** Settings that were typed as flags, without those of a single run. */
function typedSettings({ sources: { flags = {} } }: Setup): (readonly [SettingName, string])[] {
  return SETTING_NAMES.flatMap((name) => {
    const flag = SCHEMA[name].flag ?? "";
    const typed = NOT_KEPT.includes(name) ? undefined : flags[flag];
    return typed === undefined ? [] : [[name, checked(name, typed, `--${flag}`)] as const];
  });
}

/** The value that an empty answer accepts; empty: there is none. */
function offeredFor(name: SettingName, { sources }: Setup): string {
  const { fallback } = SCHEMA[name];
  const known = givenFor(name, sources)?.text ?? (typeof fallback === "string" ? fallback : "");
  return showsToken(known) ? "" : known;
}

type Question = (typeof QUESTIONS)[number];

/** Null: the setting stays unset. */
function answerWithout({ name, isOptional }: Question, offered: string): string | null {
  const where = `--${SCHEMA[name].flag}`;
  if (offered === "" && !isOptional) {
    throw usageError(`${where} is needed`, `for example: ${init.example}`);
  }
  return offered === "" ? null : checked(name, offered, where);
}

async function answerTo(
  { name, text, isOptional }: Question,
  offered: string,
  ask: Ask,
  say: CommandContext["say"],
): Promise<string | null> {
  const question = `${text}${isOptional ? `, ${NONE} for none` : ""}${offered === "" ? "" : ` [${offered}]`}: `;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const typed = (await ask(question))?.trim();
    if (typed === undefined) {
      const hint = "run fillbook init again";
      throw new FillbookError("incomplete", "not all questions were answered, and nothing was written", { hint });
    }
    const answer = typed === "" ? offered : typed;
    if (isOptional && ["", NONE].includes(answer)) {
      return null;
    }
    const problem = problemOf(() => checked(name, answer, "the answer"));
    if (problem === null) {
      return answer;
    }
    say(`  ${problem}`);
  }
  const hint = "see the settings with: fillbook help options";
  throw usageError(`no valid answer after ${MOST_ATTEMPTS} attempts; nothing was written`, hint);
}

/** Returns the text if it is a valid value of the setting. No message repeats a token. */
function checked(name: SettingName, text: string, where: string): string {
  if (text === "" || text.length > LONGEST_ANSWER) {
    throw new FillbookError("usage", `${where} is ${text === "" ? "empty" : "too long"}`);
  }
  if (showsToken(text)) {
    throw new FillbookError("usage", `${where} looks like a token. Tokens are never stored here; get a new one`);
  }
  SCHEMA[name].parse(text, where);
  return text;
}

const HOW_TO_GIVE_A_TOKEN = [
  "The file does not contain the token. To set the token in this shell without showing it:",
  "  bash, zsh: read -rs FILLBOOK_TOKEN && export FILLBOOK_TOKEN",
  "  fish:      read -sx FILLBOOK_TOKEN",
  `On AWS, ${SCHEMA.tokenSecret.variable} can instead name a secret in Secrets Manager.`,
];
