import { S3Client } from "@aws-sdk/client-s3";
import { isAccountName } from "../../../core/account-name.ts";
import { FillbookError } from "../../../core/errors.ts";
import { jsonIn } from "../../../core/record.ts";
import { compareText } from "../../../core/text.ts";
import { accountCredentials } from "../../../job/account-role.ts";
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
export function accountList(settings: HostedSettings): () => Promise<readonly string[]> {
  let read: readonly string[] | null = null;
  return async () => {
    read ??= await readList(settings);
    return read;
  };
}

async function readList({ accountList: uri, endpoint }: HostedSettings): Promise<readonly string[]> {
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

/** A warm function keeps the sessions of this many accounts. */
const MOST_KEPT = 200;

/** An account's stores, and the S3 client settings for what a store does not do. */
export interface HostedStores extends AccountStores {
  readonly client: NonNullable<S3StoreOptions["client"]>;
}

/**
 * Opens an account's stores with sessions of the role, which reach only that account. A session is opened
 * when a request first needs it, and serves all requests of the account until it ends.
 */
export function accountStores(
  settings: Pick<HostedSettings, "store" | "packStore" | "role" | "endpoint">,
): (account: string) => HostedStores {
  const { store, packStore, role, endpoint } = settings;
  const kept = new Map<string, HostedStores>();
  return (account) => {
    const known = kept.get(account);
    if (known !== undefined) {
      return known;
    }
    if (kept.size >= MOST_KEPT) {
      kept.clear();
    }
    // One session for all clients of the account. The SDK keeps it until five minutes before it ends, and
    // tries again if it cannot be opened.
    const open = accountCredentials({ arn: role, variable: "FILLBOOK_PAGE_ROLE" }, account);
    const { credentials } = new S3Client({ credentials: open }).config;
    const client = { ...clientAt(endpoint), credentials };
    const at = (uri: string) => openS3Store({ ...parseS3Uri(uri), client });
    const archive = at(store);
    const packs = packStore === null || packStore === store ? archive : at(packStore);
    const stores = { account, store: archive, packs, client };
    kept.set(account, stores);
    return stores;
  };
}

/** With an endpoint other than Amazon's, the bucket is part of the path. */
function clientAt(endpoint: string | null): NonNullable<S3StoreOptions["client"]> {
  return endpoint === null ? {} : { endpoint, forcePathStyle: true };
}
