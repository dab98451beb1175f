import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe } from "vitest";
import { openS3Store } from "../../lambda/storage/s3.ts";
import { parseStoreUri } from "../../lambda/storage/uri.ts";
import { storeConformance } from "../conformance/store.ts";
import { cloudPlace } from "./place.ts";

/**
 * The store's conformance suite on S3 implementations that are not ours: on the emulator, and on a real
 * bucket if FILLBOOK_TEST_BUCKET names one. `npm test` uses our own double, which passes the same suite
 * (test/storage/s3.system.test.ts).
 */

describe("MiniStack", () => {
  const { endpoint, region, accessKeyId, secretAccessKey } = cloudPlace();
  const bucket = `conformance-${randomUUID()}`;
  const config = { endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } };
  beforeAll(async () => {
    const client = new S3Client(config);
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
  });

  storeConformance("S3 store on MiniStack", () => Promise.resolve(freshStore(bucket, "books", config)));
});

const real = process.env["FILLBOOK_TEST_BUCKET"];
if (real === undefined) {
  process.stderr.write(
    "The store suite did not run on a real bucket. To run it there, set FILLBOOK_TEST_BUCKET=s3://bucket/prefix.\n",
  );
} else {
  describe("a real bucket", () => {
    const { bucket, prefix } = placeOf(real);
    const own = [prefix, `conformance-${randomUUID()}`].filter((part) => part !== "").join("/");
    // An endpoint means a storage other than AWS, whose buckets may have no host names.
    const config = process.env["AWS_ENDPOINT_URL"] === undefined ? {} : { forcePathStyle: true };
    afterAll(async () => {
      const all = openS3Store({ bucket, prefix: own, client: config });
      for await (const { key } of all.list("", { foreign: true })) {
        await all.remove(key);
      }
    });
    storeConformance(`S3 store on ${real}`, () => Promise.resolve(freshStore(bucket, own, config)));
  });
}

/** An empty store: a new prefix in the same bucket. */
function freshStore(bucket: string, within: string, client: S3ClientConfig) {
  const prefix = `${within}/${randomUUID()}`;
  const open = () => openS3Store({ bucket, prefix, client });
  return { store: open(), reopen: open, cleanup: () => Promise.resolve() };
}

function placeOf(uri: string): { readonly bucket: string; readonly prefix: string } {
  const place = parseStoreUri(uri);
  if (place.kind !== "s3") {
    throw new Error("FILLBOOK_TEST_BUCKET is not s3://bucket/prefix");
  }
  return place;
}
