import { openS3Store } from "../../lambda/storage/s3.ts";
import { storeConformance } from "../conformance/store.ts";
import { startS3Double } from "../support/s3-double/server.ts";

const BUCKET = "fillbook-test";

storeConformance("S3 store on the double", async () => {
  const double = await startS3Double({ bucket: BUCKET, listPage: 3 });
  const open = () => openS3Store({ bucket: BUCKET, prefix: "books", client: double.client });
  return { store: open(), reopen: open, cleanup: () => double.close() };
});
