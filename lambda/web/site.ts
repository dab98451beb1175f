import type { PagePorts } from "./ports.ts";
import { MAX_BODY_BYTES, type PageAnswer, type PageRequest, type Refusal, type Visitor } from "./request.ts";
import { notThere, page, words } from "./routes/answers.ts";
import type { Handler, PathNames, Refused, Reply } from "./routes/route-context.ts";
import { ASSETS, findRoute, type Method, type Route } from "./routes/table.ts";
import { foreignPost, isSameSecret, loadedFrom, secured } from "./security.ts";

export interface SiteParts {
  readonly ports: PagePorts;
  /** Names of the methods of accounting; the first is the default. */
  readonly methods: readonly string[];
  /** For whoever is not signed in: how they do it. */
  readonly signInPage: string;
  /** Hears of every request that was not answered with what it asked for. */
  readonly refused: (refusal: Refusal) => void;
  /** Hears of what went wrong, of which the user is told nothing. */
  readonly report: (error: unknown) => void;
}

/** Answers a request of who is signed in, or (null) of who is not. Never rejects. */
export type Site = (request: PageRequest, visitor: Visitor | null) => Promise<PageAnswer>;

const FORM = "application/x-www-form-urlencoded";

export function createSite(parts: SiteParts): Site {
  return async (request, visitor) => {
    try {
      const reply = await replyTo(parts, request, visitor);
      if (!("refused" in reply)) {
        return secured(reported(reply, parts.report));
      }
      const { method, path } = request;
      const { answer, refused: why } = reply;
      parts.refused({ user: visitor?.user.name ?? "nobody", method, path, status: answer.status, why });
      return secured(answer);
    } catch (error) {
      parts.report(error);
      return secured(words(500, "Something went wrong here. It was written down for who runs this page."));
    }
  };
}

async function replyTo(parts: SiteParts, request: PageRequest, visitor: Visitor | null): Promise<Reply> {
  const { path, body } = request;
  if (body.length > MAX_BODY_BYTES) {
    return { refused: "too large", answer: words(413, "Too large.") };
  }
  const asset = ASSETS.get(path);
  if (asset !== undefined) {
    return request.method === "GET" ? asset : wrongMethod(["GET"]);
  }
  if (visitor === null) {
    return { refused: "not signed in", answer: page(parts.signInPage, 401) };
  }
  const found = findRoute(path);
  if (found === null) {
    return notThere("no such page");
  }
  const handler = handlerOf(found.route, request.method);
  if (handler === null) {
    return wrongMethod(Object.keys(found.route.handlers));
  }
  const foreign = request.method === "POST" ? forgeryOf(request, visitor) : loadedFrom(request);
  if (foreign !== null) {
    return { refused: foreign, answer: words(403, "Not from there. Open the page again, and go on from it.") };
  }
  const { ports, methods } = parts;
  const frame = { user: visitor.user, csrf: visitor.csrf };
  return await handler({ ports, methods, request, visitor, frame }, found.names);
}

function handlerOf({ handlers }: Route, method: string): Handler<PathNames> | null {
  return Object.hasOwn(handlers, method) ? (handlers[method as Method] ?? null) : null; // the table's keys are the methods
}

function wrongMethod(allowed: readonly string[]): Refused {
  return { refused: "wrong method", answer: words(405, "Not in this way.", { allow: allowed.join(", ") }) };
}

/** Why a post may not be the user's own wish; null: it is. */
function forgeryOf(request: PageRequest, { csrf, origin }: Visitor): string | null {
  const foreign = foreignPost(request, origin);
  if (foreign !== null) {
    return foreign;
  }
  if (request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== FORM) {
    return "a post that is no form";
  }
  const given = new URLSearchParams(Buffer.from(request.body).toString()).get("csrf");
  return given !== null && isSameSecret(given, csrf) ? null : "a post without the session's own token";
}

/** What goes wrong while an answer goes out is heard of as well. */
function reported(answer: PageAnswer, report: (error: unknown) => void): PageAnswer {
  const { body } = answer;
  return typeof body === "string" || body instanceof Uint8Array ? answer : { ...answer, body: watched(body, report) };
}

async function* watched(body: AsyncIterable<Uint8Array>, report: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    report(error);
    throw error;
  }
}
