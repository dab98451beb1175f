import { SECOND_MS } from "../../../core/time.ts";
import type { User } from "../../ports.ts";
import type { PageAnswer, PageRequest, Refusal, Visitor } from "../../request.ts";
import { secured } from "../../security.ts";
import type { Site } from "../../site.ts";
import { leadingOnPage, signInNeededPage } from "../../views/notices.ts";
import { SESSION_MS, type Session, type Sessions } from "./sessions.ts";

export interface HomeParts {
  readonly site: Site;
  readonly sessions: Sessions;
  readonly user: User;
  readonly port: number;
  readonly refused: (refusal: Refusal) => void;
}

/**
 * The page on this machine: whoever has the key signs in by opening its address, and is known by a cookie from then on. A request must name this machine as
 * its host, or a name that an attacker points to 127.0.0.1 would do to read the page from their own site.
 */
export function createHome(parts: HomeParts): (request: PageRequest) => Promise<PageAnswer> {
  const { site, sessions, user, port } = parts;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const cookie = `fillbook-${port}`;

  function visitorOf(session: Session, host: string): Visitor {
    return {
      user,
      csrf: session.csrf,
      origin: `http://${host}`,
      signOut() {
        sessions.end();
        const cookies = [cookieText(cookie, "", 0)];
        return Promise.resolve({ status: 303, headers: { location: "/" }, cookies, body: "" });
      },
    };
  }

  function refuse({ method, path }: PageRequest, why: string, answer: PageAnswer): PageAnswer {
    parts.refused({ user: "nobody", method, path, status: answer.status, why });
    return secured(answer);
  }

  function signIn(request: PageRequest, key: string): PageAnswer {
    const session = sessions.open(key);
    return session === null
      ? refuse(request, "not the key, or used already", html(signInNeededPage(), 401))
      : secured({
          ...html(leadingOnPage("Signed in", "/"), 200, { refresh: "0; url=/" }),
          // As long as the session itself: it outlives the browser's window.
          cookies: [cookieText(cookie, session.id, SESSION_MS / SECOND_MS)],
        });
  }

  return async (request) => {
    const host = request.headers["host"] ?? "";
    if (!hosts.includes(host)) {
      return refuse(request, "another host", { status: 421, headers: {}, body: "" });
    }
    const session = sessionOf(sessions, request, cookie);
    const key = request.method === "GET" && request.path === "/" ? request.query.get("key") : null;
    return session === null && key !== null
      ? signIn(request, key)
      : await site(request, session === null ? null : visitorOf(session, host));
  };
}

function sessionOf(sessions: Sessions, { headers }: PageRequest, name: string): Session | null {
  const pairs = (headers["cookie"] ?? "").split(";").map((pair) => pair.trim().split("="));
  const [, id] = pairs.find(([given]) => given === name) ?? [];
  return id === undefined ? null : sessions.find(id);
}

/** `maxAge`: in seconds. */
function cookieText(name: string, value: string, maxAge: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`;
}

function html(body: string, status: number, headers: PageAnswer["headers"] = {}): PageAnswer {
  return { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" }, body };
}
