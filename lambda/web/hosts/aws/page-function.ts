import { hash } from "node:crypto";
import { METHODS } from "../../../accounting/method.ts";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import type { Fields, Log } from "../../../job/lambda/lambda-log.ts";
import type { PagePorts } from "../../ports.ts";
import type { PageAnswer, PageRequest, Refusal, Visitor } from "../../request.ts";
import { fault, page } from "../../routes/answers.ts";
import { secured, settled } from "../../security.ts";
import { createSite } from "../../site.ts";
import { signInPage, troublePage } from "../../views/notices.ts";
import { sessionOf, userOf } from "./claims.ts";
import type { ClientSecret } from "./client-secret.ts";
import { type Claims, readEvent } from "./events.ts";
import type { HostedSettings } from "./page-settings.ts";
import { type HostedResult, resultOf } from "./results.ts";
import { createSignIn } from "./sign-in.ts";
import { openTokenEndpoint } from "./token-endpoint.ts";
import { userRate } from "./user-rate.ts";

export interface PageFunctionParts {
  readonly settings: HostedSettings;
  readonly ports: PagePorts;
  readonly secret: ClientSecret;
  readonly clock: Pick<Clock, "sleep" | "monotonic">;
  readonly random: Pick<Random, "id">;
}

type PageLog = Pick<Log, "info" | "error">;

/**
 * The page behind an HTTP API whose authorizer has checked the token: an event in, a result out. Refusals and
 * errors go to the log. Never rejects.
 */
export function createPageFunction(parts: PageFunctionParts): (event: unknown, log: PageLog) => Promise<HostedResult> {
  const { settings, ports, secret, clock, random } = parts;
  const endpoint = openTokenEndpoint(settings, clock, secret);
  const mayAsk = userRate(() => clock.monotonic());
  return async (event, log) => {
    const refused = (refusal: Refusal) => log.info("refused", shortened(refusal));
    const report = (error: unknown) => log.error("an answer failed", faultOf(error));
    const unrevoked = (why: string) => log.error("a session was ended here, but not at Cognito", { why });
    const site = createSite({ ports, methods: METHODS, signInPage: signInPage(), refused, report });
    const signIn = createSignIn({ settings, endpoint, random, unrevoked });

    async function answerTo(request: PageRequest, visitor: Visitor | string | null): Promise<PageAnswer> {
      const own = await signIn.answer(request);
      if (own !== null) {
        return settled(own, request, "nobody", refused);
      }
      if (typeof visitor === "string") {
        return settled({ ...page(signInPage(), 401), refused: visitor }, request, "nobody", refused);
      }
      const isLet = visitor === null || mayAsk(visitor.user.name);
      return isLet ? await site(request, visitor) : settled(tooOften(), request, visitor.user.name, refused);
    }

    try {
      const asked = readEvent(event);
      if (asked === null) {
        throw new Error("the event is not of an HTTP API, payload format 2.0");
      }
      const { request, claims } = asked;
      const visitor = claims === null ? null : visitorOf(claims, settings.origin, () => signIn.signOut(request));
      const answer = await answerTo(request, visitor);
      const name = visitor === null || typeof visitor === "string" ? "nobody" : visitor.user.name;
      return (await resultOf(answer, request)) ?? plainResult(settled(tooLarge(), request, name, refused));
    } catch (error) {
      report(error);
      return faultResult();
    }
  };
}

/** The visitor; a text says why there is none. */
function visitorOf(claims: Claims, origin: string, signOut: Visitor["signOut"]): Visitor | string {
  const user = userOf(claims);
  const session = sessionOf(claims);
  if (typeof user === "string") {
    return user;
  }
  return session === null ? "the token names no session" : { user, csrf: csrfOf(session), origin, signOut };
}

/**
 * A token for the session's forms, derived from the session's id. The id cannot be computed from it, and
 * nothing has to be stored.
 */
function csrfOf(session: string): string {
  return hash("sha256", `fillbook form ${session}`, "base64url");
}

function tooOften(): PageAnswer {
  const advice = "Wait some seconds and load the page again.";
  const answer = page(troublePage("Too many requests", advice), 429, { "retry-after": "1" });
  return { ...answer, refused: "asks too often" };
}

function tooLarge(): PageAnswer {
  const advice = "This is too large to be shown here. Go back, and download it from the list of files.";
  return { ...page(troublePage("Too large to show", advice), 413), refused: "too large for the function's answer" };
}

/** Tells the user nothing about the error. */
export function faultResult(): HostedResult {
  return plainResult(secured(fault()));
}

function plainResult({ status, headers, body }: PageAnswer): HostedResult {
  return { statusCode: status, headers, body: String(body) };
}

const LONGEST_TEXT = 300;

/** Shortens texts that came from outside, which may have any length. */
function shortened({ user, method, path, status, why }: Refusal): Fields {
  const cut = (text: string) => text.slice(0, LONGEST_TEXT);
  return { user, method: cut(method), path: cut(path), status, why: cut(why) };
}

/** What the log gets: the message that a person at a terminal would see. */
export function faultOf(thrown: unknown): Fields {
  const { kind, message, hint } = asFillbookError(thrown);
  return { error: kind, reason: message, ...(hint === undefined ? {} : { hint }) };
}
