import { setTimeout as after } from "node:timers/promises";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { openS3Store } from "../../lambda/storage/s3.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { bootstrap } from "./cdk.ts";
import { type CloudPlace, cloudPlace } from "./place.ts";

/** Clients of the emulator with the keys of the account's root user. */
export type Clients = ReturnType<typeof clientsOf>;

function clientsOf({ endpoint, region, accessKeyId, secretAccessKey }: CloudPlace) {
  const config = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  return {
    formation: new CloudFormationClient(config),
    users: new CognitoIdentityProviderClient(config),
    logs: new CloudWatchLogsClient(config),
    lambda: new LambdaClient(config),
    scheduler: new SchedulerClient(config),
    secrets: new SecretsManagerClient(config),
    states: new SFNClient(config),
  };
}

/** Empties the AWS account, creates what the CDK needs, and returns the owner's clients. */
export async function freshCloud(): Promise<{ readonly place: CloudPlace; readonly owner: Clients }> {
  const place = cloudPlace();
  const answer = await fetch(`${place.endpoint}/_ministack/reset`, { method: "POST" });
  if (!answer.ok) {
    throw new Error(`the emulator was not reset: ${answer.status}`);
  }
  await bootstrap(place);
  return { place, owner: clientsOf(place) };
}

/** An output of a stack. Throws if there is none. */
export async function outputOf(clients: Clients, stack: string, name: string): Promise<string> {
  const { Stacks: stacks } = await clients.formation.send(new DescribeStacksCommand({ StackName: stack }));
  const output = stacks?.[0]?.Outputs?.find(({ OutputKey: key }) => key === name)?.OutputValue;
  if (output === undefined) {
    throw new Error(`stack ${stack} has no output ${name}`);
  }
  return output;
}

/** The store at `s3://bucket/prefix`, as its owner reads it. */
export function storeAt({ endpoint, region, accessKeyId, secretAccessKey }: CloudPlace, uri: string): Store {
  const { host: bucket, pathname } = new URL(uri);
  const credentials = { accessKeyId, secretAccessKey };
  const client = { endpoint, region, forcePathStyle: true, credentials };
  return openS3Store({ bucket, prefix: pathname.slice(1), client });
}

export async function keysIn(store: Store, prefix: string): Promise<readonly string[]> {
  return (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);
}

const ASK_EVERY_MS = 250;

/** Calls `probe` until its result is not null, and returns that. Throws after `withinMs`. */
export async function until<T>(what: string, withinMs: number, probe: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (let found = await probe(); ; found = await probe()) {
    if (found !== null) {
      return found;
    }
    if (Date.now() > deadline) {
      throw new Error(`${what} did not happen within ${withinMs} ms`);
    }
    await after(ASK_EVERY_MS);
  }
}
