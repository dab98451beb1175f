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
  /** Hears why a session could not be ended at Cognito as well. */
  readonly unrevoked: (why: string) => void;
}

/** Values of Sec-Fetch-Site. */
const ELSEWHERE = ["cross-site", "same-site"];
/** A post of the site (routes/table.ts). */
const SIGN_OUT = "/sign-out";
/**
 * Between the way to Cognito and the way back: time enough to choose a first password, and to set up an app
 * for codes.
 */
const FLOW_SECONDS = 3600;
/** RFC 6749, A.11; Cognito's is a UUID. */
const CODE = /^[\x21-\x7e]{1,2048}$/;
/** RFC 6749, 4.1.2.1. Others are not repeated in the log: anybody can write them into an address. */
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
 * Cognito's managed login, from this side: an authorization code with PKCE (RFC 6749, 7636), by a client that
 * has a secret.
 */
export function createSignIn(parts: SignInParts) {
  const { settings, endpoint, random } = parts;
  const { signInUrl, signInClient, origin } = settings;

  /** With the token for the next session, where there is one; else at Cognito. */
  async function begin(request: PageRequest): Promise<PageAnswer> {
    const to = returnPath(request.query.get("to"));
    if (ELSEWHERE.includes(request.headers["sec-fetch-site"] ?? "")) {
      // From another site no Strict cookie comes along: asked again from here, it does.
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
    return { ...toCognito(to, request, gone), refused: `the session is not renewed: ${answer.why}` };
  }

  /** Tabs that are led there side by side are one flow, whose way back serves whichever comes first. */
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

  /** Back from Cognito: only in the browser that was sent there, once, and for what it was sent for. */
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
      const known = ERRORS.find((one) => one === error) ?? "an error that is not known";
      return failed(`Cognito answers ${known}`, to, over);
    }
    const code = query.get("code") ?? "";
    if (!CODE.test(code)) {
      return failed("Cognito answers without a code", to, over);
    }
    const answer = await endpoint.exchange(code, flow.verifier);
    // A redirect would still count as coming from Cognito's site, and bring no Strict cookie along.
    return answer.kind === "given"
      ? leadingOn("Signed in", to, [...over, ...sessionCookies(answer.tokens)])
      : failed(`the code gives no tokens: ${answer.why}`, to, over, answer.kind);
  }

  /** A post that found its token over: with another token the browser sends it again, as it was. */
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
    const why = `a post after the session: ${answer?.why ?? "there is none to renew"}`;
    if (answer?.kind === "failed") {
      return { ...page(tryAgainPage(), 503), refused: why };
    }
    const cookies = answer === null ? [] : [forgotten(REFRESH)];
    return { ...page(signInPage(), 401), cookies, refused: why };
  }

  /** For a post that was checked to be the user's own. */
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
    /** Null: a path of something else. */
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

/** Whoever has it is signed in: the access token. */
const SESSION = "__Host-fillbook";
/** Gets the next access token. */
const REFRESH = "__Host-fillbook-refresh";
/** Of a sign-in in progress. */
const FLOW = "__Host-fillbook-flow";

const HOST_ONLY = "Path=/; Secure; HttpOnly";

function refreshTokenOf(request: PageRequest): string | null {
  return cookieOf(request, REFRESH) || null;
}

/** Sent by this page's own requests alone, and forgotten with the browser's session. */
function sessionCookie(name: string, value: string): string {
  return `${name}=${value}; ${HOST_ONLY}; SameSite=Strict`;
}

/** Sent as well when another site leads back here. */
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
 * Leads on by a page: a redirect keeps the site where it began, and after a form's post browsers hold it
 * against `form-action`, which is this origin alone.
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

/** Another site leads to the pack, and not to a download that would be written down under the user's name. */
function withoutDownload(to: string): string {
  return to.replace(/\/(?:file|zip)(?:\?.*)?$/, "");
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

/** A sign-in in progress, as its cookie holds it. */
interface Flow {
  readonly state: string;
  /** RFC 7636, 4.1: of 43 to 128 characters. */
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
