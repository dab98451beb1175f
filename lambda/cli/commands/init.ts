import { asFillbookError, FillbookError } from "../../core/errors.ts";
import { showsToken } from "../../core/token.ts";
import { checkConnections } from "../../job/connections.ts";
import {
  examineSettings,
  givenFor,
  keyOf,
  SCHEMA,
  SETTING_NAMES,
  SETTINGS_FILE,
  type SettingName,
} from "../../job/settings.ts";
import { readSettingsFile, settingsIn, soundKeys } from "../../job/settings-file.ts";
import { writeSettingsFile } from "../../job/write-settings-file.ts";
import { SYNC_NEXT } from "../next-step.ts";
import { table } from "../terminal-text.ts";
import { type Ask, type Command, type CommandContext, type Outcome, type Setup, setupOf } from "./command.ts";

interface Question {
  readonly name: SettingName;
  readonly text: string;
  /** True if the answer may be left empty. */
  readonly isOptional: boolean;
}

const QUESTIONS: readonly Question[] = [
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
  usage: "[--yes] [--overwrite]",
  takesWrongSettings: true,
  about: [
    `Asks for the addresses of the service, a name for the account and the place of the archive, and writes them into ${SETTINGS_FILE} in the working folder. Only you can read the file.`,
    "It never asks for the token and never stores it; it explains how to provide it. If the environment has a token, the connection is tested.",
    "With --yes it asks nothing, and uses the flags or the existing settings. Shared options that are given are written too.",
    `An existing ${SETTINGS_FILE} is changed only after confirmation, or with --overwrite. Its other settings are kept.`,
  ],
  options: {
    yes: { value: null, help: "ask nothing; use the flags, then the environment, then the file, then the defaults" },
    overwrite: { value: null, help: `change an existing ${SETTINGS_FILE} without asking` },
  },
  example: "fillbook init --account-url https://account.example.com --yes",
  plan(given) {
    const request = { asksNothing: given.has("yes"), overwrites: given.has("overwrite") };
    return (live) => initialise(live, setupOf(live), request);
  },
};

async function initialise(
  live: CommandContext,
  setup: Setup,
  request: { readonly asksNothing: boolean; readonly overwrites: boolean },
): Promise<Outcome> {
  const ask = request.asksNothing ? null : setup.ask;
  if (ask === null && !request.asksNothing) {
    throw new FillbookError("usage", "there is no terminal to answer questions in", {
      hint: `add --yes, and give the answers as flags: ${init.example}`,
    });
  }
  const folder = setup.folder ?? ".";
  const held = await heldSettings(folder, { ask, say: live.say }, request.overwrites);
  const answers = new Map(typedSettings(setup));
  for (const question of QUESTIONS.filter(({ name }) => !answers.has(name))) {
    const offered = offeredFor(question.name, setup);
    const answer =
      ask === null ? answerWithout(question, offered) : await answerTo(question, offered, { ask, say: live.say });
    if (answer !== null) {
      answers.set(question.name, answer);
    }
  }
  const asked = QUESTIONS.map(({ name }) => keyOf(name));
  const others = Object.entries(held ?? {}).filter(([key]) => !asked.includes(key));
  const own = [...answers].map(([name, text]) => [keyOf(name), text] as const);
  const values = Object.fromEntries([...others, ...own]);
  const path = await writeSettingsFile(folder, values, held !== null);
  return await tested(live, setup, { answers, path });
}

/** The settings of the existing file, if it may be changed; null if there is no file. */
async function heldSettings(
  folder: string,
  { ask, say }: { readonly ask: Ask | null; readonly say: CommandContext["say"] },
  overwrites: boolean,
): Promise<Readonly<Record<string, unknown>> | null> {
  const held = await readSettingsFile(folder);
  if (held === null) {
    return null;
  }
  const wrong = problemIn(held);
  if (!overwrites) {
    const state = wrong ?? `${SETTINGS_FILE} is there already`;
    const answer = (await ask?.(`${state}. Change it? [y/N] `)) ?? "";
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      throw new FillbookError("usage", `${state}, and was left as it is`, { hint: "to change it, add --overwrite" });
    }
  }
  if (wrong !== null) {
    say(`${wrong}: this setting is removed`);
  }
  return soundKeys(held);
}

