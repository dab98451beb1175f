import { hash } from "node:crypto";
import type { Random } from "../../../core/random.ts";
import { cookieOf, type PageAnswer, type PageRequest } from "../../request.ts";
import { notFromThere, page, wrongMethod } from "../../routes/answers.ts";
import { foreignPost, isSameSecret, loadedFrom } from "../../security.ts";
import { leadingOnPage, signedOutPage, signInFailedPage, signInPage, tryAgainPage } from "../../views/notices.ts";
import type { HostedSettings } from "./page-settings.ts";
import { returnPath } from "./return-path.ts";
import type { TokenAnswer, TokenEndpoint, Tokens } from "./token-endpoint.ts";

export interface SignInParts {
  readonly settings: Pick<HostedSettings, "signInUrl" | "signInClient" | "origin">;
  readonly endpoint: TokenEndpoint;
  readonly random: Pick<Random, "id">;
  /** Called with the reason why the session could not be ended at Cognito too. */
  readonly unrevoked: (why: string) => void;
}

/** Values of Sec-Fetch-Site. */
const ELSEWHERE = ["cross-site", "same-site"];
/** A POST route of the site (routes/table.ts). */
const SIGN_OUT = "/sign-out";
/**
 * The most time between leaving for Cognito and returning: enough to choose a first password and set up an
 * authenticator app.
 */
const FLOW_SECONDS = 3600;
/** RFC 6749, A.11; Cognito's codes are UUIDs. */
const CODE = /^[\x21-\x7e]{1,2048}$/;
/** RFC 6749, 4.1.2.1. The log repeats no other value, because anybody can write one into an address. */
const ERRORS = [
  "invalid_request",
  "unauthorized_client",
  "access_denied",
  "unsupported_response_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
];

/**
 * Signs in through Cognito's managed login: an authorization code with PKCE (RFC 6749, 7636), as a client
 * with a secret.
 */
export function createSignIn(parts: SignInParts) {
  const { settings, endpoint, random } = parts;
  const { signInUrl, signInClient, origin } = settings;

  /** Renews the session with the refresh token if there is one; otherwise sends the user to Cognito. */
  async function begin(request: PageRequest): Promise<PageAnswer> {
    const to = returnPath(request.query.get("to"));
    if (ELSEWHERE.includes(request.headers["sec-fetch-site"] ?? "")) {
      // A request from another site brings no Strict cookie. The page repeats it from this site, which does.
      return leadingOn("Opening", `/sign-in?to=${encodeURIComponent(withoutDownload(to))}`, []);
    }
    const kept = refreshTokenOf(request);
    if (kept === null) {
      return toCognito(to, request, []);
    }
    const answer = await endpoint.refresh(kept);
    if (answer.kind === "given") {
      return { status: 302, headers: { location: to }, cookies: sessionCookies(answer.tokens), body: "" };
    }
    const gone = answer.kind === "refused" ? [forgotten(REFRESH)] : [];
    return { ...toCognito(to, request, gone), refused: `the session was not renewed: ${answer.why}` };
  }

  /** Tabs that sign in at the same time share one flow; the first to return completes it. */
  function toCognito(to: string, request: PageRequest, cookies: readonly string[]): PageAnswer {
    const begun = readFlow(cookieOf(request, FLOW));
    const { state, verifier } = begun ?? { state: random.id(), verifier: `${random.id()}.${random.id()}` };
    const flow: Flow = { state, verifier, to };
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: signInClient,
      redirect_uri: `${origin}/signed-in`,
      scope: "openid",
      state: flow.state,
      code_challenge_method: "S256",
      code_challenge: hash("sha256", flow.verifier, "base64url"),
    });
    return {
      status: 302,
      headers: { location: `${signInUrl}/oauth2/authorize?${asked}` },
      cookies: [...cookies, flowCookie(flowText(flow), FLOW_SECONDS)],
      body: "",
    };
  }

  /**
   * The return from Cognito. It works once, in the browser that was sent there, and leads to the page that
   * the user wanted.
   */
  async function end(request: PageRequest): Promise<PageAnswer> {
    const { query } = request;
    const flow = readFlow(cookieOf(request, FLOW));
    if (flow === null) {
      return failed("no sign-in is in progress here", "/");
    }
    const to = returnPath(flow.to);
    if (!isSameSecret(query.get("state") ?? "", flow.state)) {
      return failed("the state of another sign-in", to); // the user's own goes on
    }
    const over = [forgotten(FLOW)];
    const error = query.get("error");
    if (error !== null) {
      const known = ERRORS.find((one) => one === error) ?? "an unknown error";
      return failed(`Cognito answered ${known}`, to, over);
    }
    const code = query.get("code") ?? "";
    if (!CODE.test(code)) {
      return failed("Cognito answered without a code", to, over);
    }
    const answer = await endpoint.exchange(code, flow.verifier);
    // A redirect would still count as coming from Cognito's site, and would bring no Strict cookie.
    return answer.kind === "given"
      ? leadingOn("Signed in", to, [...over, ...sessionCookies(answer.tokens)])
      : failed(`no tokens for the code: ${answer.why}`, to, over, answer.kind);
  }

  /** A POST whose token had expired: after renewing the token, the browser sends the same POST again. */
  async function goOn(request: PageRequest): Promise<PageAnswer> {
    const foreign = foreignPost(request, origin);
    if (foreign !== null) {
      return notFromThere(foreign);
    }
    if (request.query.get("to") === SIGN_OUT) {
      return await signOut(request);
    }
    const kept = refreshTokenOf(request);
    const answer = kept === null ? null : await endpoint.refresh(kept);
    if (answer?.kind === "given") {
      const headers = { location: returnPath(request.query.get("to")) };
      return { status: 307, headers, cookies: sessionCookies(answer.tokens), body: "" };
    }
    const why = `a post after the session ended: ${answer?.why ?? "there is no session to renew"}`;
    if (answer?.kind === "failed") {
      return { ...page(tryAgainPage(), 503), refused: why };
    }
    const cookies = answer === null ? [] : [forgotten(REFRESH)];
    return { ...page(signInPage(), 401), cookies, refused: why };
  }

  /** Call only after checking that the POST is the user's own. */
  async function signOut(request: PageRequest): Promise<PageAnswer> {
    const kept = refreshTokenOf(request);
    const why = kept === null ? null : await endpoint.revoke(kept);
    if (why !== null) {
      parts.unrevoked(why);
    }
    const leave = new URLSearchParams({ client_id: signInClient, logout_uri: `${origin}/signed-out` });
    return leadingOn("Signing out", `${signInUrl}/logout?${leave}`, [
      forgotten(SESSION),
      forgotten(REFRESH),
      forgotten(FLOW),
    ]);
  }

  return {
    /** Null if the path is not one of signing in or out. */
    answer(request: PageRequest): Promise<PageAnswer> | null {
      switch (request.path) {
        case "/sign-in":
          return request.method === "POST" ? goOn(request) : onlyGet(request, begin);
        case "/signed-in":
          return onlyGet(request, end);
        case "/signed-out":
          return onlyGet(request, () => Promise.resolve(page(signedOutPage())));
        default:
          return null;
      }
    },
    signOut,
  };
}

