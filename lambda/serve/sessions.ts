import { HOUR_MS } from "../model/time.ts";
import { isSameSecret } from "../page/security.ts";
import type { Random } from "../random.ts";

/** How long a session lasts at most. */
export const SESSION_MS = 12 * HOUR_MS;

export interface Session {
  readonly id: string;
  readonly csrf: string;
  /** ms UTC */
  readonly endsAt: number;
}

export interface Sessions {
  readonly firstKey: string;
  /** Opens the one session; null: not the key, or not any more. */
  readonly open: (key: string) => Session | null;
  /** Null: no such session, or its time is over. */
  readonly find: (id: string) => Session | null;
  readonly end: () => void;
}

export interface SessionParts {
  readonly random: Pick<Random, "id">;
  /** ms UTC */
  readonly now: () => number;
  /** Given the new key when a session has ended. */
  readonly ended: (key: string) => void;
}

/** One key at a time, which opens one session once; when that ends, by its time or by signing out, there is another key. All of it is in memory alone. */
export function createSessions({ random, now, ended }: SessionParts): Sessions {
  const firstKey = random.id();
  let key: string | null = firstKey;
  let session: Session | null = null;

  function end(): void {
    session = null;
    key = random.id();
    ended(key);
  }

  return {
    firstKey,
    open(given) {
      if (key === null || !isSameSecret(given, key)) {
        return null;
      }
      key = null;
      session = { id: random.id(), csrf: random.id(), endsAt: now() + SESSION_MS };
      return session;
    },
    find(id) {
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