function problemIn(held: Readonly<Record<string, unknown>>): string | null {
  try {
    settingsIn(held);
    return null;
  } catch (error) {
    return asFillbookError(error).message;
  }
}

/** Settings that were typed as flags, without those of a single run. */
function typedSettings({ sources: { flags = {} } }: Setup): (readonly [SettingName, string])[] {
  return SETTING_NAMES.flatMap((name) => {
    const typed = flags[name];
    const isKept = typed !== undefined && !NOT_KEPT.includes(name);
    return isKept ? [[name, checked(name, String(typed), `--${SCHEMA[name].flag}`)] as const] : [];
  });
}

/** The value that an empty answer accepts; null if there is none. */
function offeredFor(name: SettingName, { sources }: Setup): string | null {
  const { fallback } = SCHEMA[name];
  const offered = givenFor(name, sources)?.text ?? (typeof fallback === "string" ? fallback : null);
  return offered === null || showsToken(offered) ? null : offered;
}

function answerWithout({ name, isOptional }: Question, offered: string | null): string | null {
  const where = `--${SCHEMA[name].flag}`;
  if (offered === null && !isOptional) {
    throw new FillbookError("usage", `${where} is needed`, { hint: `for example: ${init.example}` });
  }
  return offered === null ? null : checked(name, offered, where);
}

async function answerTo(
  { name, text, isOptional }: Question,
  offered: string | null,
  { ask, say }: { readonly ask: Ask; readonly say: CommandContext["say"] },
): Promise<string | null> {
  const shown = offered === null ? "" : ` [${offered}]`;
  const none = isOptional ? `, ${NONE} for none` : "";
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const typed = (await ask(`${text}${none}${shown}: `))?.trim();
    if (typed === undefined) {
      throw new FillbookError("incomplete", "not all questions were answered, and nothing was written", {
        hint: "run fillbook init again",
      });
    }
    const answer = typed === "" ? (offered ?? "") : typed;
    if (isOptional && ["", NONE].includes(answer)) {
      return null;
    }
    const problem = problemWith(name, answer);
    if (problem === null) {
      return answer;
    }
    say(`  ${problem}`);
  }
  throw new FillbookError("usage", `no valid answer after ${MOST_ATTEMPTS} attempts; nothing was written`, {
    hint: "see the settings with: fillbook help options",
  });
}

function problemWith(name: SettingName, answer: string): string | null {
  try {
    checked(name, answer, "the answer");
    return null;
  } catch (error) {
    return asFillbookError(error).message;
  }
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

async function tested(
  live: CommandContext,
  { sources: { environment }, partsOf }: Setup,
  { answers, path }: { readonly answers: ReadonlyMap<SettingName, string>; readonly path: string },
): Promise<Outcome> {
  const flags = Object.fromEntries(answers);
  const { settings } = examineSettings({ environment, flags });
  const hasToken = settings.token !== null || settings.tokenSecret !== null;
  const connections = hasToken ? await checkConnections(partsOf(settings), settings, live.signal) : [];
  const problem = connections.find((one) => one.problem !== null)?.problem ?? null;
  const rows = [...answers].map(([name, text]) => [`  ${keyOf(name)}`, text]);
  return {
    json: {
      file: path,
      settings: Object.fromEntries(rows.map(([key = "", text]) => [key.trim(), text])),
      tested: hasToken,
      connections: connections.map(jsonConnection),
    },
    lines: [
      `wrote ${path}`,
      ...table(["", ""], rows).slice(1),
      ...(hasToken ? [] : HOW_TO_GIVE_A_TOKEN),
      ...connections.filter(({ answered }) => answered !== null).map(({ host, what }) => `the ${host} host ${what}`),
    ],
    problem,
    next: hasToken ? SYNC_NEXT : ["fillbook doctor", "checks everything once the token is set"],
  };
}

function jsonConnection({ host, address, answered, what }: Awaited<ReturnType<typeof checkConnections>>[number]) {
  return { host, address, answered, what };
}
