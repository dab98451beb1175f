import { createHash } from "node:crypto";
import { GetFunctionConfigurationCommand } from "@aws-sdk/client-lambda";
import { AssumeRoleCommand, type Tag } from "@aws-sdk/client-sts";
import { ACCOUNT_ID } from "./cdk.ts";
import { type Clients, clientsOf } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";

/** Clients with the function's own keys. The function must have run before. */
export async function functionClients(place: CloudPlace, owner: Clients, fn: string): Promise<Clients> {
  return clientsOf(place, await functionKeys(owner, fn));
}

/** The function's keys, derived as in the emulator (lambda_runtime.py, execution_credentials). */
async function functionKeys(owner: Clients, fn: string) {
  const found = await owner.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: fn }));
  const digest = hash(`${found.FunctionArn}:${found.Role}`);
  return {
    accessKeyId: `ASIA${digest.slice(0, 16).toUpperCase()}`,
    secretAccessKey: hash(`secret:${digest}`),
    sessionToken: hash(`token:${digest}`),
  };
}

/**
 * Clients with the keys of a session that the function opens with these tags. Rejects if the session is
 * refused.
 */
export async function sessionClients(place: CloudPlace, ofFunction: Clients, tags: readonly Tag[]): Promise<Clients> {
  const command = new AssumeRoleCommand({
    RoleArn: `arn:aws:iam::${ACCOUNT_ID}:role/fillbook-account-${place.region}`,
    RoleSessionName: "a-slice",
    Tags: [...tags],
  });
  const { Credentials: keys } = await ofFunction.sts.send(command);
  if (keys?.AccessKeyId === undefined || keys.SecretAccessKey === undefined || keys.SessionToken === undefined) {
    throw new Error("the session has no keys");
  }
  return clientsOf(place, {
    accessKeyId: keys.AccessKeyId,
    secretAccessKey: keys.SecretAccessKey,
    sessionToken: keys.SessionToken,
  });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
