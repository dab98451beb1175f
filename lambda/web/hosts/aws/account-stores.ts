import type { Clock } from "../../../core/clock.ts";
import { MINUTE_MS } from "../../../core/time.ts";
import { accountCredentials, type Credentials, type Session } from "../../../job/account-role.ts";
import { openS3Store, type S3StoreOptions } from "../../../storage/s3.ts";
import { parseS3Uri } from "../../../storage/uri.ts";
import type { Books } from "../../packs.ts";
import type { HostedSettings } from "./page-settings.ts";

/** Accounts whose sessions a warm function keeps, the last used. */
const MOST_KEPT = 200;
/** The SDK asks for others in a session's last five minutes. */
const RENEWED_BEFORE_END_MS = 6 * MINUTE_MS;

/** Where one account's objects are, and how they are reached: for what a store does not do. */
export interface HostedBooks extends Books {
  readonly client: NonNullable<S3StoreOptions["client"]>;
}

/**
 * Opens an account's stores, with sessions of the role that reach that account and no other. A session is opened when a request needs it, and serves
 * all of the account's requests until it ends.
 */
export function accountBooks(
  { store, packStore, role, endpoint }: Pick<HostedSettings, "store" | "packStore" | "role" | "endpoint">,
  clock: Pick<Clock, "now">,
): (account: string) => HostedBooks {
  const kept = new Map<string, HostedBooks>();
  const open = (account: string): HostedBooks => {
    const session = accountCredentials({ arn: role, variable: "FILLBOOK_PAGE_ROLE" }, account);
    const client = { ...clientAt(endpoint), credentials: keptSession(session, clock) };
    return {
      account,
      store: openS3Store({ ...parseS3Uri(store), client }),
      packStore: packStore === null || packStore === store ? null : openS3Store({ ...parseS3Uri(packStore), client }),
      client,
    };
  };
  return (account) => {
    const books = kept.get(account) ?? open(account);
    kept.delete(account);
    kept.set(account, books);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) {
      kept.delete(oldest);
    }
    return books;
  };
}

/** How S3 is reached where it is not Amazon's: buckets are part of the path. */
export function clientAt(endpoint: string | null): NonNullable<S3StoreOptions["client"]> {
  return endpoint === null ? {} : { endpoint, forcePathStyle: true };
}

/** One session for all of the account's clients, each of which would open its own. One that cannot be opened is asked for again. */
export function keptSession(open: Credentials, clock: Pick<Clock, "now">): Credentials {
  let current: Promise<Session> | null = null;
  const renewed = (): Promise<Session> => {
    const opening = open();
    current = opening;
    opening.catch(() => {
      current = current === opening ? null : current;
    });
    return opening;
  };
  return async () => {
    const held = current;
    if (held === null) {
      return await renewed();
    }
    const session = await held;
    if (session.expiration.getTime() - clock.now() > RENEWED_BEFORE_END_MS) {
      return session;
    }
    return await (current === held || current === null ? renewed() : current);
  };
}
