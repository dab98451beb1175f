import { FillbookError } from "../../../core/errors.ts";
import { compareText } from "../../../core/text.ts";
import { openS3Store } from "../../../storage/s3.ts";
import { clientAt } from "./account-stores.ts";
import type { HostedSettings } from "./page-settings.ts";

const ACCOUNT = /^[a-z0-9-]{1,32}$/;
/** Ten thousand names of the longest. */
const MAX_BYTES = 400_000;

/**
 * The accounts of this deployment, sorted; read with the function's own role, once. A deployment that changes them writes another object and makes the
 * function anew. Rejects with `usage` for what is no list of accounts.
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
  const names = stored === null || stored.body.length > MAX_BYTES ? null : parseList(stored.body);
  if (names === null) {
    throw new FillbookError("usage", `${uri} ${stored === null ? "is not there" : "is not a list of accounts"}`, {
      hint: "the page's stack writes it: deploy it again",
    });
  }
  return names;
}

function parseList(body: Uint8Array): readonly string[] | null {
  try {
    const names: unknown = JSON.parse(Buffer.from(body).toString());
    const isList = Array.isArray(names) && names.every((name) => typeof name === "string" && ACCOUNT.test(name));
    return isList ? [...new Set<string>(names)].sort(compareText) : null;
  } catch {
    return null;
  }
}