/** The access token: whoever has it is signed in. */
const SESSION = "__Host-fillbook";
/** The refresh token, which gets the next access token. */
const REFRESH = "__Host-fillbook-refresh";
/** The sign-in in progress. */
const FLOW = "__Host-fillbook-flow";

const HOST_ONLY = "Path=/; Secure; HttpOnly";

function refreshTokenOf(request: PageRequest): string | null {
  return cookieOf(request, REFRESH) || null;
}

/** Sent only with requests from this site, and forgotten with the browser's session. */
function sessionCookie(name: string, value: string): string {
  return `${name}=${value}; ${HOST_ONLY}; SameSite=Strict`;
}

/** Also sent when another site leads here. */
function flowCookie(value: string, maxAgeSeconds: number): string {
  return `${FLOW}=${value}; ${HOST_ONLY}; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
}

function forgotten(name: string): string {
  return `${name}=; ${HOST_ONLY}; SameSite=${name === FLOW ? "Lax" : "Strict"}; Max-Age=0`;
}

function sessionCookies({ access, refresh }: Tokens): readonly string[] {
  const kept = refresh === null ? [] : [sessionCookie(REFRESH, refresh)];
  return [sessionCookie(SESSION, access), ...kept];
}

/**
 * Leads on with a page instead of a redirect: a redirected request still counts as coming from the first
 * site, and after a form's POST browsers apply `form-action` to it, which allows this origin only.
 */
function leadingOn(title: Parameters<typeof leadingOnPage>[0], to: string, cookies: readonly string[]): PageAnswer {
  return { ...page(leadingOnPage(title, to), 200, { refresh: `0; url=${to}` }), cookies };
}

function failed(
  why: string,
  to: string,
  cookies: readonly string[] = [],
  kind: TokenAnswer["kind"] = "refused",
): PageAnswer {
  return { ...page(signInFailedPage(to), kind === "failed" ? 502 : 400), cookies, refused: why };
}

/**
 * A link from another site leads to the pack instead of to a download, which would be recorded under the
 * user's name.
 */
function withoutDownload(to: string): string {
  return to.replace(/\/file(?:\?.*)?$/, "");
}

async function onlyGet(
  request: PageRequest,
  handler: (request: PageRequest) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  if (request.method !== "GET") {
    return wrongMethod(["GET"]);
  }
  const foreign = loadedFrom(request);
  return foreign === null ? await handler(request) : notFromThere(foreign);
}

/** A sign-in in progress, as its cookie stores it. */
interface Flow {
  readonly state: string;
  /** RFC 7636, 4.1: 43 to 128 characters. */
  readonly verifier: string;
  readonly to: string;
}

const FLOW_FORM = /^(?<state>[\w-]{16,64})~(?<verifier>[\w.-]{43,128})~(?<to>[\w-]{1,2048})$/;

function flowText({ state, verifier, to }: Flow): string {
  return `${state}~${verifier}~${Buffer.from(to).toString("base64url")}`;
}

function readFlow(text: string | null): Flow | null {
  const { state, verifier, to } = FLOW_FORM.exec(text ?? "")?.groups ?? {};
  return state === undefined || verifier === undefined || to === undefined
    ? null
    : { state, verifier, to: Buffer.from(to, "base64url").toString() };
}
