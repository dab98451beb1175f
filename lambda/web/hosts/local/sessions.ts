import type { Random } from "../../../core/random.ts";
import { HOUR_MS, SECOND_MS } from "../../../core/time.ts";
import { isSameSecret } from "../../security.ts";

/** How long a session lasts at most. */
export const SESSION_MS = 12 * HOUR_MS;

/** Somebody who opens a link that is used up is given another: not more often than this, or whoever has no key could fill the terminal. */
const RENEWED_EVERY_MS = 60 * SECOND_MS;

export interface Session {
  readonly id: string;
  /** What its addresses begin with, and its cookie is for: `/` and a name that nobody else knows. */
  readonly root: string;
  readonly csrf: string;
  /** ms UTC */
  readonly endsAt: number;
}

export interface SessionParts {
  readonly random: Pick<Random, "id">;
  /** ms UTC */
  readonly now: () => number;
  /** Given a key that works: when a session has ended, or when one that does not work was tried. Whoever sees the terminal may sign in. */
  readonly offered: (key: string, why: "ended" | "refused") => void;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * One key at a time, which opens one session once. There is another key when that session ends, by its time or by signing out, and when a key is tried that
 * does not work: the browser may be gone that had the session, which lasts until the new key is used. All of it is in memory alone.
 */
export function createSessions({ random, now, offered }: SessionParts) {
  const firstKey = random.id();
  let key: string | null = firstKey;
  let session: Session | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;

  function renew(): void {
    if (now() - renewedAt < RENEWED_EVERY_MS) {
      return;
    }
    renewedAt = now();
    key ??= random.id();
    offered(key, "refused");
  }

  function end(): void {
    session = null;
    key = random.id();
    offered(key, "ended");
  }

  return {
    firstKey,
    /** Opens the one session, and ends the one before it; null: not the key, or not any more, and there may be a new one. */
    open(given: string): Session | null {
      if (key === null || !isSameSecret(given, key)) {
        renew();
        return null;
      }
      key = null;
      session = { id: random.id(), csrf: random.id(), root: `/${random.id()}`, endsAt: now() + SESSION_MS };
      return session;
    },
    /** Of the session that there is, or that was there until now: what a path says below its root; null: it is not below. */
    within(path: string): string | null {
      const root = session?.root;
      return root !== undefined && (path === root || path.startsWith(`${root}/`))
        ? path.slice(root.length) || "/"
        : null;
    },
    /** Null: no such session, or its time is over. */
    find(id: string): Session | null {
      if (session === null || !isSameSecret(id, session.id)) {
        return null;
      }
      if (now() < session.endsAt) {
        return session;
      }
      end();
      return null;
    },
    end,
  };
}
