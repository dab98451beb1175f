import type { Environment, Flags } from "../job/settings.ts";

/** What a person can do next, and what is to be known of it: the last lines of a command's output. */
export type NextStep = readonly [what: string, note: string];

export const SYNC_NEXT: NextStep = ["fillbook sync", "reads what the archive lacks; you can stop it and run it again"];

export const EXPORT_NEXT: NextStep = [
  "fillbook export --period us-2025",
  "makes the files of a year; or see: fillbook periods",
];

export const VERIFY_NEXT: NextStep = ["fillbook verify", "names what is damaged, and how to repair it"];

export function openNext(account: string, period: string): NextStep {
  return [`fillbook open ${period} --account ${account}`, "opens the report in the browser"];
}

/** Commands that messages tell a person to type. */
const TYPED =
  /(?<![\w/-])(?<run>run )?fillbook (?=(?:(?:--)?help|init|doctor|sync|export|packs|open|serve|status|verify|periods|rates|markets|specs)(?![\w/:-]))/g;

/** Commands over an archive. Behind a colon follows what such a command says. */
const OVER_ARCHIVE = /(?<![\w/-])fillbook (?<name>doctor|sync|export|packs|open|serve|status|verify|rates)(?![\w/:-])/g;

/**
 * A text whose commands are as the person would type them: over the same archive, and as the program was started. In a
 * clone there is no `fillbook`, only the script of that name, which npm names in `npm_lifecycle_event` (its
 * documentation, "scripts").
 */
export function asTyped(text: string, flags: Flags, environment: Environment): string {
  const same = overSame(text, flags);
  // "run npm run" would say it twice.
  const inClone = (_: string, run?: string) => `${run === undefined ? "" : "use "}npm run -s fillbook -- `;
  return environment["npm_lifecycle_event"] === "fillbook" ? same.replace(TYPED, inClone) : same;
}

/** Commands with the flags that say over which archive the person works: without them they would read another. */
function overSame(text: string, { store, account }: Flags): string {
  return text.replace(OVER_ARCHIVE, (command, name: string, at: number) => {
    // An export wants each account of a group.
    const accounts = name === "export" ? String(account).split("_") : [account];
    const flags = [["--store", store] as const, ...accounts.map((one) => ["--account", account && one] as const)];
    const missing = flags.filter(([flag, value]) => value !== undefined && !text.includes(` ${flag} `, at));
    return [command, ...missing.map(([flag, value]) => `${flag} ${typed(String(value))}`)].join(" ");
  });
}

function typed(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
