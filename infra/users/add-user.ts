import type { StackSettings } from "../settings.ts";

/** The user pool of the page. Calls reject with the SDK's errors. */
export interface Directory {
  /** Creates the user, who receives a mail with a first password. False if a user of that name exists. */
  create(name: string, mail: string): Promise<boolean>;
  /** Creates the group if it does not exist. */
  addToGroup(name: string, group: string): Promise<void>;
}

export interface Addition {
  readonly name: string;
  readonly mail: string;
  /** `accountant:main` */
  readonly groups: readonly string[];
}

export const USAGE = `Creates a user of the page, or adds groups to an existing one.

npm run user -- [-c NAME=VALUE…] add NAME MAIL GROUP…

  NAME    the name to sign in with, which the history of downloads shows
  MAIL    the address that receives the first password, which is valid for three days
  GROUP   accountant:ACCOUNT (reads, downloads, asks for packs) or operator:ACCOUNT (also reads new fills and verifies); ACCOUNT may be *
  -c      a setting of the deployment, such as -c deployment=fillbook-staging; settings in fillbook.json apply anyway

Example: npm run user -- add ann ann@example.com accountant:main
`;

const HELP = "For help: npm run user -- --help";

/** As in lambda/web/hosts/aws/claims.ts. */
const GROUP = /^(?:accountant|operator):(\*|[a-z0-9-]{1,32})$/;

/** Throws an Error whose message says what to write instead. `accounts`: those of the deployment. */
export function readAddition(argv: readonly string[], accounts: readonly string[]): Addition {
  const [command, name = "", mail = "", ...groups] = argv;
  if (command !== "add") {
    throw new Error(`there is no command ${command}: write add NAME MAIL GROUP. ${HELP}`);
  }
  const missing = ["NAME", "MAIL", "GROUP"].slice(Math.min(3, argv.length - 1));
  if (missing.length > 0) {
    throw new Error(`${listed(missing)} ${missing.length === 1 ? "is" : "are"} missing. ${HELP}`);
  }
  if (!/^[\w.@+-]{1,128}$/.test(name)) {
    throw new Error(`the name ${name} is not valid: use letters, digits and . @ + - _`);
  }
  if (!/^[^@\s]+@[^@\s]+$/.test(mail)) {
    throw new Error(`${mail} is not an email address`);
  }
  for (const group of groups) {
    const [, account] = GROUP.exec(group) ?? [];
    if (account === undefined) {
      throw new Error(`${group} is not a group: write accountant:ACCOUNT or operator:ACCOUNT`);
    }
    if (account !== "*" && !accounts.includes(account)) {
      throw new Error(`this deployment has no account ${account}. Its accounts are ${accounts.join(", ")}`);
    }
  }
  return { name, mail, groups };
}

function listed(names: readonly string[]): string {
  return names.join(", ").replace(/, (?=[^,]*$)/, " and ");
}

/** Returns what was done and what is left to do, in lines. `pageUrl`: the page's address. */
export async function addUser(
  directory: Directory,
  { name, mail, groups }: Addition,
  { pageUrl, page }: { readonly pageUrl: string; readonly page: StackSettings["page"] },
): Promise<readonly string[]> {
  const isNew = await directory.create(name, mail);
  for (const group of groups) {
    await directory.addToGroup(name, group);
  }
  const made = isNew ? `${name} was created. A first password was sent to ${mail}.` : `${name} exists already.`;
  const where =
    page === null || page.domain === null
      ? `The mail does not contain the page's address: send ${pageUrl} yourself.`
      : `The mail contains the page's address: ${pageUrl}`;
  return [made, `Groups from the next sign-in on: ${groups.join(", ")}.`, ...(isNew ? [where] : [])];
}
