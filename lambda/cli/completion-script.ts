import { TAX_YEARS } from "../core/tax-years.ts";
import { SCHEMA, SETTING_NAMES } from "../job/settings.ts";
import type { Command } from "./commands/command.ts";

/** Shells with a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

type Commands = Readonly<Record<string, Command>>;

/**
 * What follows an option: a word of a list, or of a look-up by the shell; null: a text without completion.
 */
type Follows = readonly string[] | "periods" | "accounts" | "folders" | null;

interface Option {
  /** Without its dashes. */
  readonly flag: string;
  readonly help: string;
  readonly isSwitch: boolean;
  readonly follows: Follows;
}

/** Uses the same tables as the help. No line contains a tab, because the output would make it visible. */
export function completionScript(shell: Shell, commands: Commands): string {
  return { bash, zsh, fish }[shell](commands);
}

function sharedOptions(): Option[] {
  const settings = SETTING_NAMES.flatMap((name) => {
    const { flag, value, help } = SCHEMA[name];
    return flag === null ? [] : [optionOf(flag, { value, help })];
  });
  return [...settings, optionOf("help", { value: null, help: "the help of a command" })];
}

function ownOptions({ options }: Command): Option[] {
  return Object.entries(options).map(([flag, option]) => optionOf(flag, option));
}

function optionOf(flag: string, { value, help, values }: Command["options"][string]): Option {
  return { flag, help, isSwitch: value === null, follows: values ?? lookedUp(flag, value) };
}

function lookedUp(flag: string, value: string | null): Follows {
  if (flag === "account") {
    return "accounts";
  }
  if (value === "P") {
    return "periods";
  }
  return value === "DIR" || value === "URI" ? "folders" : null;
}

/** Each option once: a flag means the same in every command. */
function allOptions(commands: Commands): Option[] {
  const all = [...sharedOptions(), ...Object.values(commands).flatMap(ownOptions)];
  return [...new Map(all.map((one) => [one.flag, one])).values()];
}

function dashed(options: readonly Option[]): string[] {
  return options.map(({ flag }) => `--${flag}`);
}

