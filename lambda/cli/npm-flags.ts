import { FillbookError } from "../core/errors.ts";
import { shellWord } from "../core/typed-flag.ts";
import { type Environment, SCHEMA } from "../job/settings.ts";
import type { Command } from "./commands/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { isStartedByNpm } from "./next-step.ts";

/**
 * Throws `usage` if npm kept options for itself, because `--` was not typed before them: `npm run fillbook
 * sync --dry-run`. npm then sets `npm_config_dry_run`, and the program would run without the option.
 */
export function refuseNpmFlags([word]: readonly string[], environment: Environment): void {
  if (!isStartedByNpm(environment)) {
    return;
  }
  const taken = [...ownFlags()].flatMap(([flag, { isSwitch }]) => {
    const [positive, isNegated] = flag.startsWith("no-") ? [flag.slice("no-".length), true] : [flag, false];
    const value = environment[`npm_config_${positive.replaceAll("-", "_")}`];
    if (value === undefined || CONFIGURED.includes(flag) || (value === "") !== isNegated) {
      return [];
    }
    // npm sets "true" for an option whose value it left among the words.
    return [isSwitch ? `--${flag}` : `--${flag} ${value === "true" ? "…" : shellWord(value)}`];
  });
  if (taken.length > 0) {
    const names = taken.map((text) => text.split(" ", 1).join());
    throw new FillbookError("usage", `npm took ${names.join(", ")} for itself`, {
      hint: `write: npm run -s fillbook -- ${[word ?? "COMMAND", ...taken].join(" ")}`,
    });
  }
}

/** npm's own settings that people keep in their .npmrc. */
const CONFIGURED = ["yes"];

function ownFlags(): ReadonlyMap<string, { readonly isSwitch: boolean }> {
  const common = Object.values(SCHEMA).flatMap(({ flag, value }) => (flag === null ? [] : [[flag, value] as const]));
  const own = Object.values<Command>(COMMANDS).flatMap(({ options }) =>
    Object.entries(options).map(([flag, { value }]) => [flag, value] as const),
  );
  return new Map([...common, ...own].map(([flag, value]) => [flag, { isSwitch: value === null }]));
}
