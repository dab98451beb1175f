import type { Clock } from "../../../core/clock.ts";
import { type Fields, fieldsIn } from "../../../core/record.ts";
import { SECOND_MS } from "../../../core/time.ts";
import { bytesUpTo } from "../../bytes-up-to.ts";
import type { HostedSettings } from "./page-settings.ts";

/** What Cognito issues. Both are secrets and go into cookies only. */
export interface Tokens {
  readonly kind: "given";
  readonly access: string;
  /** Null: the token that was sent stays valid. */
  readonly refresh: string | null;
}

/**
 * `refused`: Cognito declined. `failed`: the result is not known. The message is for the log, and contains
 * nothing that was sent or received.
 */
class Unanswered extends Error {
  readonly kind: "refused" | "failed";

  constructor(why: string, kind: "refused" | "failed" = "failed") {
    super(why);
    this.kind = kind;
  }
}

export type TokenAnswer = Tokens | Unanswered;

const DEADLINE_MS = 8 * SECOND_MS;
const MOST_BYTES = 65_536;

/** A cookie has 4,096 bytes, including its name. */
const LONGEST_TOKEN = 4000;
/** RFC 7515, 3.1. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** RFC 6749, A.17, without the characters that a cookie cannot hold. */
const OPAQUE = /^[\w.~+/=-]+$/;
export type TokenEndpoint = ReturnType<typeof openTokenEndpoint>;

/** The name of an error (RFC 6749, 4.1.2.1, 5.2). Other texts are not repeated: anybody may have written them. */
export function errorName(error: unknown): string {
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? error : "no known error";
}

/**
 * Cognito's token endpoints (RFC 6749, 7009), for a client without a secret, whose codes PKCE protects (RFC 7636).
 * No call rejects. Cognito issues a new refresh token with each use. The old one stays valid for a minute
 * (infra/page/page-stack.ts), for another tab or for a lost answer.
 */
export function openTokenEndpoint(
  { signInUrl, signInClient, origin }: Pick<HostedSettings, "signInUrl" | "signInClient" | "origin">,
  clock: Pick<Clock, "sleep">,
) {
  async function ask(path: string, fields: Readonly<Record<string, string>>): Promise<Fields | Unanswered> {
    const body = new URLSearchParams({ ...fields, client_id: signInClient });
    const over = new AbortController();
    const ended = new AbortController();
    clock.sleep(DEADLINE_MS, ended.signal).then(
      () => over.abort(),
      () => undefined, // there was an answer in time
    );
    const answer = await post(`${signInUrl}${path}`, body, over.signal).catch(() => null);
    ended.abort();
    if (answer === null) {
      return new Unanswered("no answer in time"); // what the error says may be what was sent
    }
    // A server error or throttling is no refusal.
    const { status, fields: given } = answer;
    const kind = status === 400 || status === 401 ? "refused" : "failed";
    return status === 200 ? given : new Unanswered(`${status}, ${errorName(given["error"])}`, kind);
  }

  async function tokens(fields: Readonly<Record<string, string>>): Promise<TokenAnswer> {
    const answer = await ask("/oauth2/token", fields);
    return answer instanceof Unanswered ? answer : tokensOf(answer);
  }

  return {
    exchange: (code: string, verifier: string) =>
      tokens({ grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: `${origin}/signed-in` }),
    refresh: (refreshToken: string) => tokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
    /** Null if it was revoked; otherwise why not. */
    async revoke(refreshToken: string): Promise<string | null> {
      const answer = await ask("/oauth2/revoke", { token: refreshToken });
      return answer instanceof Unanswered ? answer.message : null;
    },
  };
}

/** The bytes are counted after decompression. */
async function post(url: string, body: URLSearchParams, signal: AbortSignal) {
  const headers = { accept: "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
  const bytes = await bytesUpTo(answer.body ?? [], MOST_BYTES);
  return { status: answer.status, fields: fieldsIn(bytes?.toString() ?? "") };
}

function tokensOf({ access_token: access, refresh_token: refresh = null }: Fields): TokenAnswer {
  const wrong = (why: string) => new Unanswered(`a token answer ${why}`);
  if (typeof access !== "string" || !JWT.test(access)) {
    return wrong("without an access token");
  }
  if (refresh !== null && (typeof refresh !== "string" || !OPAQUE.test(refresh))) {
    return wrong("with an invalid refresh token");
  }
  if (access.length > LONGEST_TOKEN) {
    return wrong("with an access token too long for a cookie: the user is in too many groups");
  }
  if ((refresh ?? "").length > LONGEST_TOKEN) {
    return wrong("with a refresh token too long for a cookie");
  }
  return { kind: "given", access, refresh };
}
