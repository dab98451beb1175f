import type { PagePorts } from "./ports.ts";
import { MAX_BODY_BYTES, type PageAnswer, type PageRequest, type Refusal, type Visitor } from "./request.ts";
import { fault, notFromThere, notThere, page, tooLarge, wrongMethod } from "./routes/answers.ts";
import { ASSETS, findRoute, METHODS } from "./routes/table.ts";
import { foreignPost, isSameSecret, loadedFrom, secured, settled } from "./security.ts";

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
      const answer = await answerTo(parts, request, visitor);
      return settled(answer, request, visitor?.user.name ?? "nobody", parts.refused);
    } catch (error) {
      parts.report(error);
      return secured(fault());
    }
  };
}

async function answerTo(parts: SiteParts, request: PageRequest, visitor: Visitor | null): Promise<PageAnswer> {
  const { path, body } = request;
  if (body.length > MAX_BODY_BYTES) {
    return tooLarge();
  }
  const asset = ASSETS.get(path);
  if (asset !== undefined) {
    return request.method === "GET" ? asset : wrongMethod(["GET"]);
  }
  if (visitor === null) {
    return { ...page(parts.signInPage, 401), refused: "not signed in" };
  }
  const found = findRoute(path);
  if (found === null) {
    return notThere("no such page");
  }
  const { handlers } = found.route;
  const method = METHODS.find((one) => one === request.method);
  const handler = method === undefined ? undefined : handlers[method];
  if (handler === undefined) {
    return wrongMethod(Object.keys(handlers));
  }
  const foreign = request.method === "POST" ? forgeryOf(request, visitor) : loadedFrom(request);
  if (foreign !== null) {
    return notFromThere(foreign);
  }
  const { ports, methods } = parts;
  return await handler({ ports, methods, request, visitor }, found.names);
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
