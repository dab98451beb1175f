/** Addresses of the page. What stands in them is looked up by the site, never joined into a key. */

export function accountLink(account: string): string {
  return `/a/${segment(account)}`;
}

export function packLink(account: string, { period, version }: PackName): string {
  return `${accountLink(account)}/p/${segment(period)}/${segment(version)}`;
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

export function historyLink(account: string): string {
  return `${accountLink(account)}/history`;
}

/** Where a job is started, by POST. */
export function jobsLink(account: string): string {
  return `${accountLink(account)}/jobs`;
}

export function jobLink(account: string, id: string): string {
  return `${jobsLink(account)}/${segment(id)}`;
}

export interface PackName {
  readonly period: string;
  readonly version: string;
}

function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