/** The words that may follow each command. */
function wordsAfter(commands: Commands): readonly (readonly [string, readonly string[]])[] {
  const known = Object.entries(commands).flatMap(([name, { words }]) =>
    words === undefined ? [] : [[name, words] as const],
  );
  return [...known, ["help", [...Object.keys(commands), "options"]]];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For bash and zsh: periods of this year and the two before it, and accounts of a store in a folder. */
const LOOK_UPS = `_fillbook_periods() {
  local this year code month
  this=$(date +%Y)
  for year in $this $((this - 1)) $((this - 2)); do
    for code in ${TAX_YEARS.map(({ code }) => code).join(" ")}; do
      echo "$code-$year"
    done
    for month in 01 02 03 04 05 06 07 08 09 10 11 12; do
      echo "month-$year-$month"
    done
  done
}

_fillbook_accounts() {
  local head name
  for head in "$1"/*/head.json; do
    name=\${head%/head.json}
    name=\${name##*/}
    # A name with other signs is no account, and a shell could take it for more than a word.
    case $name in
      '' | *[!a-z0-9-]*) ;;
      *) echo "$name" ;;
    esac
  done
}
`;

/** Lines of a `case` that sets `words`, or completes folders, by the option before the cursor. */
function valueCases(commands: Commands, folders: string): string[] {
  return allOptions(commands)
    .filter(({ isSwitch }) => !isSwitch)
    .map(({ flag, follows }) => {
      const lookUps = {
        periods: "words=$(_fillbook_periods)",
        accounts: 'words=$(_fillbook_accounts "$store")',
        folders,
      };
      if (follows === null) {
        return `    --${flag}) return ;;`;
      }
      return `    --${flag}) ${typeof follows === "string" ? lookUps[follows] : `words=${quoted(follows.join(" "))}`} ;;`;
    });
}

/** Lines of a `case` that sets `words` by the command: options after a dash, else the command's words. */
function commandCases(commands: Commands, options: "words" | "options"): string[] {
  if (options === "words") {
    return wordsAfter(commands).map(([name, words]) => `      ${name}) words=${quoted(words.join(" "))} ;;`);
  }
  return Object.entries(commands).map(
    ([name, command]) =>
      `      ${name}) words=${quoted([...dashed(ownOptions(command)), ...dashed(sharedOptions())].join(" "))} ;;`,
  );
}

function choice(commands: Commands): string {
  const names = [...Object.keys(commands), "help"];
  return `    case $command in
      '') case $current in -*) words=${quoted([...dashed(sharedOptions()), "--version"].join(" "))} ;; *) words=${quoted(names.join(" "))} ;; esac ;;
      *)
        case $current in
          -*)
            case $command in
${commandCases(commands, "options")
  .map((line) => `        ${line}`)
  .join("\n")}
            esac ;;
          *)
            case $command in
${commandCases(commands, "words")
  .map((line) => `        ${line}`)
  .join("\n")}
            esac ;;
        esac ;;
    esac`;
}

function bash(commands: Commands): string {
  return `# Completion of fillbook for bash 3.2 and newer.
${LOOK_UPS}
_fillbook() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local store=\${FILLBOOK_STORE:-./fillbook-data} command='' words='' word at
  # bash takes --store=x for three words
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case " ${[...Object.keys(commands), "help"].join(" ")} " in
      *" $word "*) [[ -z $command ]] && command=$word ;;
    esac
    [[ $word == --store && \${COMP_WORDS[at + 1]} != = ]] && store=\${COMP_WORDS[at + 1]}
  done
  COMPREPLY=()
  case $previous in
${valueCases(commands, '_fillbook_folders "$current"; return').join("\n")}
    *)
${choice(commands)} ;;
  esac
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -W "$words" -- "$current")
}

_fillbook_folders() {
  local word
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -d -- "$1")
}

complete -F _fillbook fillbook
`;
}

function zsh(commands: Commands): string {
  return `#compdef fillbook
# Completion of fillbook for zsh.
${LOOK_UPS}
_fillbook() {
  setopt localoptions nonomatch
  local current=$words[CURRENT] previous=$words[CURRENT-1]
  local store=\${FILLBOOK_STORE:-./fillbook-data} command='' word
  local -a typed=($words)
  local -i at
  for ((at = 2; at < CURRENT; at++)); do
    word=$typed[at]
    case " ${[...Object.keys(commands), "help"].join(" ")} " in
      *" $word "*) [[ -z $command ]] && command=$word ;;
    esac
    [[ $word == --store ]] && store=$typed[at+1]
  done
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    compset -P '*='
  fi
  local words=''
  case $previous in
${valueCases(commands, "_files -/; return").join("\n")}
    *)
${choice(commands)} ;;
  esac
  compadd -- \${=words}
}

compdef _fillbook fillbook
`;
}

function fish(commands: Commands): string {
  const names = [...Object.keys(commands), "help"];
  const seen = (name: string) => quoted(`__fish_seen_subcommand_from ${name}`);
  const none = quoted(`not __fish_seen_subcommand_from ${names.join(" ")}`);
  const lines = [
    ...Object.entries(commands).map(
      ([name, { summary }]) => `complete -c fillbook -n ${none} -a ${name} -d ${fishText(summary)}`,
    ),
    `complete -c fillbook -n ${none} -a help -d ${fishText("how a command is used")}`,
    ...sharedOptions().map((option) => `complete -c fillbook ${fishOption(option)}`),
    ...Object.entries(commands).flatMap(([name, command]) =>
      ownOptions(command).map((option) => `complete -c fillbook -n ${seen(name)} ${fishOption(option)}`),
    ),
    ...wordsAfter(commands).map(
      ([name, words]) => `complete -c fillbook -n ${seen(name)} -a ${quoted(words.join(" "))}`,
    ),
  ];
  return `# Completion of fillbook for fish.
function __fillbook_periods
  set -l this (date +%Y)
  for year in $this (math $this - 1) (math $this - 2)
    for code in ${TAX_YEARS.map(({ code }) => code).join(" ")}
      echo $code-$year
    end
    for month in 01 02 03 04 05 06 07 08 09 10 11 12
      echo month-$year-$month
    end
  end
end

function __fillbook_accounts
  set -l store ./fillbook-data
  set -q FILLBOOK_STORE; and set store $FILLBOOK_STORE
  set -l typed (commandline -opc)
  set -l at (contains -i -- --store $typed); and set store $typed[(math $at + 1)]
  for head in $store/*/head.json
    string match -r '^[a-z0-9-]+$' (basename (dirname $head))
  end
end

complete -c fillbook -f
${lines.join("\n")}
`;
}

function fishOption({ flag, help, isSwitch, follows }: Option): string {
  const described = `-l ${flag} -d ${fishText(help)}`;
  if (isSwitch) {
    return described;
  }
  const lookUps = {
    periods: "(__fillbook_periods)",
    accounts: "(__fillbook_accounts)",
    folders: "(__fish_complete_directories)",
  };
  if (follows === null) {
    return `${described} -x`;
  }
  return `${described} -x -a ${quoted(typeof follows === "string" ? lookUps[follows] : follows.join(" "))}`;
}

/** In single quotes, fish interprets only an escaped backslash and an escaped quote. */
function fishText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
