import { hash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen, stop } from "../../../support/loopback.ts";

/** Who signs in, as the pool knows them. */
export interface PoolUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** What an endpoint does instead of its answer. */
export type Fault = (response: ServerResponse) => void;

/** What a token was issued for. */
interface SignedIn {
  readonly user: PoolUser;
  /** The id of the sign-in. Renewed tokens keep it. */
  readonly session: string;
}

interface Code {
  readonly user: PoolUser;
  readonly challenge: string;
  readonly redirectUri: string;
}

/**
 * A pool's managed login and token endpoints on 127.0.0.1, by RFC 6749 (4.1, 5, 6), 7636 and 7009. It
 * has one client, without a secret, and its user signs in at once. It accepts a code once, with the
 * verifier of its request. A refresh token gives a new one.
 */
export class CognitoDouble {
  static readonly CLIENT = "7client0of0the0page";
  readonly origin: string;
  url = "";
  /** Who is at the login page; null: they cancel. */
  user: PoolUser | null = { name: "ann", groups: ["accountant:main"] };
  /** Names of the requested endpoints. */
  readonly asked: string[] = [];
  /** All secrets that were issued. */
  readonly secrets: string[] = [];
  fault: Fault | null = null;
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Map<string, SignedIn>();
  readonly #claims = new Map<string, Readonly<Record<string, string>>>();
  readonly #server: Server;

  constructor(origin: string) {
    this.origin = origin;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
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

  /** The claims as the API's authorizer passes them on; null: the token is not from this pool. */
  claimsOf(token: string): Readonly<Record<string, string>> | null {
    return this.#claims.get(token) ?? null;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    this.asked.push(url.pathname);
    const form = new URLSearchParams(await text(request));
    if (this.fault !== null) {
      this.fault(response);
      return;
    }
    if (request.method === "GET" && url.pathname === "/oauth2/authorize") {
      this.#authorize(url.searchParams, response);
      return;
    }
    const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
    if (request.method !== "POST" || !isForm) {
      json(response, 400, { error: "invalid_request" });
    } else if (form.get("client_id") !== CognitoDouble.CLIENT) {
      json(response, 401, { error: "invalid_client" });
    } else if (url.pathname === "/oauth2/token") {
      this.#token(form, response);
    } else if (url.pathname === "/oauth2/revoke") {
      this.#refreshTokens.delete(form.get("token") ?? "");
      response.writeHead(200).end(); // RFC 7009, 2.2: also for unknown tokens
    } else {
      response.writeHead(404).end();
    }
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const redirectUri = asked.get("redirect_uri") ?? "";
    if (asked.get("client_id") !== CognitoDouble.CLIENT || redirectUri !== `${this.origin}/signed-in`) {
      response.writeHead(400).end("to nowhere"); // RFC 6749, 4.1.2.1: it must not redirect there
      return;
    }
    const back = (fields: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams({ ...fields, state: asked.get("state") ?? "" });
      response.writeHead(302, { location: `${redirectUri}?${query}` }).end();
    };
    const challenge = asked.get("code_challenge") ?? "";
    const isRight =
      asked.get("response_type") === "code" &&
      asked.get("scope") === "openid" &&
      asked.get("code_challenge_method") === "S256" &&
      /^[A-Za-z0-9_-]{43}$/.test(challenge) &&
      (asked.get("state") ?? "").length >= 16;
    if (!isRight) {
      back({ error: "invalid_request" });
    } else if (this.user === null) {
      back({ error: "access_denied" });
    } else {
      const code = this.#secret();
      this.#codes.set(code, { user: this.user, challenge, redirectUri });
      back({ code });
    }
  }

  #token(form: URLSearchParams, response: ServerResponse): void {
    const type = form.get("grant_type");
    if (type === "authorization_code") {
      this.#exchange(form, response);
    } else if (type === "refresh_token") {
      const kept = this.#refreshTokens.get(form.get("refresh_token") ?? "");
      if (kept === undefined) {
        json(response, 400, { error: "invalid_grant" });
      } else {
        this.#give(kept, response);
      }
    } else {
      json(response, 400, { error: "unsupported_grant_type" });
    }
  }

  #exchange(form: URLSearchParams, response: ServerResponse): void {
    const code = this.#codes.get(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    this.#codes.delete(form.get("code") ?? "");
    const isRight =
      form.get("redirect_uri") === code?.redirectUri &&
      /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
      hash("sha256", verifier, "base64url") === code.challenge;
    if (isRight) {
      this.#give({ user: code.user, session: this.#secret() }, response);
    } else {
      json(response, 400, { error: "invalid_grant" });
    }
  }

  #give(signedIn: SignedIn, response: ServerResponse): void {
    const { user, session } = signedIn;
    const access = `eyJh.${this.#secret()}.${this.#secret()}`;
    const groups = `[${user.groups.join(" ")}]`;
    this.#claims.set(access, {
      token_use: "access",
      username: user.name,
      "cognito:groups": groups,
      origin_jti: session,
    });
    // Five parts, as in Cognito's tokens; the second is empty.
    const refresh = `eyJjdHkiOiJKV1QifQ..${this.#secret()}.${this.#secret()}.${this.#secret()}`;
    this.#refreshTokens.set(refresh, signedIn);
    json(response, 200, { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: refresh });
  }

  #secret(): string {
    const secret = randomBytes(24).toString("base64url");
    this.secrets.push(secret);
    return secret;
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
