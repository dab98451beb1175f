import { hash } from "node:crypto";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Random } from "../../../core/random.ts";
import type { PageContext } from "../../page-context.ts";
import { page, refuse } from "../../routes/answers.ts";
import { fromHere, isSameSecret } from "../../security.ts";
import type { Site } from "../../site.ts";
import { leadingOnPage, signedOutPage, signInFailedPage, signInPage, tryAgainPage } from "../../views/notices.ts";
import type { HostedSettings } from "./page-settings.ts";
import { errorName, type TokenAnswer, type TokenEndpoint, type Tokens } from "./token-endpoint.ts";

export interface SignInParts {
  readonly settings: Pick<HostedSettings, "signInUrl" | "signInClient" | "origin">;
  readonly endpoint: TokenEndpoint;
  readonly random: Pick<Random, "id">;
  /** Called with the reason why the session could not be ended at Cognito too. */
  readonly unrevoked: (why: string, c: PageContext) => void;
}

/** Values of Sec-Fetch-Site. */
const ELSEWHERE = ["cross-site", "same-site"];
const SIGN_OUT = "/sign-out";
/**
 * The most time between leaving for Cognito and returning: enough to choose a first password and set up an
 * authenticator app.
 */
const FLOW_SECONDS = 3600;
/** RFC 6749, A.11; Cognito's codes are UUIDs. */
const CODE = /^[\x21-\x7e]{1,2048}$/;
/** Signs in through Cognito's managed login: an authorization code with PKCE (RFC 6749, 7636). */
export function createSignIn({ settings, endpoint, random, unrevoked }: SignInParts) {
  const { signInUrl, signInClient, origin } = settings;

  /** Renews the session with the refresh token if there is one; otherwise sends the user to Cognito. */
  async function begin(c: PageContext): Promise<Response> {
    const to = returnPath(c.req.query("to"));
    if (ELSEWHERE.includes(c.req.header("sec-fetch-site") ?? "")) {
      // A request from another site brings no Strict cookie. The page repeats it from this site, which does.
      return leadingOn(c, "Opening", `/sign-in?to=${encodeURIComponent(withoutDownload(to))}`);
    }
    const answer = await renew(c);
    if (answer?.kind === "given") {
      return c.redirect(to);
    }
    if (answer !== null) {
      c.set("refused", `the session was not renewed: ${answer.message}`);
    }
    return toCognito(c, to);
  }

  /** Null: there is no session to renew. */
  async function renew(c: PageContext): Promise<TokenAnswer | null> {
    const kept = getCookie(c, REFRESH);
    const answer = kept ? await endpoint.refresh(kept) : null;
    if (answer?.kind === "given") {
      keep(c, answer);
    } else if (answer?.kind === "refused") {
      forget(c, REFRESH);
    }
    return answer;
  }

  /** Tabs that sign in at the same time share one flow; the first to return completes it. */
  function toCognito(c: PageContext, to: string): Response {
    const { state, verifier } = flowOf(c) ?? { state: random.id(), verifier: `${random.id()}.${random.id()}` };
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: signInClient,
      redirect_uri: `${origin}/signed-in`,
      scope: "openid",
      state,
      code_challenge_method: "S256",
      code_challenge: hash("sha256", verifier, "base64url"),
    });
    // Also sent when another site leads here.
    setCookie(c, FLOW, `${state}~${verifier}~${to}`, { ...HOST_ONLY, sameSite: "Lax", maxAge: FLOW_SECONDS });
    return c.redirect(`${signInUrl}/oauth2/authorize?${asked}`);
  }

  /**
   * The return from Cognito. It works once, in the browser that was sent there, and leads to the page that
   * the user wanted.
   */
  async function end(c: PageContext): Promise<Response> {
    const { state, error, code = "" } = c.req.query();
    const flow = flowOf(c);
    if (flow === null) {
      return failed(c, "no sign-in is in progress here", "/");
    }
    const to = returnPath(flow.to);
    if (!isSameSecret(state ?? "", flow.state)) {
      return failed(c, "the state of another sign-in", to); // the user's own goes on
    }
    forget(c, FLOW);
    if (error !== undefined) {
      return failed(c, `Cognito answered ${errorName(error)}`, to);
    }
    if (!CODE.test(code)) {
      return failed(c, "Cognito answered without a code", to);
    }
    const answer = await endpoint.exchange(code, flow.verifier);
    if (answer.kind !== "given") {
      return failed(c, `no tokens for the code: ${answer.message}`, to, answer.kind);
    }
    keep(c, answer);
    // A redirect would still count as coming from Cognito's site, and would bring no Strict cookie.
    return leadingOn(c, "Signed in", to);
  }

  /** A POST whose token had expired: after renewing the token, the browser sends the same POST again. */
  async function goOn(c: PageContext): Promise<Response> {
    const to = c.req.query("to");
    if (to === SIGN_OUT) {
      return await signOut(c);
    }
    const answer = await renew(c);
    if (answer?.kind === "given") {
      return c.redirect(returnPath(to), 307);
    }
    const why = `a post after the session ended: ${answer?.message ?? "there is no session to renew"}`;
    return answer?.kind === "failed" ? refuse(c, why, tryAgainPage(), 503) : refuse(c, why, signInPage(), 401);
  }

  /** Call only after checking that the POST is the user's own. */
  async function signOut(c: PageContext): Promise<Response> {
    const kept = getCookie(c, REFRESH);
    const why = kept ? await endpoint.revoke(kept) : null;
    if (why !== null) {
      unrevoked(why, c);
    }
    for (const name of [SESSION, REFRESH, FLOW]) {
      forget(c, name);
    }
    const leave = new URLSearchParams({ client_id: signInClient, logout_uri: `${origin}/signed-out` });
    return leadingOn(c, "Signing out", `${signInUrl}/logout?${leave}`);
  }

  return {
    addTo(site: Site): void {
      for (const path of ["/sign-in", "/signed-in", "/signed-out"]) {
        site.use(path, fromHere(origin));
      }
      site.get("/sign-in", begin).post(goOn);
      site.get("/signed-in", end);
      site.get("/signed-out", (c) => page(c, signedOutPage()));
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

const HOST_ONLY = { path: "/", secure: true, httpOnly: true } as const;

/** Cookies that are sent only with requests from this site, and forgotten with the browser's session. */
function keep(c: PageContext, { access, refresh }: Tokens): void {
  setCookie(c, SESSION, access, { ...HOST_ONLY, sameSite: "Strict" });
  if (refresh !== null) {
    setCookie(c, REFRESH, refresh, { ...HOST_ONLY, sameSite: "Strict" });
  }
}

function forget(c: PageContext, name: string): void {
  deleteCookie(c, name, HOST_ONLY);
}

/**
 * Leads on with a page instead of a redirect: a redirected request still counts as coming from the first
 * site, and after a form's POST browsers apply `form-action` to it, which allows this origin only.
 */
function leadingOn(c: PageContext, title: Parameters<typeof leadingOnPage>[0], to: string): Response {
  c.header("refresh", `0; url=${to}`);
  return page(c, leadingOnPage(title, to));
}

function failed(c: PageContext, why: string, to: string, kind: TokenAnswer["kind"] = "refused"): Response {
  return refuse(c, why, signInFailedPage(to), kind === "failed" ? 502 : 400);
}

/**
 * A link from another site leads to the pack instead of to a download, which would be recorded under the
 * user's name.
 */
function withoutDownload(to: string): string {
  return to.replace(/\/(?:file|zip)(?:\?.*)?$/, "");
}

/** A sign-in in progress. `verifier`: RFC 7636, 4.1: 43 to 128 characters. */
const FLOW_FORM = /^(?<state>[\w-]{16,64})~(?<verifier>[\w.-]{43,128})~(?<to>.{1,1024})$/s;

/** Null: none has begun in this browser. */
function flowOf(c: PageContext): Readonly<Record<"state" | "verifier" | "to", string>> | null {
  const { state, verifier, to } = FLOW_FORM.exec(getCookie(c, FLOW) ?? "")?.groups ?? {};
  return state === undefined || verifier === undefined || to === undefined ? null : { state, verifier, to };
}

const LONGEST_PATH = 1024;
/** Paths that only sign in or out: not a place to return to after signing in. */
const OWN = /^\/(?:sign-in|signed-in|sign-out|signed-out)(?:[?]|$)/;
/** One slash: two, or a backslash, would lead to another site. */
const ON_THIS_ORIGIN = /^\/(?!\/)[^\\]*$/;
const ANY_ORIGIN = "https://page.invalid";

/**
 * Path and query on this origin as a browser would request them: ASCII, percent-encoded. Any other text
 * becomes `/`.
 */
export function returnPath(asked = "/"): string {
  const { origin, pathname, search } = URL.parse(asked, ANY_ORIGIN) ?? { origin: "", pathname: "", search: "" };
  const path = `${pathname}${search}`;
  const isHere = origin === ANY_ORIGIN && path.length <= LONGEST_PATH && ON_THIS_ORIGIN.test(path);
  return isHere && !OWN.test(path) ? path : "/";
}
