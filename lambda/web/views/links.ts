import type { PackName } from "../packs.ts";

/** Addresses of the page. What stands in them is looked up by the site, never joined into a key. */

export function accountLink(account: string): string {
  return `/a/${segment(account)}`;
}

/** Of the account: the packs of other periods. `find`: a name or a year, or empty. */
export function packsLink(account: string, { find, page }: { readonly find: string; readonly page: number }): string {
  const query = [...(find === "" ? [] : [`find=${segment(find)}`]), ...(page === 1 ? [] : [`page=${page}`])];
  return `${accountLink(account)}${query.length === 0 ? "" : `?${query.join("&")}`}#packs`;
}

/** Of the account: the calendar of one year. */
export function yearLink(account: string, year: number): string {
  return `${accountLink(account)}?year=${year}#coverage`;
}

export function packLink(account: string, { period, version }: PackName): string {
  return `${accountLink(account)}/p/${segment(period)}/${segment(version)}`;
}

/** Of the pack: the others of its period, so many to a page. */
export function versionsLink(account: string, pack: PackName, page: number): string {
  return `${packLink(account, pack)}${page === 1 ? "" : `?page=${page}`}#versions`;
}

export function reportLink(account: string, pack: PackName): string {
  return `${packLink(account, pack)}/report`;
}

export function fileLink(account: string, pack: PackName, path: string): string {
  return `${packLink(account, pack)}/file?path=${segment(path)}`;
}

export function zipLink(account: string, pack: PackName): string {
  return `${packLink(account, pack)}/zip`;
}

/** Without versions: where a form asks for them. */
export function compareLink(
  account: string,
  period: string,
  versions?: Readonly<Record<"before" | "after", string>>,
): string {
  const path = `${accountLink(account)}/p/${segment(period)}/compare`;
  return versions === undefined ? path : `${path}?before=${segment(versions.before)}&after=${segment(versions.after)}`;
}

/** `before`: a record's name, as the history gave it; null: the newest. */
export function historyLink(account: string, before: string | null = null): string {
  return `${accountLink(account)}/history${before === null ? "" : `?before=${segment(before)}`}`;
}

/** The form of a pack. `country`: whose tax years it offers; null: the most likely one's. */
export function makeLink(account: string, country: string | null = null): string {
  return `${accountLink(account)}/make${country === null ? "" : `?country=${segment(country)}`}`;
}

/** The user's files. `done`: what was just done to one of them. */
export function inputsLink(
  account: string,
  done: { readonly what: "put" | "removed"; readonly name: string } | null = null,
): string {
  return `${accountLink(account)}/files${done === null ? "" : `?${done.what}=${segment(done.name)}`}`;
}

export function inputLink(account: string, name: string): string {
  return `${inputsLink(account)}/file?name=${segment(name)}`;
}

/** Where a file of the user is removed, by POST. */
export function removalLink(account: string): string {
  return `${inputsLink(account)}/remove`;
}

/** Where a job is started, by POST. */
export function jobsLink(account: string): string {
  return `${accountLink(account)}/jobs`;
}

export function jobLink(account: string, id: string): string {
  return `${jobsLink(account)}/${segment(id)}`;
}

/** Where a job is stopped, by POST. */
export function stopLink(account: string, id: string): string {
  return `${jobLink(account, id)}/stop`;
}

function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
