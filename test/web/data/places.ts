import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import { openS3Store } from "../../../lambda/storage/s3.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { startS3Double } from "../../support/s3-double/server.ts";

/** A store over the double, as the program opens it. */
async function doubleStore(): Promise<Store> {
  const double = await startS3Double({ bucket: "bucket" });
  onTestFinished(() => double.close());
  return openS3Store({
    bucket: "bucket",
    prefix: "books",
    client: {
      endpoint: double.endpoint,
      region: "eu-west-1",
      forcePathStyle: true,
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    },
  });
}

/** An empty store of every kind, until the end of the test. */
export const PLACES: readonly [string, () => Promise<Store>][] = [
  ["memory", () => Promise.resolve(memoryStore())],
  [
    "folder",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "fillbook-page-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      return openFolderStore(folder);
    },
  ],
  ["S3", doubleStore],
];
