import { FillbookError } from "../core/errors.ts";
import { mayPass, SHORT_CALLS, type Timeouts } from "./aws-faults.ts";

/**
 * The session tag that names the account. The role's policies use it in every resource, so the session can
 * reach this account and no other.
 */
export const ACCOUNT_TAG = "account";

export interface Session {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
}

/** As the SDK's clients expect it. */
export type Credentials = () => Promise<Session>;

/** A role that can reach only the account in its session's tag. */
export interface AccountRole {
  readonly arn: string;
  /** The variable that gave the ARN, for messages. */
  readonly variable: string;
}

/**
 * Credentials of the role for one account. They last an hour, the longest that AWS allows when one role
 * assumes another; the SDK asks again before they end. Rejects with kind `usage` if the role is refused, and
 * with `incomplete` if STS does not answer.
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
  return new FillbookError(isRefused ? "usage" : "incomplete", `the role in ${variable} cannot be assumed: ${reason}`, {
    hint: isRefused
      ? `check that ${arn} exists, and that its trust policy lets this function assume and tag it`
      : "run again",
    cause: error,
  });
}
