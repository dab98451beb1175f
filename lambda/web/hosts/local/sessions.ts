import type { Random } from "../../../core/random.ts";
import { HOUR_MS, SECOND_MS } from "../../../core/time.ts";
import { isSameSecret } from "../../security.ts";

/** How long a session lasts at most. */
export const SESSION_MS = 12 * HOUR_MS;

/**
 * Opening a used link prints a new one, at most this often: otherwise somebody without a key could flood the
 * terminal.
 */
const RENEWED_EVERY_MS = 60 * SECOND_MS;

export interface Session {
  readonly id: string;
  /** The path prefix of the session's pages and of its cookie: `/` and a secret name. */
  readonly root: string;
  /** ms UTC */
  readonly endsAt: number;
}

export interface SessionParts {
  readonly random: Pick<Random, "id">;
  /** ms UTC */
  readonly now: () => number;
  /**
   * Receives a valid key: after a session has ended, or after somebody tried an invalid key. Whoever sees the
   * terminal may sign in with it.
   */
  readonly offered: (key: string, why: "ended" | "refused") => void;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * There is one key at a time, and it opens one session, once. A new key is made when that session ends (it
 * expired, or the user signed out), and when somebody tries an invalid key: the browser that had the session
 * may be gone. The old session lasts until the new key is used. Everything is kept in memory only.
 */
export function createSessions({ random, now, offered }: SessionParts) {
  const firstKey = random.id();
  let key: string | null = firstKey;
  let session: Session | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;

  function end(): void {
    session = null;
    key = random.id();
    offered(key, "ended");
  }

  return {
    firstKey,
    end,
    /**
     * Opens a session and ends the one before it. Null if the key is wrong or was used; a new key may then be
     * offered.
     */
    open(given: string): Session | null {
      if (key !== null && isSameSecret(given, key)) {
        key = null;
        session = { id: random.id(), root: `/${random.id()}`, endsAt: now() + SESSION_MS };
        return session;
      }
      if (now() - renewedAt >= RENEWED_EVERY_MS) {
        renewedAt = now();
        key ??= random.id();
        offered(key, "refused");
      }
      return null;
    },
    /**
     * The part of the path below the current session's root; null if the path is not below it. An expired
     * session counts until `find` ends it.
     */
    within(path: string): string | null {
      const root = session?.root;
      return root !== undefined && (path === root || path.startsWith(`${root}/`))
        ? path.slice(root.length) || "/"
        : null;
    },
    /** Null if there is no such session, or if it has expired. */
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
  };
}
