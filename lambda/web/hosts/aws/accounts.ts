import { S3Client } from "@aws-sdk/client-s3";
import { isAccountName } from "../../../core/account-name.ts";
import { FillbookError } from "../../../core/errors.ts";
import { jsonIn } from "../../../core/record.ts";
import { compareText } from "../../../core/text.ts";
import { accountCredentials, type Credentials } from "../../../job/account-role.ts";
import { openS3Store, type S3StoreOptions } from "../../../storage/s3.ts";
import { parseS3Uri } from "../../../storage/uri.ts";
import type { AccountStores } from "../../packs.ts";
import type { HostedSettings } from "./page-settings.ts";

/** Room for ten thousand names of the longest kind. */
const MAX_BYTES = 400_000;

/**
 * The deployment's accounts, sorted. The list is read once, with the function's own role: a deployment that
 * changes the accounts writes another object and replaces the function. Rejects with `usage` if the object is
 * not a list of accounts.
 */
export function accountList({
  accountList: uri,
  endpoint,
}: Pick<HostedSettings, "accountList" | "endpoint">): () => Promise<readonly string[]> {
  let read: Promise<readonly string[]> | null = null;
  return async () => {
    read ??= readList(uri, endpoint).catch((error: unknown) => {
      read = null;
      throw error;
    });
    return await read;
  };
}

async function readList(uri: string, endpoint: string | null): Promise<readonly string[]> {
  const { bucket = "", key = "" } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.+)$/.exec(uri)?.groups ?? {};
  const stored = await openS3Store({ bucket, prefix: "", client: clientAt(endpoint) }).get(key);
  const names = stored === null || stored.body.length > MAX_BYTES ? null : jsonIn(Buffer.from(stored.body).toString());
  if (!(Array.isArray(names) && names.every((name) => typeof name === "string" && isAccountName(name)))) {
    throw new FillbookError("usage", `${uri} ${stored === null ? "does not exist" : "is not a list of accounts"}`, {
      hint: "deploy the page's stack again: it writes this list",
    });
  }
  return [...new Set<string>(names)].sort(compareText);
}

/** A warm function keeps the sessions of this many accounts, the most recently used. */
const MOST_KEPT = 200;

/** An account's stores, and the S3 client settings for what a store does not do. */
export interface HostedStores extends AccountStores {
  readonly client: NonNullable<S3StoreOptions["client"]>;
}

/**
 * Opens an account's stores with sessions of the role, which reach only that account. A session is opened
 * when a request first needs it, and serves all requests of the account until it ends.
 */
export function accountStores({
  store,
  packStore,
  role,
  endpoint,
}: Pick<HostedSettings, "store" | "packStore" | "role" | "endpoint">): (account: string) => HostedStores {
  const kept = new Map<string, HostedStores>();
  const open = (account: string): HostedStores => {
    const session = accountCredentials({ arn: role, variable: "FILLBOOK_PAGE_ROLE" }, account);
    const client = { ...clientAt(endpoint), credentials: keptSession(session) };
    return {
      account,
      store: openS3Store({ ...parseS3Uri(store), client }),
      packStore: packStore === null || packStore === store ? null : openS3Store({ ...parseS3Uri(packStore), client }),
      client,
    };
  };
  return (account) => {
    const stores = kept.get(account) ?? open(account);
    kept.delete(account);
    kept.set(account, stores);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) {
      kept.delete(oldest);
    }
    return stores;
  };
}

/** With an endpoint other than Amazon's, the bucket is part of the path. */
function clientAt(endpoint: string | null): NonNullable<S3StoreOptions["client"]> {
  return endpoint === null ? {} : { endpoint, forcePathStyle: true };
}

/**
 * One session for all clients of the account. The SDK keeps it until five minutes before it ends, and tries
 * again if it cannot be opened.
 */
function keptSession(open: Credentials) {
  return new S3Client({ credentials: open }).config.credentials;
}
