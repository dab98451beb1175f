import { type Flags, SCHEMA, type SettingName } from "../job/settings.ts";

/** What a person can do next. A command gives it as `next` of its outcome; it is shown as the last line. */
export interface NextStep {
  /** To type after `fillbook`, without the flags that say where the archive is: those are added. */
  readonly command: string;
  /** What it does, as `makes the files of that year`. */
  readonly does: string;
}

/** Flags that the next command needs too, or it would look elsewhere. */
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

/** After a sync: the files of the last calendar year that ended before `to`, ms UTC. */
export function afterSync({ to }: { readonly to: number }): NextStep {
  const year = new Date(to).getUTCFullYear() - 1;
  return {
    command: `export --period calendar-${year}`,
    does: "makes that year's files; fillbook periods lists others",
  };
}

/** After an export: `period` is the pack's name. */
export function afterExport({ period }: { readonly period: string }): NextStep {
  return { command: `open ${period}`, does: "opens the report in the browser" };
}

/** A word that a shell takes as it is. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
