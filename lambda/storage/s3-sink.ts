import { once as nextEvent } from "node:events";
import { PassThrough } from "node:stream";
import { CompleteMultipartUploadCommand, PutObjectCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { StoppedError } from "../core/errors.ts";
import { type S3Place, s3Error, s3WriteError, statusOf } from "./s3-errors.ts";
import { checkOpen, type StoreSink } from "./store.ts";

export interface S3Clients {
  /** Sends every request once. */
  readonly once: S3Client;
  readonly retrying: S3Client;
  readonly config: S3ClientConfig;
}

/**
 * A conditional upload in parts of 5 MiB, four at a time. A body of less than one part is one conditional
 * PUT. Nothing is visible before the end. A killed process leaves an unfinished upload, which the bucket's
 * lifecycle rule removes.
 */
export function openS3Sink(clients: S3Clients, place: S3Place): StoreSink {
  const body = new PassThrough();
  body.on("error", () => undefined); // told through `done`
  const { client, committing } = commitOnce(clients);
  const params = { Bucket: place.bucket, Key: place.key, Body: body, IfNoneMatch: "*" };
  const done = new Upload({ client, params, leavePartsOnError: false }).done();
  done.catch((error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))));
  let open = true;

  const requireOpen = () => checkOpen(open, `s3://${place.bucket}/${place.key}`);

  return {
    async write(chunk) {
      requireOpen();
      try {
        if (!body.write(Uint8Array.from(chunk))) {
          await Promise.race([nextEvent(body, "drain"), done]);
        }
      } catch (error) {
        // A failed part destroys the body, whose own error says no more than that. The upload knows the
        // reason.
        const reason: unknown = await done.then(
          () => error,
          (cause: unknown) => cause,
        );
        throw s3Error(reason, "write", place);
      }
    },
    async finish() {
      requireOpen();
      open = false;
      body.end();
      try {
        await done;
        return "created";
      } catch (error) {
        if (committing() && statusOf(error) === 412) {
          return "exists";
        }
        throw committing() ? s3WriteError(error, place) : s3Error(error, "write", place);
      }
    },
    async abort() {
      open = false;
      // `Upload.abort` would reject at once. If the body ends with an error instead, the upload waits for its
      // parts and removes them.
      body.destroy(new StoppedError());
      await done.catch(() => undefined);
    },
  };
}

/**
 * lib-storage takes one client. This one sends the request that makes the object visible once, and retries
 * all others.
 */
function commitOnce({ once, retrying, config }: S3Clients): { client: S3Client; committing: () => boolean } {
  let committing = false;
  const client = new S3Client(config);
  const send = (command: Parameters<S3Client["send"]>[0]) => {
    if (command instanceof PutObjectCommand || command instanceof CompleteMultipartUploadCommand) {
      committing = true;
      return once.send(command as PutObjectCommand);
    }
    return retrying.send(command);
  };
  client.send = send as S3Client["send"];
  return { client, committing: () => committing };
}
