import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  CognitoIdentityProviderClient,
  CreateGroupCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Directory } from "./add-user.ts";

/** The user pool, reached with the environment's credentials. */
export function cognitoDirectory(pool: string): Directory {
  const client = new CognitoIdentityProviderClient();
  return {
    async create(name, mail) {
      const attributes = { email: mail, email_verified: "true" }; // by which a forgotten password is set anew
      const command = new AdminCreateUserCommand({
        UserPoolId: pool,
        Username: name,
        UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
        DesiredDeliveryMediums: ["EMAIL"],
      });
      return await unlessThere(client.send(command), "UsernameExistsException");
    },
    async addToGroup(name, group) {
      await unlessThere(
        client.send(new CreateGroupCommand({ UserPoolId: pool, GroupName: group })),
        "GroupExistsException",
      );
      await client.send(new AdminAddUserToGroupCommand({ UserPoolId: pool, Username: name, GroupName: group }));
    },
  };
}

/** False if it existed already. */
async function unlessThere(made: Promise<unknown>, name: string): Promise<boolean> {
  try {
    await made;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === name) {
      return false;
    }
    throw error;
  }
}
