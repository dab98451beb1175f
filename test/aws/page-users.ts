import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  CreateGroupCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Clients } from "./cloud.ts";

export interface PageUser {
  readonly name: string;
  /** That the user was given, and must change when they first sign in. */
  readonly firstPassword: string;
  readonly password: string;
}

/** As the runbook says: a user, in groups that are made if they are not there. */
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
