import {
  DeleteObjectCommand,
  GetObjectCommand,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { FillbookError } from "../core/errors.ts";
import { checkFolder, checkKey, checkPrefix, isKeySegment, isListedSegment } from "./keys.ts";
import { nameOf, type S3Place, s3Error, s3WriteError, statusOf } from "./s3-errors.ts";
import { openS3Sink } from "./s3-sink.ts";
import { goneError, type ListedObject, type Store } from "./store.ts";

export interface S3StoreOptions {
  readonly bucket: string;
  /** "" or segments joined by slashes, as parseStoreUri gives it. */
  readonly prefix: string;
  /** What is absent comes from the SDK's own chain: environment, profile, role. */
  readonly client?: Pick<S3ClientConfig, "endpoint" | "region" | "forcePathStyle" | "credentials" | "requestHandler">;
}

/**
 * S3 answers 409 to a create that raced a delete or another write. Nothing was written, and the same request
 * may be sent again.
 */
const MAX_CONFLICTS = 5;
const TIMEOUTS = {
  connectionTimeout: 5000,
  requestTimeout: 20_000, // until the answer begins
  socketTimeout: 60_000, // between two pieces of the answer's body
  throwOnRequestTimeout: true,
} as const;

/**
 * A store in an S3 bucket. Tags are ETags, unread. What commits (a conditional PUT, or the end of a
 * conditional upload) is sent once. If the SDK repeated it after a lost answer, it would take the effect of
 * its own first attempt for a rival's (412). The SDK retries everything else.
 */
export function openS3Store(options: S3StoreOptions): Store {
  const { bucket, prefix } = options;
  const config: S3ClientConfig = { requestHandler: TIMEOUTS, ...options.client };
  const once = new S3Client({ ...config, maxAttempts: 1 });
  const retrying = new S3Client(config);
  const root = prefix === "" ? "" : `${prefix}/`;
  const location = `s3://${bucket}/${prefix}`.replace(/\/$/, "");

  const placeOf = (key: string): S3Place => {
    checkKey(key);
    return { location, bucket, key: root + key };
  };

  const put = async (place: S3Place, body: Uint8Array, condition: { IfMatch: string } | { IfNoneMatch: "*" }) => {
    const answer = await once.send(new PutObjectCommand({ Bucket: bucket, Key: place.key, Body: body, ...condition }));
    return requireTag(answer.ETag, place);
  };

  const open = async (place: S3Place) => {
    try {
      return await retrying.send(new GetObjectCommand({ Bucket: bucket, Key: place.key }));
    } catch (error) {
      if (statusOf(error) === 404 && nameOf(error) !== "NoSuchBucket") {
        return null;
      }
      throw s3Error(error, "read", place);
    }
  };

  return {
    location,
    async get(key) {
      const place = placeOf(key);
      const answer = await open(place);
      if (answer === null) {
        return null;
      }
      const tag = requireTag(answer.ETag, place);
      try {
        return { body: (await answer.Body?.transformToByteArray()) ?? new Uint8Array(), tag };
      } catch (error) {
        throw s3Error(error, "read", place);
      }
    },
    async createNew(key, body) {
      const place = placeOf(key);
      for (let conflicts = 0; ; conflicts += 1) {
        try {
          await put(place, body, { IfNoneMatch: "*" });
          return "created";
        } catch (error) {
          if (statusOf(error) === 412) {
            return "exists";
          }
          if (statusOf(error) !== 409 || conflicts === MAX_CONFLICTS) {
            throw s3WriteError(error, place);
          }
        }
      }
    },
    createStream(key) {
      return Promise.resolve().then(() => openS3Sink({ once, retrying, config }, placeOf(key)));
    },
    async replaceIf(key, body, tag) {
      const place = placeOf(key);
      try {
        return await put(place, body, tag === null ? { IfNoneMatch: "*" } : { IfMatch: tag });
      } catch (error) {
        const status = statusOf(error);
        if (status === 412 || status === 409) {
          return null;
        }
        if (status === 404 && nameOf(error) !== "NoSuchBucket") {
          throw goneError(location, key);
        }
        throw s3WriteError(error, place);
      }
    },
    async openStream(key) {
      const place = placeOf(key);
      const answer = await open(place);
      return answer === null ? null : readPieces(answer.Body as AsyncIterable<Uint8Array> | undefined, place);
    },
    async *list(within, { foreign } = { foreign: false }) {
      checkPrefix(within);
      const place = { location, bucket, key: root + within };
      let last = "";
      for await (const { key, ...rest } of listObjects(retrying, place)) {
        if (key <= last) {
          throw new FillbookError("untrusted", `${location} lists ${key} after ${last}: not in key order`, {
            hint: "use a general purpose bucket: directory buckets list in no order",
          });
        }
        last = key;
        const own = key.slice(root.length);
        if (own.split("/").every((segment) => isListedSegment(segment, foreign))) {
          yield { key: own, ...rest };
        }
      }
    },
    async *folders(within) {
      checkFolder(within);
      const place = { location, bucket, key: root + within };
      for await (const { CommonPrefixes } of listPages(retrying, place, { Delimiter: "/" })) {
        for (const { Prefix = "" } of CommonPrefixes ?? []) {
          const name = Prefix.slice(place.key.length, -1);
          if (isKeySegment(name)) {
            yield name;
          }
        }
      }
    },
    async remove(key) {
      const place = placeOf(key);
      try {
        await retrying.send(new DeleteObjectCommand({ Bucket: bucket, Key: place.key }));
      } catch (error) {
        if (statusOf(error) !== 404 || nameOf(error) === "NoSuchBucket") {
          throw s3Error(error, "delete", place);
        }
      }
    },
  };
}

function requireTag(tag: string | undefined, place: S3Place): string {
  if (tag === undefined) {
    throw new FillbookError("untrusted", `s3://${place.bucket}/${place.key} was answered without an ETag`, {
      hint: "fillbook compares ETags: use a storage that gives them",
    });
  }
  return tag;
}

/** In Node the SDK's body is a Readable. */
async function* readPieces(body: AsyncIterable<Uint8Array> | undefined, place: S3Place): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (error) {
    throw s3Error(error, "read", place);
  }
}

async function* listObjects(client: S3Client, place: S3Place): AsyncGenerator<ListedObject> {
  for await (const { Contents } of listPages(client, place)) {
    for (const { Key, Size, LastModified } of Contents ?? []) {
      if (Key !== undefined) {
        // An object without a time is never old: nothing can be concluded about it.
        const modifiedMs = LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
        yield { key: Key, bytes: Size ?? 0, modifiedMs };
      }
    }
  }
}

async function* listPages(
  client: S3Client,
  place: S3Place,
  options: { readonly Delimiter?: string } = {},
): AsyncGenerator<ListObjectsV2CommandOutput> {
  try {
    yield* paginateListObjectsV2(
      { client, stopOnSameToken: true },
      { Bucket: place.bucket, Prefix: place.key, ...options },
    );
  } catch (error) {
    throw s3Error(error, "list", place);
  }
}
