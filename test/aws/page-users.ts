import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  CreateGroupCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Clients } from "./cloud.ts";

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
