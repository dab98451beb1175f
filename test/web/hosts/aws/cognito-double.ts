import { hash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen, stop } from "../../../support/loopback.ts";

/** What the endpoints answer: an error's name, or tokens. */
type Answer = [status: number, body?: object];

/** The claims as the API's authorizer passes them on. */
type Claims = Readonly<Record<string, string>>;

/** Of the one user, who signs in at once. */
const ANN = { token_use: "access", username: "ann", "cognito:groups": "[accountant:main]" };

/**
 * A pool's managed login and token endpoints on 127.0.0.1, by RFC 6749 (4.1, 5, 6), 7636 and 7009. It
 * has one client, without a secret. It accepts a code once, with the verifier of its request. A refresh token
 * gives a new one.
 */
export class CognitoDouble {
  static readonly CLIENT = "7client0of0the0page";
  url = "";
  /** Names of the requested endpoints. */
  readonly asked: string[] = [];
  /** All secrets that were issued. */
  readonly secrets: string[] = [];
  /** What an endpoint does instead of its answer. */
  fault: ((response: ServerResponse) => void) | null = null;
  readonly #returnTo: string;
  /** The challenge of each code. */
  readonly #codes = new Map<string, string>();
  readonly #refreshTokens = new Map<string, Claims>();
  readonly #claims = new Map<string, Claims>();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  constructor(origin: string) {
    this.#returnTo = `${origin}/signed-in`;
  }

  async start(): Promise<this> {
    this.url = await listen(this.#server);
    return this;
  }

  stop(): Promise<void> {
    return stop(this.#server);
  }

  /** Ends all sessions, as an administrator can. */
  revokeAll(): void {
    this.#refreshTokens.clear();
  }

  /** Null: the token is not from this pool. */
  claimsOf(token: string): Claims | null {
    return this.#claims.get(token) ?? null;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", this.url);
    this.asked.push(pathname);
    const form = new URLSearchParams(await text(request));
    if (this.fault !== null) {
      this.fault(response);
    } else if (request.method === "GET" && pathname === "/oauth2/authorize") {
      const location = this.#authorize(Object.fromEntries(searchParams));
      response.writeHead(location === null ? 400 : 302, location === null ? {} : { location }).end();
    } else {
      const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
      const isPost = request.method === "POST" && isForm;
      const [status, body] = isPost ? this.#post(pathname, form) : refusal("invalid_request");
      response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
    }
  }

  /** Where the login leads. Null: nowhere, as the address is not the client's (RFC 6749, 4.1.2.1). */
  #authorize(asked: Claims): string | null {
    const { client_id, redirect_uri, state = "", code_challenge = "" } = asked;
    if (client_id !== CognitoDouble.CLIENT || redirect_uri !== this.#returnTo) {
      return null;
    }
    const isRight =
      asked["response_type"] === "code" &&
      asked["scope"] === "openid" &&
      asked["code_challenge_method"] === "S256" &&
      /^[A-Za-z0-9_-]{43}$/.test(code_challenge) &&
      state.length >= 16;
    const code = this.#secret();
    this.#codes.set(code, code_challenge);
    return `${redirect_uri}?${new URLSearchParams({ ...(isRight ? { code } : { error: "invalid_request" }), state })}`;
  }

  #post(pathname: string, form: URLSearchParams): Answer {
    const given = (name: string) => form.get(name) ?? "";
    if (given("client_id") !== CognitoDouble.CLIENT) {
      return [401, { error: "invalid_client" }];
    }
    if (pathname === "/oauth2/revoke") {
      this.#refreshTokens.delete(given("token"));
      return [200]; // RFC 7009, 2.2: also for unknown tokens
    }
    if (given("grant_type") === "refresh_token") {
      const kept = this.#refreshTokens.get(given("refresh_token"));
      return kept === undefined ? refusal("invalid_grant") : this.#give(kept);
    }
    const [verifier, challenge] = [given("code_verifier"), this.#codes.get(given("code"))];
    this.#codes.delete(given("code"));
    const isRight =
      given("grant_type") === "authorization_code" &&
      given("redirect_uri") === this.#returnTo &&
      /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
      hash("sha256", verifier, "base64url") === challenge;
    return isRight ? this.#give({ ...ANN, origin_jti: this.#secret() }) : refusal("invalid_grant");
  }

  /** Renewed tokens keep the id of the sign-in. */
  #give(claims: Claims): Answer {
    const access = `eyJh.${this.#secret()}.${this.#secret()}`;
    this.#claims.set(access, claims);
    // Five parts, as in Cognito's tokens; the second is empty.
    const refresh = `eyJjdHkiOiJKV1QifQ..${this.#secret()}.${this.#secret()}.${this.#secret()}`;
    this.#refreshTokens.set(refresh, claims);
    return [200, { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: refresh }];
  }

  #secret(): string {
    const secret = randomBytes(24).toString("base64url");
    this.secrets.push(secret);
    return secret;
  }
}

function refusal(error: string): Answer {
  return [400, { error }];
}
