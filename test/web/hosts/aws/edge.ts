import { gunzipSync } from "node:zlib";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";

export type HostedResult = APIGatewayProxyStructuredResultV2;

/** A request to the function, in the API's terms. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  /** Null: a route without an authorizer. */
  readonly claims?: Readonly<Record<string, unknown>> | null;
}

/** An event of an HTTP API, payload format 2.0, as its documentation shows it. */
export function eventOf(target: string, { method = "GET", headers = {}, cookies, body, claims = null }: Asked = {}) {
  const [path = "", ...query] = target.split("?");
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: query.join("?"),
    headers,
    ...(cookies === undefined ? {} : { cookies }),
    ...(body === undefined ? {} : { body: Buffer.from(body).toString("base64") }),
    isBase64Encoded: body !== undefined,
    requestContext: {
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "a browser" },
      ...(claims === null ? {} : { authorizer: { jwt: { claims, scopes: null } } }),
    },
  };
}

/** The answer's text, as a browser reads it. */
export function textOf({ headers = {}, body = "", isBase64Encoded = false }: HostedResult): string {
  const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  return (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
}

const NO_SITE = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const FROM_COGNITO = { ...NO_SITE, "sec-fetch-site": "cross-site" };
const PUBLIC = /^\/(?:sign-in|signed-in|signed-out|static\/[^/]*)$/;

/**
 * A browser with cookies, and the layers between it and the function. Without a session it is redirected to
 * the sign-in, and tokens are checked.
 */
export class Browser {
  readonly cookies = new Map<string, { value: string; sameSite: string }>();
  readonly #origin: string;
  readonly #answer: (event: unknown) => Promise<HostedResult>;
  readonly #claimsOf: (token: string) => Asked["claims"];

  /** `claimsOf`: null if the authorizer refuses the token. */
  constructor(
    origin: string,
    answer: (event: unknown) => Promise<HostedResult>,
    claimsOf: (token: string) => Asked["claims"],
  ) {
    [this.#origin, this.#answer, this.#claimsOf] = [origin, answer, claimsOf];
  }

  /** One request, without following redirects. `isForeign`: a link on another site leads here. */
  async ask(target: string, asked: Asked & { readonly isForeign?: boolean } = {}): Promise<HostedResult> {
    const { isForeign = false, ...given } = asked;
    const path = target.split("?")[0] ?? "";
    const cookies = [...this.cookies]
      .filter(([, { sameSite }]) => !isForeign || sameSite === "Lax")
      .map(([name, { value }]) => `${name}=${value}`);
    const headers = { ...(isForeign ? FROM_COGNITO : NO_SITE), "accept-encoding": "gzip, br", ...given.headers };
    const token = this.cookies.get("__Host-fillbook")?.value;
    const isKnown = token !== undefined && cookies.some((cookie) => cookie.startsWith("__Host-fillbook="));
    if (PUBLIC.test(path)) {
      return await this.#send(eventOf(target, { ...given, headers, cookies }));
    }
    if (!isKnown) {
      return { statusCode: 302, headers: { location: `/sign-in?to=${encodeURIComponent(target)}` } };
    }
    const claims = this.#claimsOf(token) ?? null;
    const checked = { ...given, headers: { ...headers, authorization: `Bearer ${token}` }, cookies, claims };
    return claims === null ? { statusCode: 401, body: "" } : await this.#send(eventOf(target, checked));
  }

  /** Follows redirects, and pages that refresh to another address. */
  async visit(target: string): Promise<HostedResult & { readonly trail: readonly string[] }> {
    const trail: string[] = [];
    let isForeign = false;
    let next: string | undefined = new URL(target, this.#origin).href;
    let last: HostedResult = {};
    for (let hops = 0; next !== undefined && hops < 10; hops += 1) {
      const url = new URL(next);
      trail.push(`${url.origin === this.#origin ? "" : "out:"}${url.pathname}`);
      const isOurs = url.origin === this.#origin;
      last = isOurs ? await this.ask(`${url.pathname}${url.search}`, { isForeign }) : await outside(url);
      const refresh = /^0; url=(?<to>.*)$/s.exec(String(last.headers?.["refresh"] ?? ""))?.groups?.["to"];
      const location = last.headers?.["location"];
      const to = refresh ?? (location === undefined ? undefined : String(location));
      // After a redirect, the origin of the navigation stays. A page that refreshes is the new origin.
      isForeign = refresh === undefined && (isForeign || !isOurs);
      next = to === undefined ? undefined : new URL(to, url).href;
    }
    return { ...last, trail };
  }

  async #send(event: unknown): Promise<HostedResult> {
    const result = await this.#answer(event);
    for (const line of result.cookies ?? []) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      const name = pair.slice(0, at);
      const sameSite = attributes.find((one) => one.startsWith("SameSite="))?.slice("SameSite=".length) ?? "";
      if (attributes.includes("Max-Age=0")) {
        this.cookies.delete(name);
      } else {
        this.cookies.set(name, { value: pair.slice(at + 1), sameSite });
      }
    }
    return result;
  }
}

async function outside(url: URL): Promise<HostedResult> {
  const answer = await fetch(url, { redirect: "manual" });
  const location = answer.headers.get("location");
  return {
    statusCode: answer.status,
    headers: location === null ? {} : { location },
    body: await answer.text(),
  };
}
