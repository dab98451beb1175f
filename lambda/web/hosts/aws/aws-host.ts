import { hash } from "node:crypto";
import type { PageAnswer, PageRequest, Refusal, Visitor } from "../../request.ts";
import { page, words } from "../../routes/answers.ts";
import { secured } from "../../security.ts";
import type { Site } from "../../site.ts";
import { signInPage } from "../../views/notices.ts";
import { sessionOf, userOf } from "./claims.ts";
import { type Claims, type HostedRequest, readEvent } from "./events.ts";
import { type HostedResult, resultOf } from "./results.ts";
import type { SignIn } from "./sign-in.ts";

export interface HomeParts {
  readonly site: Site;
  readonly signIn: SignIn;
  readonly origin: string;
  readonly refused: (refusal: Refusal) => void;
  readonly report: (error: unknown) => void;
}

/** The page behind an HTTP API, whose authorizer has checked the token: an event in, a result out. Never rejects. */
export function createHome(parts: HomeParts): (event: unknown) => Promise<HostedResult> {
  const { site, signIn, origin } = parts;

  function refuse({ method, path }: PageRequest, user: string, why: string, answer: PageAnswer): PageAnswer {
    parts.refused({ user, method, path, status: answer.status, why });
    return secured(answer);
  }

  /** Who asks; a text: why it is nobody. */
  function visitorOf(request: PageRequest, claims: Claims): Visitor | string {
    const user = userOf(claims);
    if (typeof user === "string") {
      return user;
    }
    const session = sessionOf(claims);
    return session === null
      ? "the token names no session"
      : { user, csrf: csrfOf(session), origin, signOut: () => signIn.signOut(request) };
  }

  async function answerTo({ request, claims }: HostedRequest): Promise<PageAnswer> {
    const own = await signIn.answer(request);
    if (own !== null) {
      return "refused" in own ? refuse(request, "nobody", own.refused, own.answer) : secured(own);
    }
    const visitor = claims === null ? null : visitorOf(request, claims);
    return typeof visitor === "string"
      ? refuse(request, "nobody", visitor, page(signInPage(), 401))
      : await site(request, visitor);
  }

  async function sent(answer: PageAnswer, { request, claims }: HostedRequest): Promise<HostedResult> {
    const result = await resultOf(answer, request);
    if (result !== null) {
      return result;
    }
    const user = claims === null ? null : userOf(claims);
    const name = user === null || typeof user === "string" ? "nobody" : user.name;
    const instead = words(413, "This is too large to be shown here. Download it: it is in the list of files.");
    // With the policy of what it stands for: it may be shown in a frame.
    const { "content-security-policy": policy } = answer.headers;
    const headers = { ...instead.headers, ...(policy === undefined ? {} : { "content-security-policy": policy }) };
    const refused = refuse(request, name, "too large for the function's answer", { ...instead, headers });
    return { statusCode: refused.status, headers: refused.headers, body: String(refused.body) };
  }

  return async (event) => {
    try {
      const asked = readEvent(event);
      if (asked === null) {
        throw new Error("the event is not of an HTTP API, payload format 2.0");
      }
      return await sent(await answerTo(asked), asked);
    } catch (error) {
      parts.report(error);
      return faultResult();
    }
  };
}

/** Says nothing of what went wrong. */
export function faultResult(): HostedResult {
  const { status, headers } = secured(words(500, ""));
  return {
    statusCode: status,
    headers,
    body: "Something went wrong here. It was written down for who runs this page.\n",
  };
}

/** Of this session alone, and no way back to its name: nothing has to be kept for a session's forms. */
function csrfOf(session: string): string {
  return hash("sha256", `fillbook form ${session}`, "base64url");
}
