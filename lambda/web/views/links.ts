import type { PackName } from "../packs.ts";

// Addresses of the page. The site looks up their parts and never joins them into a key.

const segment = (text: string) => encodeURIComponent(text.toWellFormed());

/** `?path=fills.csv`; what is empty or null is left out. */
function query(parts: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parts).filter(([, value]) => value !== null && value !== "");
  return given.map(([name, value], at) => `${at === 0 ? "?" : "&"}${name}=${segment(value ?? "")}`).join("");
}

export const accountLink = (account: string) => `/a/${segment(account)}`;
/** The account's page with all its packs. */
export const packsLink = (account: string) => `${accountLink(account)}?all=1#packs`;

export function packLink(account: string, { period, version }: PackName): string {
  return `${accountLink(account)}/p/${segment(period)}/${segment(version)}`;
}

/** The pack's page with all versions of its period. */
export const versionsLink = (account: string, pack: PackName) => `${packLink(account, pack)}?all=1#versions`;
export const reportLink = (account: string, pack: PackName) => `${packLink(account, pack)}/report`;
export const zipLink = (account: string, pack: PackName) => `${packLink(account, pack)}/zip`;

export function fileLink(account: string, pack: PackName, path: string): string {
  return `${packLink(account, pack)}/file${query({ path })}`;
}

/** `before`: the name of a record, as the history returned it; null: the newest records. */
export function historyLink(account: string, before: string | null = null): string {
  return `${accountLink(account)}/history${query({ before })}`;
}

/** The form of a pack. */
export const makeLink = (account: string) => `${accountLink(account)}/make`;

/** The user's files. `done`: what was just done to one of them. */
export function inputsLink(
  account: string,
  done: { readonly what: "put" | "removed"; readonly name: string } | null = null,
): string {
  return `${accountLink(account)}/files${done === null ? "" : query({ [done.what]: done.name })}`;
}

export const inputLink = (account: string, name: string) => `${inputsLink(account)}/file${query({ name })}`;
/** Where a file of the user is removed, by POST. */
export const removalLink = (account: string) => `${inputsLink(account)}/remove`;

/** Starts a job, by POST. */
export const jobsLink = (account: string) => `${accountLink(account)}/jobs`;
export const jobLink = (account: string, id: string) => `${jobsLink(account)}/${segment(id)}`;
/** Stops a job, by POST. */
export const stopLink = (account: string, id: string) => `${jobLink(account, id)}/stop`;
