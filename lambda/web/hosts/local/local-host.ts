import { METHODS } from "../../../accounting/method.ts";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import { isoTime, SECOND_MS } from "../../../core/time.ts";
import type { JobState, PagePorts, User } from "../../ports.ts";
import {
  cookieOf,
  mostBodyBytes,
  type PageAnswer,
  type PageRequest,
  type Refusal,
  type Visitor,
} from "../../request.ts";
import { page } from "../../routes/answers.ts";
import { settled } from "../../security.ts";
import { createSite, type Site } from "../../site.ts";
import { leadingOnPage, signedOutHerePage, signInNeededPage } from "../../views/notices.ts";
import { createLocalJobs, type Run, sentence } from "./local-jobs.ts";
import { type Answerer, startServer } from "./node-http.ts";
import { createSessions, SESSION_MS, type Session, type Sessions } from "./sessions.ts";

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
  const server = await startServer(parts.port, clock);
  const { port } = server;
  const urlWith = (key: string) => `http://127.0.0.1:${port}/?key=${key}`;
  const offered = (key: string, why: keyof typeof OFFERS) => say(`${OFFERS[why]}: ${urlWith(key)}`);
  const sessions = createSessions({ random, now, offered });
  const jobs = createLocalJobs({ now, id: () => random.id(), run: parts.run }, (job) => say(jobLine(job)));
  const refused = (refusal: Refusal) => say(refusalLine(refusal, clock.now()));
  const ports = { ...parts.ports, jobs };
  const site = createSite({ ports, methods: METHODS, signInPage: signInNeededPage(), refused, report });
  const { mostFileBytes } = ports.inputLimits;
  server.answerWith(createHost({ site, sessions, user, port, mostFileBytes, refused, report }));
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

const LONGEST_PATH = 200;

function refusalLine({ user, method, path, status, why }: Refusal, at: number): string {
  return `${isoTime(at)} refused ${user}: ${method} ${path.slice(0, LONGEST_PATH)}: ${status}, ${why}`;
}

function jobLine({ request: { kind, account }, state, note }: JobState): string {
  return `${kind} of ${account} ${state}: ${note}`;
}

export interface HostParts {
  readonly site: Site;
  readonly sessions: Sessions;
  readonly user: User;
  readonly port: number;
  /** Of a file that is put up. */
  readonly mostFileBytes: number;
  readonly refused: (refusal: Refusal) => void;
  /** Called with errors that happen while an answer is sent. */
  readonly report: (error: unknown) => void;
}

const NO_BODY = new Uint8Array();
/** In the query of the address that signing out leads to. */
const SIGNED_OUT = "signed-out";

/**
 * Whoever has the key signs in by opening its address; after that a cookie identifies them. Browsers send a
 * cookie to every port of a host, including ports of other users of this machine. So the cookie is valid only
 * below a path that only the signed-in browser knows, to which no other page can lead it. A request must name
 * this machine as its host: otherwise an attacker's domain that resolves to 127.0.0.1 could read the page.
 * The body of an unidentified request is not read.
 */
export function createHost({ site, sessions, user, port, mostFileBytes, refused, report }: HostParts): Answerer {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const cookie = `fillbook-${port}`;

  function visitorOf({ csrf, root }: Session, host: string): Visitor {
    return {
      user,
      csrf,
      origin: `http://${host}`,
      signOut() {
        sessions.end();
        const cookies = [cookieText(cookie, "", { path: root, maxAge: 0 })];
        return Promise.resolve({ status: 303, headers: { location: `/?${SIGNED_OUT}` }, cookies, body: "" });
      },
    };
  }

  function signIn(key: string): PageAnswer {
    const session = sessions.open(key);
    return session === null
      ? { ...page(signInNeededPage(), 401), refused: "a wrong or used key" }
      : {
          ...page(leadingOnPage("Signed in", `${session.root}/`), 200, { refresh: `0; url=${session.root}/` }),
          // The cookie lasts as long as the session, even after the window closes.
          cookies: [cookieText(cookie, session.id, { path: session.root, maxAge: SESSION_MS / SECOND_MS })],
        };
  }

  /** What an address says or does for whoever is not signed in; null: nothing of its own. */
  function doorOf({ path, query }: Pick<PageRequest, "path" | "query">): PageAnswer | null {
    if (query.has(SIGNED_OUT)) {
      return page(signedOutHerePage());
    }
    const key = path === "/" ? query.get("key") : null;
    return key === null ? null : signIn(key);
  }

  return async ({ readBody, ...head }) => {
    const within = sessions.within(head.path);
    // The terminal shows paths without the session's root.
    const asked = { ...head, path: within ?? head.path, body: NO_BODY };
    const own = (answer: PageAnswer) => settled(answer, asked, "nobody", refused);
    const host = head.headers["host"] ?? "";
    if (!hosts.includes(host)) {
      return own({ status: 421, headers: {}, body: "", refused: "another host" });
    }
    const id = within === null ? null : cookieOf(asked, cookie);
    const session = id === null ? null : sessions.find(id);
    if (session !== null) {
      const body = await readBody(mostBodyBytes(asked, mostFileBytes));
      const request: PageRequest = { ...asked, body };
      return watched(below(session.root, await site(request, visitorOf(session, host))), report);
    }
    const door = head.method === "GET" ? doorOf(head) : null;
    return door === null ? await site(asked, null) : own(door);
  };
}

/**
 * The site's own addresses in attributes of its pages; they begin with a slash. Text from outside cannot
 * match, because its quotes are escaped.
 */
const ADDRESS = / (?:href|action|src)="(?=\/)/g;

/** The answer with the site's addresses moved below the root. */
function below(root: string, { headers, body, ...answer }: PageAnswer): PageAnswer {
  const { location } = headers;
  return {
    ...answer,
    headers: location?.startsWith("/") ? { ...headers, location: root + location } : headers,
    body: typeof body === "string" ? body.replaceAll(ADDRESS, (start) => start + root) : body,
  };
}

function watched(answer: PageAnswer, report: (error: unknown) => void): PageAnswer {
  const { body } = answer;
  return typeof body === "string" || body instanceof Uint8Array ? answer : { ...answer, body: reporting(body, report) };
}

async function* reporting(
  body: AsyncIterable<Uint8Array>,
  report: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    report(error);
    throw error;
  }
}

/** `maxAge`: in seconds. */
function cookieText(
  name: string,
  value: string,
  { path, maxAge }: { readonly path: string; readonly maxAge: number },
): string {
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`;
}
