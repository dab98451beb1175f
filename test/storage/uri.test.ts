import { describe, expect, test } from "vitest";
import { parseStoreUri } from "../../lambda/storage/uri.ts";

describe("parseStoreUri", () => {
  test.each(["./fillbook-data", "/var/lib/fillbook", "C:\\books", "s3", "a b/ü"])("%s is a folder", (path) => {
    expect(parseStoreUri(path)).toEqual({ kind: "folder", path });
  });

  test.each([
    ["s3://my-bucket", "my-bucket", ""],
    ["s3://my-bucket/", "my-bucket", ""],
    ["s3://my.bucket/a/b=2", "my.bucket", "a/b=2"],
    ["s3://my-bucket/books/", "my-bucket", "books"],
  ])("%s is a bucket and a prefix", (text, bucket, prefix) => {
    expect(parseStoreUri(text)).toEqual({ kind: "s3", bucket, prefix });
  });

  test.each([
    ["", "path is missing"],
    ["  ", "path is missing"],
    ["a\0b", "path is missing"],
    ["s3://", "name of a bucket"],
    ["s3://ab", "name of a bucket"],
    ["s3://My_Bucket/x", "name of a bucket"],
    ["s3://192.168.0.1/x", "name of a bucket"],
    ["s3://a..b/x", "name of a bucket"],
    [`s3://${"b".repeat(64)}`, "name of a bucket"],
    ["s3://bucket//x", "cannot be a prefix"],
    ["s3://bucket/a/../b", "cannot be a prefix"],
    ["s3://bucket/a b", "cannot be a prefix"],
    ["s3://bucket/a//", "cannot be a prefix"],
    [`s3://bucket/${"p".repeat(301)}`, "cannot be a prefix"],
    ["https://bucket.s3.amazonaws.com", '"https://" is not known'],
    ["S3://bucket", '"S3://" is not known'],
  ])("%j is refused", (text, reason) => {
    expect(() => parseStoreUri(text)).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining(reason), hint: expect.any(String) }),
    );
  });
});
