import {
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { SHORT_CALLS } from "../../../job/aws-faults.ts";
import type { HostedSettings } from "./page-settings.ts";

/**
 * Returns the secret with which the page authenticates itself to Cognito. It is read once and kept in memory
 * only, so that no template, variable or log contains it. `refused`: a secret that Cognito no longer accepts;
 * the secret is then read again. Rejects with the SDK's errors.
 */
export type ClientSecret = (signal: AbortSignal, refused?: string) => Promise<string>;

export function clientSecret({
  userPool,
  signInClient,
}: Pick<HostedSettings, "userPool" | "signInClient">): ClientSecret {
  const cognito = new CognitoIdentityProviderClient({ requestHandler: SHORT_CALLS });
  const command = new DescribeUserPoolClientCommand({ UserPoolId: userPool, ClientId: signInClient });
  let known: string | null = null;
  return async (abortSignal, refused) => {
    if (known === null || known === refused) {
      const { UserPoolClient: client } = await cognito.send(command, { abortSignal });
      if (client?.ClientSecret === undefined) {
        throw Object.assign(new Error("the client has no secret"), { name: "NoClientSecret" });
      }
      known = client.ClientSecret;
    }
    return known;
  };
}
