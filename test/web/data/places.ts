import { onTestFinished } from "vitest";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import { openS3Store } from "../../../lambda/storage/s3.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { startS3Double } from "../../support/s3-double/server.ts";

/** A store over the double, as the program opens it. */
async function doubleStore(): Promise<Store> {
  const double = await startS3Double({ bucket: "bucket" });
  onTestFinished(() => double.close());
  return openS3Store({ bucket: "bucket", prefix: "books", client: double.client });
}

/** An empty store of every kind, until the end of the test. */
export const PLACES: readonly [string, () => Promise<Store>][] = [
  ["memory", () => Promise.resolve(memoryStore())],
  ["folder", () => Promise.resolve(openFolderStore(temporaryFolder()))],
  ["S3", doubleStore],
];
