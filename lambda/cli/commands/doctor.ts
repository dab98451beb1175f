import process from "node:process";
import { showsToken } from "../../core/token.ts";
import { inspectService, inspectStore } from "../../job/doctor.ts";
import { givenFor, SCHEMA, SETTING_NAMES, type SettingName } from "../../job/settings.ts";
import { mostUrgent } from "../../job/sync-archive.ts";
import { SYNC_NEXT } from "../next-step.ts";
import { table } from "../terminal-text.ts";
import { type Command, type CommandContext, type Outcome, type Setup, setupOf } from "./command.ts";

export const doctor: Command = {
  takesWrongSettings: true,
  about: [
    "Shows the settings and where each comes from: a flag, the environment, fillbook.json or the default. The token is never shown.",
    "Then checks whether the store can be read and written, and whether the service answers and accepts the token, with one request to each host.",
    "Nothing is changed, and no archive is created. What a sync would request: fillbook sync --dry-run",
    'With --json {"node", "settings", "checks"}.',
  ],
  example: "fillbook doctor",
  plan: () => examine,
};

async function examine(live: CommandContext): Promise<Outcome> {
  const setup = setupOf(live);
  const settings = settingRows(setup);
  const findings = [
    ...setup.problems.map((problem) => ({ what: problem.message, problem })),
    ...(await inspectStore(live.store, live.settings.account)),
    ...(await inspectService(live, live.settings, live.signal)),
  ];
  const problems = findings.flatMap(({ problem }) => problem ?? []);
  return {
    json: {
      node: process.versions.node,
      settings,
      checks: findings.map(({ what, problem }) => {
        const { message = null, hint = null } = problem ?? {};
        return { what, ok: problem === null, problem: message, hint };
      }),
    },
    lines: [
      `Node ${process.versions.node}`,
      "",
      ...table(
        ["setting", "value", "from"],
        settings.map(({ setting, value, from }) => [setting, value, from]),
      ),
      "",
      ...findings.map(({ what, problem }) => `${problem === null ? "ok     " : "PROBLEM"}  ${what}`),
    ],
    problem: mostUrgent(problems),
    next: SYNC_NEXT,
  };
}

/** Shown even if they are not set, because a first run needs them. */
const ALWAYS_SHOWN: readonly SettingName[] = ["account", "store", "accountUrl", "token"];

function settingRows({ sources }: Setup) {
  return SETTING_NAMES.flatMap((name) => {
    const { flag, variable, fallback } = SCHEMA[name];
    const found = givenFor(name, sources);
    const setting = flag === null ? variable : `--${flag}`;
    if (found === null) {
      const value = typeof fallback === "string" ? fallback : "not set";
      return ALWAYS_SHOWN.includes(name) ? [{ setting, value, from: "default" }] : [];
    }
    return [{ setting, value: shown(name, found), from: found.from }];
  });
}

/**
 * Does not show a wrong value: it may contain a password, and the problem's message says what is safe to say.
 */
function shown(name: SettingName, { text, where }: { readonly text: string; readonly where: string }): string {
  try {
    SCHEMA[name].parse(text, where);
  } catch {
    return "wrong, not shown";
  }
  return name === "token" || showsToken(text) ? "set, not shown" : text;
}
