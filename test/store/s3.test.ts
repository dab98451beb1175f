import { randomUUID } from "node:crypto";
import { openS3Store } from "../../lambda/store/s3.ts";
import { parseStoreUri } from "../../lambda/store/uri.ts";
import { storeConformance } from "../conformance/store.ts";
import { startS3Double } from "../support/s3-double/server.ts";

const BUCKET = "fillbook-test";
const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

storeConformance("S3 store on the double", async () => {
  const double = await startS3Double({ bucket: BUCKET, listPage: 3 });
  const open = () =>
    openS3Store({
      bucket: BUCKET,
      prefix: "books",
      client: { endpoint: double.endpoint, region: "eu-west-1", forcePathStyle: true, credentials: CREDENTIALS },
    });
  return { store: open(), reopen: open, cleanup: () => double.close() };
});

const outside = process.env["FILLBOOK_TEST_S3"];
if (outside === undefined) {
  process.stderr.write(
    "store suite: not run on another S3; set FILLBOOK_TEST_S3=s3://bucket/prefix (and AWS_ENDPOINT_URL)\n",
  );
} else {
  const address = parseStoreUri(outside);
  if (address.kind !== "s3") {
    throw new Error("FILLBOOK_TEST_S3 is not s3://bucket/prefix");
  }
  const forcePathStyle = process.env["AWS_ENDPOINT_URL"] !== undefined;
  storeConformance(`S3 store on ${outside}`, () => {
    const prefix = [address.prefix, randomUUID()].filter((part) => part !== "").join("/");
    const open = () => openS3Store({ bucket: address.bucket, prefix, client: { forcePathStyle } });
    return Promise.resolve({ store: open(), reopen: open, cleanup: () => Promise.resolve() });
  });
}
