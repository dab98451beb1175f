import type { PackName } from "../packs.ts";

/** Addresses of the page. The site looks up their parts and never joins them into a key. */

export function accountLink(account: string): string {
  return `/a/${segment(account)}`;
}

/** A part of a list. `find`: what is looked for; empty: all. */
export interface ListPart {
  readonly find: string;
  readonly page: number;
}

export const ALL: ListPart = { find: "", page: 1 };

function listQuery({ find, page }: ListPart): string {
  const query = [...(find === "" ? [] : [`find=${segment(find)}`]), ...(page === 1 ? [] : [`page=${page}`])];
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

/** The list of accounts. `find`: a part of a name. */
export function accountsLink(part: ListPart): string {
  return `/${listQuery(part)}`;
}

/** The account's page with packs of other periods. `find`: a name or a year. */
export function packsLink(account: string, part: ListPart): string {
  return `${accountLink(account)}${listQuery(part)}#packs`;
}

export function packLink(account: string, { period, version }: PackName): string {
  return `${accountLink(account)}/p/${segment(period)}/${segment(version)}`;
}

/** The pack's page with another part of its period's versions. */
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

/** `before`: the name of a record, as the history returned it; null: the newest records. */
export function historyLink(account: string, before: string | null = null): string {
  return `${accountLink(account)}/history${before === null ? "" : `?before=${segment(before)}`}`;
}

/** The form of a pack. `country`: whose tax years it offers; null: the most likely country. */
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

/** The page whose form sends to this path of the account. */
export function formLink(path: string, account: string): string {
  const rest = path.split("/").slice(3);
  switch (rest[0]) {
    case "jobs":
      return rest[1] === undefined ? makeLink(account) : jobLink(account, rest[1]);
    case "files":
      return inputsLink(account);
    default:
      return accountLink(account);
  }
}

/** Starts a job, by POST. */
export function jobsLink(account: string): string {
  return `${accountLink(account)}/jobs`;
}

export function jobLink(account: string, id: string): string {
  return `${jobsLink(account)}/${segment(id)}`;
}

/** Stops a job, by POST. */
export function stopLink(account: string, id: string): string {
  return `${jobLink(account, id)}/stop`;
}

function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
