import { FillbookError } from "../core/errors.ts";
import { isKeySegment } from "./keys.ts";

export type StoreAddress = { readonly kind: "folder"; readonly path: string } | S3Address;

export interface S3Address {
  readonly kind: "s3";
  readonly bucket: string;
  /** "" or segments joined by slashes, without one at either end. */
  readonly prefix: string;
}

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
const BUCKET = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]+):\/\//; // two letters at least: "C:\" is a folder
/** Leaves room for the store's keys below S3's 1,024 bytes. */
const MAX_PREFIX_LENGTH = 300;

/**
 * A folder's path or `s3://bucket/prefix`.
 * @throws FillbookError `usage` that says what to write instead.
 */
export function parseStoreUri(text: string): StoreAddress {
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme !== undefined) {
    if (scheme !== "s3") {
      throw refused(text, `"${scheme}://" is not known`);
    }
    return parseS3(text);
  }
  if (text.trim() === "" || text.includes("\0")) {
    throw refused(text, "a folder's path is missing");
  }
  return { kind: "folder", path: text };
}

/** The same for a place where a folder cannot be meant. */
export function parseS3Uri(text: string): S3Address {
  const address = parseStoreUri(text);
  if (address.kind !== "s3") {
    throw refused(text, "it is not on S3");
  }
  return address;
}

function parseS3(text: string): S3Address {
  const [bucket = "", ...rest] = text.slice("s3://".length).split("/");
  if (!BUCKET.test(bucket)) {
    throw refused(text, `"${bucket}" cannot be the name of a bucket`);
  }
  const prefix = rest.join("/").replace(/\/$/, "");
  if (prefix !== "" && !(prefix.length <= MAX_PREFIX_LENGTH && prefix.split("/").every(isKeySegment))) {
    throw refused(text, `"${prefix}" cannot be a prefix: use letters, digits and =._- between single slashes`);
  }
  return { kind: "s3", bucket, prefix };
}

function refused(text: string, reason: string): FillbookError {
  return new FillbookError("usage", `not a store: ${JSON.stringify(text)}: ${reason}`, {
    hint: "name a folder, or s3://bucket/prefix",
  });
}
