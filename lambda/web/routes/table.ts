import type { PageAnswer } from "../request.ts";
import { SCRIPT_ASSET, STYLE_ASSET } from "../views/assets.ts";
import { sendFile, sendZip, showReport } from "./downloads.ts";
import { dropInput, sendInput, showInputs, takeInput } from "./inputs.ts";
import { job, makeForm, startJob, stopJob } from "./jobs.ts";
import { accounts, history, overview, packVersion } from "./pages.ts";
import { type Handler, type PathNames, withAccount, withPack } from "./route-context.ts";

export const METHODS = ["GET", "POST"] as const;

interface Route {
  /** `:name` matches one part of the path. */
  readonly pattern: string;
  readonly handlers: Partial<Readonly<Record<(typeof METHODS)[number], Handler<PathNames>>>>;
}

/** All routes for signed-in users. If two patterns match, the first counts. */
export const ROUTES: readonly Route[] = [
  { pattern: "/", handlers: { GET: accounts } },
  { pattern: "/sign-out", handlers: { POST: ({ visitor }) => visitor.signOut() } },
  { pattern: "/a/:account", handlers: { GET: withAccount(overview) } },
  { pattern: "/a/:account/make", handlers: { GET: withAccount(makeForm) } },
  { pattern: "/a/:account/history", handlers: { GET: withAccount(history) } },
  { pattern: "/a/:account/files", handlers: { GET: withAccount(showInputs), POST: withAccount(takeInput) } },
  { pattern: "/a/:account/files/file", handlers: { GET: withAccount(sendInput) } },
  { pattern: "/a/:account/files/remove", handlers: { POST: withAccount(dropInput) } },
  { pattern: "/a/:account/jobs", handlers: { POST: withAccount(startJob) } },
  { pattern: "/a/:account/jobs/:id", handlers: { GET: withAccount(job) } },
  { pattern: "/a/:account/jobs/:id/stop", handlers: { POST: withAccount(stopJob) } },
  { pattern: "/a/:account/p/:period/:version", handlers: { GET: withPack(packVersion) } },
  { pattern: "/a/:account/p/:period/:version/report", handlers: { GET: withPack(showReport) } },
  { pattern: "/a/:account/p/:period/:version/file", handlers: { GET: withPack(sendFile) } },
  { pattern: "/a/:account/p/:period/:version/zip", handlers: { GET: withPack(sendZip) } },
];

/** A year, the longest that caches keep: changed content gets another name. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** What everybody may load: the pages' style, and the script that updates them. */
export const ASSETS: ReadonlyMap<string, PageAnswer> = new Map(
  [STYLE_ASSET, SCRIPT_ASSET].map(({ path, type, text }) => [
    path,
    { status: 200, headers: { "content-type": type, "cache-control": FOR_EVER }, body: text },
  ]),
);

/**
 * Finds the route of a path as received. The path is split before its parts are decoded, so that a decoded
 * slash never splits it.
 */
export function findRoute(path: string): { readonly route: Route; readonly names: PathNames } | null {
  const words = path.split("/").map(decoded);
  for (const route of ROUTES) {
    const pattern = route.pattern.split("/");
    if (
      pattern.length === words.length &&
      pattern.every(
        (part, at) => part === words[at] || (part.startsWith(":") && words[at] !== null && words[at] !== ""),
      )
    ) {
      const names = pattern.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), words[at]]] : []));
      return { route, names: Object.fromEntries(names) };
    }
  }
  return null;
}

/** Null if the text is not percent-encoded UTF-8. */
function decoded(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}
