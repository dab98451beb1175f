import { accountsIn } from "../core/account-name.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { shellWord, typedFlag } from "../core/typed-flag.ts";
import { type Environment, type Flags, SCHEMA, type SettingName } from "../job/settings.ts";

/**
 * What a person can do next. A command returns it as `next` of its outcome; its last lines show it.
 */
export type NextStep = NextCommand | NextDeed;

interface NextCommand {
  /** What to type after `fillbook`. The flags that say where the archive is are added. */
  readonly command: string;
  /** What the command does, such as `makes the files of that year`. */
  readonly does: string;
}

/** Something other than a command to type. */
interface NextDeed {
  /** Such as `open the address above in a browser`. */
  readonly deed: string;
  /** What is to be known of it. */
  readonly note: string;
}

/** Flags that say where the archive is. The next command needs them too. */
const PLACES: readonly SettingName[] = ["account", "store", "packStore"];
/** Flags that say where the service is. Commands that ask it need them too. */
const ADDRESSES: readonly SettingName[] = ["accountUrl", "marketDataUrl"];

const INSTALLED = "fillbook";

/**
 * How the person started the program, and starts it again. In a clone there is no `fillbook`, only the script
 * of that name. npm names the script that it runs in `npm_lifecycle_event` (npm's documentation, "scripts").
 */
export function programOf(environment: Environment): string {
  return isStartedByNpm(environment) ? "npm run -s fillbook --" : INSTALLED;
}

export function isStartedByNpm(environment: Environment): boolean {
  return environment["npm_lifecycle_event"] === "fillbook";
}

/**
 * `Next: fillbook export --period calendar-2025 --store ./books`, which can be typed to its end, and a line
 * on what it does. A remark behind the command would be part of it in a shell: zsh knows no comments there.
 */
export function nextLines(next: NextStep, typed: Flags, program = INSTALLED): readonly [string, string] {
  return "deed" in next
    ? [`Next: ${next.deed}`, `  ${next.note}`]
    : [`Next: ${program} ${next.command}${placesFor(next.command, typed)}`, `  ${withPlaces(next.does, {}, program)}`];
}

/** The commands that a person is told to type. */
const TYPED =
  /(?<![\w/-])fillbook (help|init|doctor|sync|export|packs|open|serve|status|verify|periods|rates|completion|markets|specs|market-data|completed-orders|open-order|set-leverage)(?![\w/-])/g;
/** Those that look into the store. */
const LOOK_INTO_STORE = ["sync", "export", "packs", "open", "status", "verify", "doctor"];
/** Those that ask the service. */
const ASK_SERVICE = ["sync", "export", "doctor"];
/** Those that take a group as an account. */
const TAKE_GROUPS = ["packs", "open"];
/** Where a command in the middle of a sentence ends at the latest. */
const COMMAND_END = /[;,).`"]\s|[;,).`"]?$/m;

/**
 * A sentence whose commands can be typed as they are printed. They begin as the person's own command did, and
 * look where it did: with the flags that were typed.
 */
export function withPlaces(text: string, typed: Flags, program = INSTALLED): string {
  return text.replace(TYPED, (start, word: string, at: number) => {
    const rest = text.slice(at + start.length);
    const command = word + rest.slice(0, rest.search(COMMAND_END));
    return `${program} ${word}${LOOK_INTO_STORE.includes(word) ? placesFor(command, typed) : ""}`;
  });
}

/** ` --store ./books`, and where the service is if it is asked, without what the command says itself. */
function placesFor(command: string, typed: Flags): string {
  const said = command.split(" ");
  const [word = ""] = said;
  return [...PLACES, ...(ASK_SERVICE.includes(word) ? ADDRESSES : [])]
    .flatMap((name) => {
      const { flag } = SCHEMA[name];
      const value = typed[name];
      if (typeof value !== "string" || said.includes(`--${flag}`)) {
        return [];
      }
      const isGroup = name === "account" && accountsIn(value).length > 1;
      return isGroup && !TAKE_GROUPS.includes(word) ? [] : [` ${typedFlag(flag ?? "", value)}`];
    })
    .join("");
}

/** After a sync: makes the files of the last calendar year in the walked range, or of the last month. */
export function afterSync({ from, to }: TimeRange): NextCommand {
  const end = new Date(to);
  const year = end.getUTCFullYear();
  if (from <= Date.UTC(year - 1, 0)) {
    return {
      command: `export --period calendar-${year - 1}`,
      does: "makes that year's files; or see: fillbook periods",
    };
  }
  const month = isoTime(Date.UTC(year, end.getUTCMonth() - 1)).slice(0, "2025-03".length);
  return { command: `export --period month-${month}`, does: "makes that month's files; or see: fillbook periods" };
}

/**
 * After an export. `out`: the folder with a copy of the pack; `period`: its name as typed; `group`: the
 * accounts that were exported together.
 */
export function afterExport(made: {
  readonly out: string | undefined;
  readonly period: string | undefined;
  readonly group?: { readonly name: string };
}): NextCommand {
  if (made.out !== undefined) {
    return { command: `open ${typedFlag("out", made.out)}`, does: OPENS };
  }
  const account = made.group === undefined ? "" : ` ${typedFlag("account", made.group.name)}`;
  return made.period === undefined
    ? { command: `packs${account}`, does: "lists the packs" }
    : { command: `open ${shellWord(made.period)}${account}`, does: OPENS };
}

/** After a list of packs: its first one is opened; where there is none, one of `owner` is made. */
export function afterPacks(
  first: { readonly account: string; readonly pack: { readonly period: string } } | undefined,
  owner: string,
): NextCommand {
  return first === undefined
    ? {
        command: `export --period us-2025${groupFlags(owner)}`,
        does: "makes the files of a year; or see: fillbook periods",
      }
    : { command: `open ${shellWord(first.pack.period)} ${typedFlag("account", first.account)}`, does: OPENS };
}

/** ` --account hedge --account main` for `hedge_main`, as an export takes them; nothing for one account. */
export function groupFlags(owner: string): string {
  const accounts = accountsIn(owner);
  return accounts.length === 1 ? "" : accounts.map((account) => ` ${typedFlag("account", account)}`).join("");
}

const OPENS = "opens the report in the browser";

export const SYNC_NEXT: NextCommand = {
  command: "sync",
  does: "reads what the archive lacks; you can stop it and run it again",
};

export const STATUS_NEXT: NextCommand = { command: "status", does: "shows until when the archive is complete" };
