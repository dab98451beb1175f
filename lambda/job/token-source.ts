import { FillbookError, usageError } from "../core/errors.ts";
import { type Fields, fieldsIn } from "../core/record.ts";
import { Token, type TokenSource } from "../core/token.ts";
import type { Credentials } from "./account-role.ts";
import { mayPass, SHORT_CALLS, type Timeouts } from "./aws-faults.ts";

/** Reads a secret's text by its name or ARN. Undefined if it has no text (a binary secret). */
export type ReadSecret = (name: string) => Promise<string | undefined>;

/**
 * The token in a Secrets Manager secret: `{"token": "…"}`, or the token alone. It is read once and kept until
 * `refresh`. `learned` is called with every token, so that it can be redacted. Errors name the secret. Their
 * kind is `incomplete` if Secrets Manager may answer later, else `usage`.
 */
export function secretToken(name: string, readSecret: ReadSecret, learned: (token: Token) => void): TokenSource {
  let kept: Promise<Token> | undefined;
  async function readNow(): Promise<Token> {
    const token = tokenIn(await secretText(name, readSecret), name);
    learned(token);
    return token;
  }
  async function refresh(): Promise<Token> {
    kept = readNow();
    try {
      return await kept;
    } catch (error) {
      kept = undefined; // a failure is not kept: the next caller tries again
      throw error;
    }
  }
  return { current: () => kept ?? refresh(), refresh };
}

async function secretText(name: string, readSecret: ReadSecret): Promise<string> {
  let text: string | undefined;
  try {
    text = await readSecret(name);
  } catch (error) {
    if (error instanceof FillbookError) {
      throw error; // of the role that reads it
    }
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const isPassing = mayPass(error);
    const message = `the secret ${name} of FILLBOOK_TOKEN_SECRET cannot be read: ${reason}`;
    throw new FillbookError(isPassing ? "incomplete" : "usage", message, {
      hint: isPassing
        ? "run again"
        : "check its name, the region (AWS_REGION), and that this role is allowed secretsmanager:GetSecretValue on it",
      cause: error,
    });
  }
  if (text === undefined) {
    throw unusable(name, "it is a binary secret");
  }
  return text.trim();
}

/** No message repeats the text, because it may be the token. */
function tokenIn(text: string, name: string): Token {
  const { token }: Fields = text.startsWith("{") ? fieldsIn(text) : { token: text };
  if (typeof token !== "string") {
    throw unusable(name, 'it looks like JSON but has no text under "token"');
  }
  try {
    return new Token(token.trim());
  } catch (error) {
    throw unusable(name, error instanceof Error ? error.message : "it is not a token", error);
  }
}

function unusable(name: string, reason: string, cause?: unknown): FillbookError {
  const message = `the secret ${name} of FILLBOOK_TOKEN_SECRET holds no usable token: ${reason}`;
  return usageError(message, 'store {"token": "…"}, or the token alone', cause);
}

/**
 * Reads from Secrets Manager. `credentials` null: the SDK's own. Loads the SDK only when a secret is read.
 */
export function secretsManager(credentials: Credentials | null, timeouts: Timeouts = SHORT_CALLS): ReadSecret {
  return async (name) => {
    const { GetSecretValueCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const region = /^arn:[^:]+:secretsmanager:([^:]+):/.exec(name)?.[1];
    const client = new SecretsManagerClient({
      requestHandler: timeouts,
      ...(region === undefined ? {} : { region }),
      ...(credentials === null ? {} : { credentials }),
    });
    try {
      return (await client.send(new GetSecretValueCommand({ SecretId: name }))).SecretString;
    } finally {
      client.destroy();
    }
  };
}
