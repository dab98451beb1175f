import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  CreateGroupCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Clients } from "./cloud.ts";
import { type Answered, type Asker, cookiesOf, hiddenField } from "./page-visits.ts";

const FIELDS = "client_id redirect_uri scope state response_type code_challenge code_challenge_method nonce".split(" ");

/**
 * Signs in with the requests that a browser would send. The page redirects to Cognito's page, which asks for
 * the name and a password (the first time also for a new one) and redirects back. The emulator's pages do not
 * ask for the second factor that the pool requires. Resolves to the cookies that the browser then sends.
 */
export async function signIn(ask: Asker, page: string, user: PageUser): Promise<string> {
  const turnedAway = await ask({ url: `${page}/` });
  const begun = await ask({ url: new URL(locationOf(turnedAway), page).href });
  const flow = cookieHeader(begun);
  const pool = locationOf(begun);
  const form = await ask({ url: pool });
  const login = new URL("/login", pool).href;
  const asked = Object.fromEntries(FIELDS.map((name) => [name, hiddenField(form, name)]));
  const withPassword = (password: string) =>
    ask({ url: login, method: "POST", form: { ...asked, username: user.name, password } });
  const first = await withPassword(user.firstPassword);
  const accepted = first.body.includes("np_token")
    ? await ask({
        url: login,
        method: "POST",
        form: {
          np_token: hiddenField(first, "np_token"),
          new_password: user.password,
          confirm_password: user.password,
        },
      })
    : await withPassword(user.password);
  const back = locationOf(accepted);
  const signedIn = await ask({ url: back, headers: { cookie: flow } });
  const cookies = cookieHeader(signedIn);
  if (!cookies.includes("__Host-fillbook=")) {
    throw new Error(`not signed in: ${signedIn.status} ${signedIn.body.slice(0, 500)}`);
  }
  return cookies;
}

export function locationOf({ status, headers, body }: Answered): string {
  const { location } = headers;
  if (typeof location !== "string") {
    throw new Error(`status ${status} without a redirect: ${body.slice(0, 500)}`);
  }
  return location;
}

/** The cookies that the answer sets, without those that it deletes. */
function cookieHeader(answer: Answered): string {
  return [...cookiesOf(answer)]
    .filter(([, value]) => value !== "")
    .map((pair) => pair.join("="))
    .join("; ");
}

export interface PageUser {
  readonly name: string;
  /** The initial password, which the user must change when they first sign in. */
  readonly firstPassword: string;
  readonly password: string;
}

/** Adds a user as the runbook says, to groups that are created if they do not exist. */
export async function addPageUser(
  { users }: Clients,
  pool: string,
  name: string,
  groups: readonly string[],
): Promise<PageUser> {
  const firstPassword = `First-${name}-Passw0rd!`;
  await users.send(
    new AdminCreateUserCommand({
      UserPoolId: pool,
      Username: name,
      TemporaryPassword: firstPassword,
      MessageAction: "SUPPRESS",
      UserAttributes: [{ Name: "email", Value: `${name}@example.com` }],
    }),
  );
  for (const group of groups) {
    await users.send(new CreateGroupCommand({ UserPoolId: pool, GroupName: group })).catch((error: unknown) => {
      if (!(error instanceof Error && error.name === "GroupExistsException")) {
        throw error;
      }
    });
    await users.send(new AdminAddUserToGroupCommand({ UserPoolId: pool, Username: name, GroupName: group }));
  }
  return { name, firstPassword, password: `Own-${name}-Passw0rd!` };
}
