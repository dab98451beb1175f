import { readMultipart, type SentForm } from "./multipart.ts";
import type { PagePorts } from "./ports.ts";
import {
  announcesMore,
  isUpload,
  MAX_BODY_BYTES,
  mostBodyBytes,
  type PageAnswer,
  type PageRequest,
  type Refusal,
  type Visitor,
} from "./request.ts";
import { damaged, damageOf, fault, notFromThere, notThere, page, tooLarge, wrongMethod } from "./routes/answers.ts";
import { ASSETS, findRoute, METHODS } from "./routes/table.ts";
import { foreignPost, isSameSecret, loadedFrom, secured, settled } from "./security.ts";
import type { Place } from "./views/notices.ts";

export interface SiteParts {
  readonly ports: PagePorts;
  /** Names of the methods of accounting; the first is the default. */
  readonly methods: readonly string[];
  /** The page for visitors who are not signed in: how to sign in. */
  readonly signInPage: string;
  /** Called for every refused request. */
  readonly refused: (refusal: Refusal) => void;
  /** Called with errors that the user is not told about. */
  readonly report: (error: unknown) => void;
}

/** Answers a request of a signed-in user, or (null) of nobody. Never rejects. */
export type Site = (request: PageRequest, visitor: Visitor | null) => Promise<PageAnswer>;

const FORM = "application/x-www-form-urlencoded";

export function createSite(parts: SiteParts): Site {
  return async (request, visitor) => {
    try {
      const answer = await answerTo(parts, request, visitor);
      return settled(answer, request, visitor?.user.name ?? "nobody", parts.refused);
    } catch (error) {
      const damage = damageOf(error);
      const place = placeOf(request, visitor);
      if (damage !== null && place?.account !== undefined) {
        return settled(damaged(damage, place, request.path), request, place.frame.user.name, parts.refused);
      }
      parts.report(error);
      return secured(fault());
    }
  };
}

async function answerTo(parts: SiteParts, request: PageRequest, visitor: Visitor | null): Promise<PageAnswer> {
  const { path, body } = request;
  const { mostFileBytes } = parts.ports.inputLimits;
  const mostBytes = mostBodyBytes(request, mostFileBytes);
  const place = placeOf(request, visitor);
  if (body.length > mostBytes || announcesMore(request, mostBytes)) {
    return tooLarge(isUpload(request) ? mostFileBytes : null, place);
  }
  const asset = ASSETS.get(path);
  if (asset !== undefined) {
    return request.method === "GET" ? asset : wrongMethod(["GET"], place);
  }
  if (visitor === null) {
    return { ...page(parts.signInPage, 401), refused: "not signed in" };
  }
  const found = findRoute(path);
  if (found === null) {
    return notThere("no such page", visitor);
  }
  const { handlers } = found.route;
  const method = METHODS.find((one) => one === request.method);
  const handler = method === undefined ? undefined : handlers[method];
  if (handler === undefined) {
    return wrongMethod(Object.keys(handlers), place);
  }
  const form = request.method === "POST" ? await formOf(request) : NO_FORM;
  const foreign = request.method === "POST" ? forgeryOf(request, form, visitor) : loadedFrom(request);
  if (foreign !== null) {
    return notFromThere(foreign, place, path);
  }
  const { ports, methods } = parts;
  return await handler({ ports, methods, request, form: form ?? NO_FORM, visitor }, found.names);
}

/** Null: nobody is signed in. */
function placeOf({ path }: PageRequest, visitor: Visitor | null): Place | null {
  const account = findRoute(path)?.names["account"];
  if (visitor === null) {
    return null;
  }
  const isTheirs = account !== undefined && visitor.user.roleIn(account) !== null;
  return { frame: visitor, ...(isTheirs ? { account } : {}) };
}

/** Why a POST may not be the user's own intention; null if it is. */
function forgeryOf(request: PageRequest, form: SentForm | null, { csrf, origin }: Visitor): string | null {
  const foreign = foreignPost(request, origin);
  if (foreign !== null) {
    return foreign;
  }
  if (form === null) {
    return "a post that is no form";
  }
  const given = form.fields.get("csrf");
  return given !== null && isSameSecret(given, csrf) ? null : "a post without the session's own token";
}

const NO_FORM: SentForm = { fields: new URLSearchParams(), file: null };

/** Null: it is none that a page of ours sends there. */
async function formOf(request: PageRequest): Promise<SentForm | null> {
  const { headers, body } = request;
  const type = headers["content-type"] ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() === FORM) {
    return body.length > MAX_BODY_BYTES
      ? null
      : { ...NO_FORM, fields: new URLSearchParams(Buffer.from(body).toString()) };
  }
  return isUpload(request) ? await readMultipart(type, body) : null;
}
