import type { HttpBindings } from "@hono/node-server";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import { isoTime, SECOND_MS } from "../../../core/time.ts";
import type { PageContext, PageMiddleware, Refusal } from "../../page-context.ts";
import type { JobState, PagePorts, User } from "../../ports.ts";
import { page, refuse } from "../../routes/answers.ts";
import { createSite, pathOf, type SiteParts } from "../../site.ts";
import { leadingOnPage, signedOutHerePage, signInNeededPage } from "../../views/notices.ts";
import { createLocalJobs, type Run, sentence } from "./local-jobs.ts";
import { type Answerer, startServer } from "./server.ts";
import { createSessions, SESSION_MS, type Sessions } from "./sessions.ts";

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
  const report = (error: unknown) => say(`an answer failed: ${sentence(asFillbookError(error))}`);
  const refused = (one: Refusal) => say(refusalLine(one, clock.now()));
  const jobs = createLocalJobs({ now, id: () => random.id(), run: parts.run }, (job) => say(jobLine(job)));
  const ports = { ...parts.ports, jobs };
  const urlWith = (key: string) => `http://127.0.0.1:${server.port}/?key=${key}`;
  const offered = (key: string, why: keyof typeof OFFERS) => say(`${OFFERS[why]}: ${urlWith(key)}`);
  const sessions = createSessions({ random, now, offered });
  const server = await startServer(parts.port, clock, (port) =>
    createLocalSite({ ports, sessions, user, port, refused, report }),
  );
  return {
    /** An address that signs in, once. */
    url: urlWith(sessions.firstKey),
    /** Resolves after the last answer was sent and the last job has ended. Abort the jobs first. */
    async close(): Promise<void> {
      await Promise.all([server.close(), jobs.idle()]);
    },
  };
}

const OFFERS = {
  ended: "the session has ended; to sign in again",
  refused: "somebody opened a sign-in link that is not valid; this one works once and ends the current session",
} as const;

function refusalLine({ user, method, path, status, why }: Refusal, at: number): string {
  return `${isoTime(at)} refused ${user}: ${method} ${path}: ${status}, ${why}`;
}

function jobLine({ request: { kind, account }, state, note }: JobState): string {
  return `${kind} of ${account} ${state}: ${note}`;
}

export interface LocalSiteParts extends Pick<SiteParts, "ports" | "refused"> {
  readonly sessions: Sessions;
  readonly user: User;
  readonly port: number;
  /** Called with errors that the user is not told about, and those that happen while an answer is sent. */
  readonly report: (error: unknown) => void;
}

/** In the query of the address that signing out leads to. */
const SIGNED_OUT = "signed-out";

/**
 * Whoever has the key signs in by opening its address; after that a cookie identifies them. Browsers send a
 * cookie to every port of a host, including ports of other users of this machine. So the cookie is valid only
 * below a path that only the signed-in browser knows, to which no other page can lead it. A request must name
 * this machine as its host: otherwise an attacker's domain that resolves to 127.0.0.1 could read the page.
 * The body of an unidentified request is not read.
 */
export function createLocalSite({ sessions, user, port, report, ...parts }: LocalSiteParts): Answerer {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const cookie = `fillbook-${port}`;

  const identify: PageMiddleware = async (c, next) => {
    if (!hosts.includes(c.req.header("host") ?? "")) {
      c.set("refused", "another host");
      return c.body("", 421);
    }
    const session = c.req.path === pathOf(c.req.raw) ? null : sessions.find(getCookie(c, cookie) ?? "");
    if (session !== null) {
      c.set("visitor", { user, root: session.root });
      return await next();
    }
    return (c.req.method === "GET" ? doorOf(c) : null) ?? (await next());
  };

  /** What an address says or does for whoever is not signed in; null: nothing of its own. */
  function doorOf(c: PageContext): Response | null {
    const key = pathOf(c.req.raw) === "/" ? c.req.query("key") : undefined;
    if (c.req.query(SIGNED_OUT) !== undefined) {
      return page(c, signedOutHerePage());
    }
    return key === undefined ? null : signIn(c, key);
  }

  function signIn(c: PageContext, key: string): Response {
    const session = sessions.open(key);
    if (session === null) {
      return refuse(c, "a wrong or used key", signInNeededPage(), 401);
    }
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
      const { root } = c.var.visitor;
      sessions.end();
      deleteCookie(c, cookie, { path: root });
      return c.redirect(`${root}/?${SIGNED_OUT}`, 303);
    },
    // The terminal shows paths without the session's root.
    getPath: (request) => sessions.within(pathOf(request)) ?? pathOf(request),
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
