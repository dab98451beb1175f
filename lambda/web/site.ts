import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Page, PageContext, PageEnv, PageMiddleware, Refusal } from "./page-context.ts";
import type { PagePorts } from "./ports.ts";
import {
  damaged,
  FAULT,
  notFromThere,
  notThere,
  page,
  refuse,
  tooLarge,
  visitorOf,
  wrongMethod,
} from "./routes/answers.ts";
import { ofAccount, ofArchive, ofPack, ROUTES, UPLOADS } from "./routes/table.ts";
import { fromHere, securityHeaders } from "./security.ts";
import { SCRIPT_ASSET, STYLE_ASSET } from "./views/assets.ts";
import type { PageParts } from "./views/frame.ts";

export type Site = Hono<PageEnv>;

export interface SiteParts {
  readonly ports: PagePorts;
  /** The page for visitors who are not signed in: how to sign in. */
  readonly signInPage: PageParts;
  /** The page's origin, as the browser sends it in Origin; null: the one that the request names. */
  readonly origin: string | null;
  /** The host's own: who the visitor is, how they sign in, what answers are on their way out. */
  readonly host: (site: Site) => void;
  /** Ends the session; the answer leads to the next page. */
  readonly signOut: Page;
  /** The path of a request below the visitor's root; absent: every root is empty. */
  readonly getPath?: (request: Request) => string;
  /** Called for every refused request. */
  readonly refused: (refusal: Refusal, c: PageContext) => void;
  /** Called with errors that the user is not told about. */
  readonly report: (error: unknown, c: PageContext) => void;
}

/** Of texts that come from outside, which may have any length. */
const LONGEST_LOGGED = 300;
/** Of a form without a file. */
const MAX_FORM_BYTES = 65_536;
/** A year, the longest that caches keep: changed content gets another name. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Answers requests of signed-in users and of nobody; the same on this machine and on AWS. */
export function createSite(parts: SiteParts): Site {
  const { ports, getPath = pathOf } = parts;
  const site: Site = new Hono<PageEnv>({ getPath });

  site.onError((error, c) => {
    c.res = undefined; // nothing of the answer that failed
    const shown = damaged(c, error);
    if (shown === null) {
      parts.report(error, c);
    }
    return shown ?? page(c, FAULT, 500);
  });
  site.notFound((c) => notThere(c, "no such page"));

  site.use(securityHeaders, async (c, next) => {
    c.set("ports", ports);
    await next();
    if (!c.res.headers.has("cache-control")) {
      c.header("cache-control", "no-store");
    }
    const why = c.get("refused");
    if (why !== undefined) {
      const user = visitorOf(c)?.user.name ?? "nobody";
      const cut = (text: string) => text.slice(0, LONGEST_LOGGED);
      const { method, path } = c.req;
      parts.refused({ user, method: cut(method), path: cut(path), status: c.res.status, why: cut(why) }, c);
    }
  });
  parts.host(site);
  for (const { path, type, text } of [STYLE_ASSET, SCRIPT_ASSET]) {
    addRoute(site, path, { GET: (c) => c.body(text, 200, { "content-type": type, "cache-control": FOR_EVER }) });
  }
  site.use(async (c, next) =>
    visitorOf(c) === null ? refuse(c, "not signed in", parts.signInPage, 401) : await next(),
  );
  site.use("/a/:account/*", ofAccount);
  for (const part of ["make", "files", "jobs"]) {
    site.use(`/a/:account/${part}/*`, ofArchive);
  }
  site.use("/a/:account/p/:period/:version/*", ofPack);
  for (const [path, handlers] of Object.entries({ ...ROUTES, "/sign-out": { POST: parts.signOut } })) {
    site.use(path, fromHere(parts.origin));
    if (handlers.POST !== undefined) {
      const mostFileBytes = path === UPLOADS ? ports.mostFileBytes : null;
      const maxSize = (mostFileBytes ?? 0) + MAX_FORM_BYTES;
      site.post(path, bodyLimit({ maxSize, onError: (c) => tooLarge(c, mostFileBytes) }), readForm);
    }
    addRoute(site, path, handlers);
  }
  return site;
}

/** As it came: encoded, so that a decoded slash never splits it, and nothing else gets into a log. */
export function pathOf({ url }: Request): string {
  return new URL(url).pathname;
}

function addRoute(site: Site, path: string, handlers: (typeof ROUTES)[string]): void {
  site.all(path, async (c) => {
    const { method } = c.req; // HEAD too, which would be answered as GET
    const handler = method === "GET" || method === "POST" ? handlers[method] : undefined;
    return (await handler?.(c)) ?? wrongMethod(c, Object.keys(handlers));
  });
}

/** Reads what a form of the page sends, with at most one file. */
const readForm: PageMiddleware = async (c, next) => {
  const form = await c.req.formData().catch(() => null);
  if (form === null) {
    return notFromThere(c, "a post that is no form");
  }
  const entries = [...form];
  const texts = entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
  c.set("fields", new URLSearchParams(Object.fromEntries(texts)));
  c.set("file", entries.map(([, value]) => value).find((value) => typeof value !== "string") ?? null);
  return await next();
};
