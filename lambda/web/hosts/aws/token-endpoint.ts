import type { Clock } from "../../../core/clock.ts";
import { fieldsIn } from "../../../core/record.ts";
import { SECOND_MS } from "../../../core/time.ts";
import { nameOf } from "../../../storage/s3-errors.ts";
import { bytesUpTo } from "../../bytes-up-to.ts";
import type { ClientSecret } from "./client-secret.ts";
import type { HostedSettings } from "./page-settings.ts";

/** What Cognito issues. Both are secrets and go into cookies only. */
export interface Tokens {
  readonly access: string;
  /** Null: the token that was sent stays valid. */
  readonly refresh: string | null;
}

/**
 * `refused`: Cognito declined. `failed`: the result is not known. `why` is for the log, and contains nothing
 * that was sent or received.
 */
export type TokenAnswer =
  | { readonly kind: "given"; readonly tokens: Tokens }
  | { readonly kind: "refused" | "failed"; readonly why: string };

const DEADLINE_MS = 8 * SECOND_MS;
const MOST_BYTES = 65_536;

/** A cookie has 4,096 bytes, including its name. */
const LONGEST_TOKEN = 4000;
/** RFC 7515, 3.1. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** RFC 6749, A.17, without the characters that a cookie cannot hold. */
const OPAQUE = /^[\w.~+/=-]+$/;
/** RFC 6749, 5.2. Other values are not repeated, because their origin is unknown. */
const ERRORS = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
];

export type TokenEndpoint = ReturnType<typeof openTokenEndpoint>;

/**
 * Cognito's token endpoints (RFC 6749, 7009), for a client that authenticates with its secret (RFC 6749,
 * 2.3.1). No call rejects. Cognito issues a new refresh token with each use. The old one stays valid for a
 * minute (infra/page/page-stack.ts), for another tab or for a lost answer.
 */
export function openTokenEndpoint(
  { signInUrl, signInClient, origin }: Pick<HostedSettings, "signInUrl" | "signInClient" | "origin">,
  clock: Pick<Clock, "sleep">,
  secret: ClientSecret,
) {
  /** A text says why there is no answer. */
  async function send(path: string, fields: Readonly<Record<string, string>>): Promise<Answer | string> {
    const body = new URLSearchParams({ ...fields, client_id: signInClient });
    const over = new AbortController();
    const ended = new AbortController();
    clock.sleep(DEADLINE_MS, ended.signal).then(
      () => over.abort(),
      () => undefined, // there was an answer in time
    );
    const ask = (shown: string) => post(`${signInUrl}${path}`, body, basic(signInClient, shown), over.signal);
    try {
      const shown = await secret(over.signal);
      const answer = await ask(shown);
      if (typeof answer === "string" || errorIn(answer) !== "invalid_client") {
        return answer;
      }
      const newer = await secret(over.signal, shown);
      return newer === shown ? answer : await ask(newer);
    } catch (error) {
      return `the client's secret cannot be read: ${nameOf(error)}`;
    } finally {
      ended.abort();
    }
  }

  async function askForTokens(fields: Readonly<Record<string, string>>): Promise<TokenAnswer> {
    const answer = await send("/oauth2/token", fields);
    if (typeof answer === "string") {
      return { kind: "failed", why: answer };
    }
    return answer.status === 200 ? tokensOf(answer.body) : refusalOf(answer);
  }

  return {
    exchange: (code: string, verifier: string) =>
      askForTokens({
        grant_type: "authorization_code",
        code,
        code_verifier: verifier,
        redirect_uri: `${origin}/signed-in`,
      }),
    refresh: (refreshToken: string) => askForTokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
    /** Null if it was revoked; otherwise why not. */
    async revoke(refreshToken: string): Promise<string | null> {
      const answer = await send("/oauth2/revoke", { token: refreshToken });
      if (typeof answer === "string") {
        return answer;
      }
      return answer.status === 200 ? null : refusalOf(answer).why;
    },
  };
}

/** RFC 6749, 2.3.1. Cognito's secrets are letters and digits, so they need no encoding. */
function basic(client: string, secret: string): string {
  return `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`;
}

/** A text says why there is no answer. */
async function post(
  url: string,
  body: URLSearchParams,
  authorization: string,
  signal: AbortSignal,
): Promise<Answer | string> {
  try {
    const headers = { accept: "application/json", authorization };
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
    return { status: answer.status, body: await textOf(answer) };
  } catch {
    return "no answer in time"; // the error may hold what was sent
  }
}

interface Answer {
  readonly status: number;
  /** Null if it is too large. */
  readonly body: string | null;
}

/** The bytes are counted after decompression. */
async function textOf({ body }: Response): Promise<string | null> {
  return (await bytesUpTo(body ?? [], MOST_BYTES))?.toString() ?? null;
}

function tokensOf(body: string | null): TokenAnswer {
  const given = fieldsIn(body ?? "");
  const { access_token: access, refresh_token: refresh = null, token_type: type, expires_in: seconds } = given;
  const wrong = (why: string): TokenAnswer => ({ kind: "failed", why: `a token answer ${why}` });
  if (typeof access !== "string" || !JWT.test(access)) {
    return wrong("without an access token");
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    return wrong("of another type than Bearer");
  }
  if (!Number.isSafeInteger(seconds) || Number(seconds) <= 0) {
    return wrong("without a lifetime");
  }
  if (refresh !== null && (typeof refresh !== "string" || !OPAQUE.test(refresh))) {
    return wrong("with an invalid refresh token");
  }
  if (access.length > LONGEST_TOKEN) {
    return wrong("with an access token too long for a cookie: the user is in too many groups");
  }
  if (refresh !== null && refresh.length > LONGEST_TOKEN) {
    return wrong("with a refresh token too long for a cookie");
  }
  return { kind: "given", tokens: { access, refresh } };
}

/** A client error (4xx) is a refusal. A server error or throttling is not. */
function refusalOf(answer: Answer): { readonly kind: "refused" | "failed"; readonly why: string } {
  const { status } = answer;
  const isRefusal = status === 400 || status === 401;
  return { kind: isRefusal ? "refused" : "failed", why: `${status}, ${errorIn(answer) ?? "no known error"}` };
}

function errorIn({ body }: Answer): string | undefined {
  const { error } = fieldsIn(body ?? "");
  return ERRORS.find((one) => one === error);
}
