import type { PackName } from "../packs.ts";

// Addresses of the page. The site looks up their parts and never joins them into a key.

const segment = (text: string) => encodeURIComponent(text.toWellFormed());

const query = (name: string, value: string) => `?${name}=${segment(value)}`;

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
  return `${packLink(account, pack)}/file${query("path", path)}`;
}

export const historyLink = (account: string) => `${accountLink(account)}/history`;

/** The form of a pack. */
export const makeLink = (account: string) => `${accountLink(account)}/make`;

/** The user's files. `put`: the one that was just put up. */
export function inputsLink(account: string, put?: string): string {
  return `${accountLink(account)}/files${put === undefined ? "" : query("put", put)}`;
}

export const inputLink = (account: string, name: string) => `${inputsLink(account)}/file${query("name", name)}`;
/** Where a file of the user is removed, by POST. */
export const removalLink = (account: string) => `${inputsLink(account)}/remove`;

/** Starts a job, by POST. */
export const jobsLink = (account: string) => `${accountLink(account)}/jobs`;
export const jobLink = (account: string, id: string) => `${jobsLink(account)}/${segment(id)}`;
/** Stops a job, by POST. */
export const stopLink = (account: string, id: string) => `${jobLink(account, id)}/stop`;
