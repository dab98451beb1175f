import { isoTime, type TimeRange } from "../core/time.ts";
import { type Flags, SCHEMA, type SettingName } from "../job/settings.ts";

/**
 * What a person can do next. A command returns it as `next` of its outcome; it is printed as the last line.
 */
export interface NextStep {
  /** What to type after `fillbook`. The flags that say where the archive is are added. */
  readonly command: string;
  /** What the command does, such as `makes the files of that year`. */
  readonly does: string;
}

/** Flags that say where the archive is. The next command needs them too. */
const PLACES: readonly SettingName[] = ["account", "store", "packStore"];

/** `Next: fillbook export --period calendar-2025 --store ./books (makes the files of that year)` */
export function nextLine({ command, does }: NextStep, typed: Flags): string {
  const places = PLACES.flatMap((name) => {
    const { flag } = SCHEMA[name];
    const value = typed[name];
    const isSaid = command.split(" ").includes(`--${flag}`);
    return typeof value !== "string" || isSaid ? [] : [` --${flag} ${shellWord(value)}`];
  });
  return `Next: fillbook ${command}${places.join("")} (${does})`;
}

/** After a sync: makes the files of the last calendar year in the walked range, or of the last month. */
export function afterSync({ from, to }: TimeRange): NextStep {
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

/** After an export. `out`: the folder with a copy of the pack; `period`: its name as typed. */
export function afterExport(made: { readonly out: string | undefined; readonly period: string | undefined }): NextStep {
  if (made.out !== undefined) {
    return { command: `open --out ${shellWord(made.out)}`, does: "opens the report in the browser" };
  }
  return made.period === undefined
    ? { command: "packs", does: "lists what was made" }
    : { command: `open ${shellWord(made.period)}`, does: "opens the report in the browser" };
}

export const SYNC_NEXT: NextStep = {
  command: "sync",
  does: "reads what the archive lacks; it can be stopped and run again",
};

export const STATUS_NEXT: NextStep = { command: "status", does: "says until when the archive is complete" };

/** A word quoted for the shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
