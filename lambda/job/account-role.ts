import { FillbookError } from "../core/errors.ts";
import { mayPass, SHORT_CALLS, type Timeouts } from "./aws-faults.ts";

/** The session tag that names the account: the role's policies have it in every resource, so the session reaches that account and no other. */
export const ACCOUNT_TAG = "account";

export interface Session {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
}

/** As the SDK's clients take it. */
export type Credentials = () => Promise<Session>;

/** A role that reaches the account that its session's tag names. */
export interface AccountRole {
  readonly arn: string;
  /** Where its ARN was set, for messages. */
  readonly variable: string;
}

/**
 * The role, taken on for one account. Lasts an hour, which is the most for a role that was taken on by another; the SDK asks again before it ends.
 * Rejects with kind `usage` when it is refused, `incomplete` when STS does not answer.
 */
export function accountCredentials(role: AccountRole, account: string, timeouts: Timeouts = SHORT_CALLS): Credentials {
  return async () => {
    try {
      return await openSession(role.arn, account, timeouts);
    } catch (error) {
      throw sessionError(error, role);
    }
  };
}

async function openSession(roleArn: string, account: string, timeouts: Timeouts): Promise<Session> {
  const { AssumeRoleCommand, STSClient } = await import("@aws-sdk/client-sts");
  const client = new STSClient({ requestHandler: timeouts });
  try {
    const { Credentials: given } = await client.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: `fillbook-${account}`,
        Tags: [{ Key: ACCOUNT_TAG, Value: account }],
      }),
    );
    const { AccessKeyId: id, SecretAccessKey: secret, SessionToken: token, Expiration: expiration } = given ?? {};
    if (id === undefined || secret === undefined || token === undefined || expiration === undefined) {
      throw new Error("the answer has no credentials");
    }
    return { accessKeyId: id, secretAccessKey: secret, sessionToken: token, expiration };
  } finally {
    client.destroy();
  }
}

function sessionError(error: unknown, { arn, variable }: AccountRole): FillbookError {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const isRefused = !mayPass(error);
  return new FillbookError(
    isRefused ? "usage" : "incomplete",
    `the role of ${variable} cannot be taken on: ${reason}`,
    {
      hint: isRefused
        ? `check that ${arn} is there, and that its trust lets this function assume and tag it`
        : "run again",
      cause: error,
    },
  );
}
