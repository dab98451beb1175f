import type { HttpBindings } from "@hono/node-server";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import { HOUR_MS, isoTime, SECOND_MS } from "../../../core/time.ts";
import type { PageContext, PageMiddleware } from "../../page-context.ts";
import type { PagePorts, User } from "../../ports.ts";
import { page, refuse } from "../../routes/answers.ts";
import { isSameSecret } from "../../security.ts";
import { createSite, pathOf, type SiteParts } from "../../site.ts";
import { leadingOnPage, signInNeededPage } from "../../views/notices.ts";
import { createLocalJobs, type Run, sentence } from "./local-jobs.ts";
import { type Answerer, startServer } from "./server.ts";

export interface LocalPageParts {
  /** Everything but the jobs, which run here. */
  readonly ports: Omit<PagePorts, "jobs">;
  readonly run: Run;
  /** The user who has the key. */
  readonly user: User;
  readonly port: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
}

/** The page on this machine. Rejects with `usage` if the port is not available. */
export async function openLocalPage(parts: LocalPageParts) {
  const { clock, random, user, say } = parts;
  const now = () => clock.now();
  const jobs = createLocalJobs({ now, id: () => random.id(), run: parts.run }, ({ request, state, note }) =>
    say(`${request.kind} of ${request.account} ${state}: ${note}`),
  );
  const urlWith = (key: string) => `http://127.0.0.1:${server.port}/?key=${key}`;
  const firstKey = random.id();
  const server = await startServer(parts.port, clock, (port) =>
    createLocalSite({
      ...{ ports: { ...parts.ports, jobs }, random, firstKey, user, port },
      offered: (key) => say(`signed out; to sign in again: ${urlWith(key)}`),
      refused: (one) =>
        say(`${isoTime(now())} refused ${one.user}: ${one.method} ${one.path}: ${one.status}, ${one.why}`),
      report: (error) => say(`an answer failed: ${sentence(asFillbookError(error))}`),
    }),
  );
  return {
    /** An address that signs in, until somebody signs out. */
    url: urlWith(firstKey),
    /** Resolves after the last answer was sent and the last job has ended. Abort the jobs first. */
    async close(): Promise<void> {
      await Promise.all([server.close(), jobs.idle()]);
    },
  };
}

/** How long a session lasts at most. */
export const SESSION_MS = 12 * HOUR_MS;

interface Session {
  readonly id: string;
  /** The path prefix of the session's pages and of its cookie: `/` and a secret name. */
  readonly root: string;
  /** ms UTC */
  readonly endsAt: number;
}

export interface LocalSiteParts extends Pick<SiteParts, "ports" | "refused"> {
  readonly random: Pick<Random, "id">;
  /** Whoever has it signs in. */
  readonly firstKey: string;
  /** Receives the key that takes its place when somebody has signed out. */
  readonly offered: (key: string) => void;
  readonly user: User;
  readonly port: number;
  /** Called with errors that the user is not told about, and those that happen while an answer is sent. */
  readonly report: (error: unknown) => void;
}

/**
 * Whoever has the key signs in by opening its address; after that a cookie identifies them, until it expires, they sign
 * out, or somebody signs in again. Browsers send a cookie to every port of a host, including ports of other users of
 * this machine. So the cookie is valid only below a path that only the signed-in browser knows, to which no other page
 * can lead it. A request must name this machine as its host: otherwise an attacker's domain that resolves to 127.0.0.1
 * could read the page. The body of an unidentified request is not read.
 */
export function createLocalSite({ random, firstKey, offered, user, port, report, ...parts }: LocalSiteParts): Answerer {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const cookie = `fillbook-${port}`;
  let key = firstKey;
  let session: Session | null = null;

  /** The part of the path below the session's root; null if the path is not below it. */
  function within(path: string): string | null {
    const root = session?.root;
    return root !== undefined && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) || "/" : null;
  }

  const identify: PageMiddleware = async (c, next) => {
    if (!hosts.includes(c.req.header("host") ?? "")) {
      c.set("refused", "another host");
      return c.body("", 421);
    }
    const path = pathOf(c.req.raw);
    const isCurrent = session !== null && parts.ports.now() < session.endsAt && within(path) !== null;
    if (session !== null && isCurrent && isSameSecret(getCookie(c, cookie) ?? "", session.id)) {
      c.set("visitor", { user, root: session.root });
      return await next();
    }
    const given = c.req.method === "GET" && path === "/" ? c.req.query("key") : undefined;
    return given === undefined ? await next() : signIn(c, given);
  };

  function signIn(c: PageContext, given: string): Response {
    if (!isSameSecret(given, key)) {
      return refuse(c, "a wrong key", signInNeededPage(), 401);
    }
    session = { id: random.id(), root: `/${random.id()}`, endsAt: parts.ports.now() + SESSION_MS };
    const { id, root } = session;
    // The cookie lasts as long as the session, even after the window closes.
    setCookie(c, cookie, id, { path: root, httpOnly: true, sameSite: "Strict", maxAge: SESSION_MS / SECOND_MS });
    c.header("refresh", `0; url=${root}/`);
    return page(c, leadingOnPage("Signed in", `${root}/`));
  }

  const watch: PageMiddleware = async (c, next) => {
    await next();
    if (c.res.body !== null) {
      const { outgoing } = c.env as HttpBindings;
      c.res = new Response(ReadableStream.from(watched(c.res.body, report, outgoing)), c.res);
    }
  };

  const site = createSite({
    ...parts,
    signInPage: signInNeededPage(),
    origin: null,
    host: (pages) => pages.use(watch, identify),
    signOut(c) {
      session = null;
      key = random.id();
      offered(key);
      deleteCookie(c, cookie, { path: c.var.visitor.root });
      return c.redirect("/", 303);
    },
    // The terminal shows paths without the session's root.
    getPath: (request) => within(pathOf(request)) ?? pathOf(request),
    report,
  });
  return site.fetch;
}

/** Reports an error while an answer is sent, and cuts the answer off, so that the browser notices. */
async function* watched(
  body: AsyncIterable<Uint8Array>,
  report: (error: unknown) => void,
  outgoing: HttpBindings["outgoing"],
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    report(error);
    outgoing.destroy();
  }
}
