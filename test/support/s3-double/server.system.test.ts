import { Readable } from "node:stream";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type S3Double, startS3Double } from "./server.ts";

let double: S3Double;
let client: S3Client;
beforeEach(async () => {
  double = await startS3Double({ bucket: "bucket" });
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  client = new S3Client({ endpoint: double.endpoint, region: "eu-west-1", forcePathStyle: true, credentials });
});
afterEach(() => double.close());

const put = (fields: object) => client.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", ...fields }));

test("a streamed body, which the SDK sends in chunks with a trailer, is stored without them", async () => {
  let encoding: unknown;
  client.middlewareStack.add(
    (next) => (args) => {
      encoding = Reflect.get(Reflect.get(args.request as object, "headers") as object, "content-encoding");
      return next(args);
    },
    { step: "finalizeRequest" },
  );
  const body = Buffer.alloc(100_000, "0123456789");
  await put({ Body: Readable.from([body.subarray(0, 70_000), body.subarray(70_000)]), ContentLength: body.length });
  expect(encoding).toBe("aws-chunked");
  const answer = await client.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
  expect(Buffer.from((await answer.Body?.transformToByteArray()) ?? []).equals(body)).toBe(true);
});

test("a body that is not what its checksum says is refused", async () => {
  await expect(put({ Body: "x", ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject({ name: "BadDigest" });
  expect(double.bucket.objects.size).toBe(0);
});

test("an unsigned request is refused", async () => {
  const answer = await fetch(`${double.endpoint}/bucket/key`, { method: "PUT", body: "x" });
  expect(answer.status).toBe(403);
});

test("an object damaged on its way out is found by the SDK", async () => {
  await put({ Body: "whole" });
  const object = double.bucket.get("key");
  double.bucket.objects.set("key", { ...object, bytes: Buffer.from("wholE") });
  const answer = await client.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
  await expect(answer.Body?.transformToByteArray()).rejects.toThrow(/[Cc]hecksum/);
});
