import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openS3Store, type S3StoreOptions } from "../../lambda/storage/s3.ts";
import { type Store, StoreUnknownError } from "../../lambda/storage/store.ts";
import { type S3Double, type S3Fate, startS3Double } from "../support/s3-double/server.ts";
import { bytes, text } from "../support/store-text.ts";

const BUCKET = "fillbook-test";
const MIB = 1024 * 1024;

let double: S3Double;
let store: Store;
beforeEach(async () => {
  double = await startS3Double({ bucket: BUCKET, listPage: 2 });
  store = open({});
});
afterEach(() => double.close());

function open(client: S3StoreOptions["client"], bucket = BUCKET): Store {
  return openS3Store({ bucket, prefix: "books", client: { ...double.client, ...client } });
}

/** Applies these fates to the first requests of one operation. All other requests succeed. */
function meet(operation: string, ...fates: S3Fate[]): void {
  double.plan = (request) => (request.operation === operation ? (fates.shift() ?? "ok") : "ok");
}

function always(operation: string, fate: S3Fate): void {
  double.plan = (request) => (request.operation === operation ? fate : "ok");
}

/** As another program would. */
function putForeign(key: string): void {
  double.bucket.put(key, Buffer.from("x"));
}

const sent = (operation: string) => double.requests.filter((request) => request.operation === operation);

const LOST: [string, S3Fate, boolean][] = [
  ["a 500 after the effect", { answer: 500, code: "InternalError", effect: true }, true],
  ["a 500 before it", { answer: 500, code: "InternalError" }, false],
  ["a 503 before it", { answer: 503, code: "SlowDown" }, false],
  ["a connection cut after the effect", { reset: true, effect: true }, true],
  ["a connection cut before it", { reset: true }, false],
  ["no answer after the effect", { hang: true, effect: true }, true],
];

describe("a write that commits is sent once; if its answer is lost, the outcome is unknown", () => {
  const write = async (size: number) => {
    const sink = await store.createStream("key");
    await sink.write(Buffer.alloc(size));
    return await sink.finish();
  };

  test.each<[string, string, () => Promise<unknown>]>([
    ["createNew", "PutObject", () => store.createNew("key", bytes("x"))],
    ["replaceIf", "PutObject", () => store.replaceIf("key", bytes("x"), null)],
    ["the end of a small stream", "PutObject", () => write(1)],
    ["the end of a large stream", "CompleteMultipartUpload", () => write(6 * MIB)],
  ])("%s", async (_, operation, commit) => {
    for (const [name, fate, landed] of LOST) {
      store = open({ requestHandler: { requestTimeout: 200, throwOnRequestTimeout: true } });
      const before = sent(operation).length;
      meet(operation, fate);
      await expect(commit(), name).rejects.toBeInstanceOf(StoreUnknownError);
      expect(sent(operation)).toHaveLength(before + 1);
      expect([name, double.bucket.objects.has("books/key")]).toEqual([name, landed]);
      expect(double.bucket.uploads.size).toBe(0);
      double.bucket.objects.clear();
    }
  });

  test("but the outcome is known if no connection was made: nothing was sent", async () => {
    await double.close();
    await expect(store.createNew("key", bytes("x"))).rejects.toMatchObject({
      kind: "incomplete",
      message: expect.stringContaining(`s3://${BUCKET}/books/key`),
    });
    double = await startS3Double({ bucket: BUCKET });
  });
});

describe("when S3 answers with a conflict", () => {
  const conflict: S3Fate = { answer: 409, code: "ConditionalRequestConflict" };

  test("createNew sends again after a 409, and gives up after six", async () => {
    meet("PutObject", conflict, conflict);
    expect(await store.createNew("key", bytes("x"))).toBe("created");
    expect(sent("PutObject")).toHaveLength(3);
    always("PutObject", conflict);
    await expect(store.createNew("other", bytes("x"))).rejects.toMatchObject({ kind: "incomplete" });
    expect(sent("PutObject")).toHaveLength(3 + 6);
  });

  test("replaceIf treats a 409 as a conflict, like a 412", async () => {
    meet("PutObject", conflict, { answer: 412, code: "PreconditionFailed" });
    expect(await store.replaceIf("head", bytes("2"), null)).toBeNull();
    expect(await store.replaceIf("head", bytes("2"), null)).toBeNull();
    expect(sent("PutObject")).toHaveLength(2);
  });

  test("every write carries its condition; a large one carries it on completion", async () => {
    await store.createNew("a", bytes("x"));
    const tag = await store.replaceIf("head", bytes("1"), null);
    await store.replaceIf("head", bytes("2"), tag);
    for (const [key, size] of [
      ["small", 1],
      ["large", 11 * MIB],
    ] as const) {
      const sink = await store.createStream(key);
      await sink.write(Buffer.alloc(size));
      await sink.finish();
    }
    const committed = [...sent("PutObject"), ...sent("CompleteMultipartUpload")];
    expect(committed.map(({ key, ifNoneMatch, ifMatch }) => [key, ifNoneMatch ?? ifMatch])).toEqual([
      ["books/a", "*"],
      ["books/head", "*"],
      ["books/head", tag],
      ["books/small", "*"],
      ["books/large", "*"],
    ]);
    expect(sent("UploadPart")).toHaveLength(3);
    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html
    const bodies = [...sent("PutObject"), ...sent("UploadPart")];
    expect(bodies.filter(({ hasChecksum }) => !hasChecksum)).toEqual([]);
  });
});

describe("an upload in parts", () => {
  test("retries its parts, which commit nothing", async () => {
    meet("UploadPart", { answer: 500, code: "InternalError" }, { reset: true });
    const sink = await store.createStream("key");
    await sink.write(Buffer.alloc(6 * MIB));
    expect(await sink.finish()).toBe("created");
    expect(sent("UploadPart").length).toBeGreaterThan(2);
  });

  test("fails for certain and leaves nothing if a part is refused, during the writes or at the end", async () => {
    always("UploadPart", { answer: 403, code: "AccessDenied" });
    const sink = await store.createStream("key");
    const writing = async () => {
      for (let written = 0; written < 60; written += 6) {
        await sink.write(Buffer.alloc(6 * MIB));
      }
      await sink.finish();
    };
    await expect(writing()).rejects.toMatchObject({ kind: "usage" });
    await sink.abort();
    expect(double.bucket.objects.size).toBe(0);
    expect(double.bucket.uploads.size).toBe(0);
    expect(sent("CompleteMultipartUpload")).toEqual([]);
  });

  test("removes its parts before abort resolves", async () => {
    const sink = await store.createStream("key");
    await sink.write(Buffer.alloc(18 * MIB));
    await sink.abort();
    expect(sent("CreateMultipartUpload")).toHaveLength(1);
    expect(double.bucket.uploads.size).toBe(0);
    expect(double.bucket.objects.size).toBe(0);
  });
});

describe("reads", () => {
  test("are retried", async () => {
    await store.createNew("key", bytes("x"));
    meet("GetObject", { answer: 503, code: "SlowDown" }, { reset: true });
    expect(await text(store, "key")).toBe("x");
    expect(sent("GetObject")).toHaveLength(3);
  });

  test("that are cut off do not give short objects", async () => {
    await store.createNew("key", Buffer.alloc(MIB));
    const incomplete = expect.objectContaining({ kind: "incomplete" });
    always("GetObject", { cut: true });
    await expect(store.get("key")).rejects.toEqual(incomplete);
    const stream = await store.openStream("key");
    await expect(stream && Array.fromAsync(stream)).rejects.toEqual(incomplete);
  });

  test("see only the store's prefix, and no foreign objects in it", async () => {
    for (const key of ["books", "books/", "books/a b", "books/dir/", "bookshelf/x", "other/x"]) {
      putForeign(key);
    }
    await store.createNew("a", bytes("x"));
    await store.createNew("z/z", bytes("x"));
    expect(await Array.fromAsync(store.list(""))).toMatchObject([
      { key: "a", bytes: 1 },
      { key: "z/z", bytes: 1 },
    ]);
    const all = (await Array.fromAsync(store.list("", { foreign: true }))).map(({ key }) => key);
    expect(all).toEqual(["a", "a b", "z/z"]); // neither the prefix itself nor a folder's mark
    expect(sent("ListObjectsV2").length).toBeGreaterThan(1);
  });

  test("never treat an object as old if the storage does not tell its time", async () => {
    await store.createNew("a", bytes("x"));
    const list = double.bucket.list.bind(double.bucket);
    double.bucket.list = (...args) => {
      const { page, truncated } = list(...args);
      return { page: page.map(([key, object]) => [key, object && { ...object, modifiedMs: null }]), truncated };
    };
    expect(await Array.fromAsync(store.list(""))).toEqual([
      { key: "a", bytes: 1, modifiedMs: Number.POSITIVE_INFINITY },
    ]);
  });

  test("skip folders of other programs whose names cannot be part of a key", async () => {
    await store.createNew("a/x", bytes("x"));
    await store.createNew("z/x", bytes("x"));
    for (const key of ["books//x", "books/b c/x", "books/.d/x", "books/é/x", "books/../x"]) {
      putForeign(key);
    }
    expect(await Array.fromAsync(store.folders(""))).toEqual(["a", "z"]);
    expect(sent("ListObjectsV2").length).toBeGreaterThan(1);
  });

  test("of a list out of order fail", async () => {
    await store.createNew("a", bytes("x"));
    await store.createNew("b", bytes("x"));
    const list = double.bucket.list.bind(double.bucket);
    double.bucket.list = (...args) => ({ page: list(...args).page.toReversed(), truncated: false });
    await expect(Array.fromAsync(store.list(""))).rejects.toMatchObject({ kind: "untrusted" });
  });
});

describe("a deletion, which may be sent any number of times", () => {
  test("is sent again after a lost answer", async () => {
    for (const [name, fate] of LOST.filter(([, one]) => one !== "ok" && !("hang" in one))) {
      await store.createNew("key", bytes("x"));
      const before = sent("DeleteObject").length;
      meet("DeleteObject", fate);
      await store.remove("key");
      expect(sent("DeleteObject")).toHaveLength(before + 2);
      expect([name, await text(store, "key")]).toEqual([name, null]);
    }
  });

  test("succeeds if the storage answers that there is nothing to delete", async () => {
    always("DeleteObject", { answer: 404, code: "NoSuchKey" });
    await expect(store.remove("key")).resolves.toBeUndefined();
  });

  test("that gets no answer is reported as not done", async () => {
    await store.createNew("key", bytes("x"));
    always("DeleteObject", { answer: 503, code: "SlowDown" });
    const notDone = { kind: "incomplete", message: expect.stringContaining("cannot delete s3://") };
    await expect(store.remove("key")).rejects.toMatchObject(notDone);
    expect(await text(store, "key")).toBe("x");
  });
});

describe("wrong settings are reported as such", () => {
  const calls: [string, (of: Store) => Promise<unknown>][] = [
    ["get", (of) => of.get("key")],
    ["openStream", (of) => of.openStream("key")],
    ["createNew", (of) => of.createNew("key", bytes("x"))],
    ["replaceIf null", (of) => of.replaceIf("key", bytes("x"), null)],
    ["replaceIf", (of) => of.replaceIf("key", bytes("x"), '"tag"')],
    ["createStream", async (of) => (await of.createStream("key")).finish()],
    ["list", (of) => Array.fromAsync(of.list("key"))],
    ["folders", (of) => Array.fromAsync(of.folders("key/"))],
    ["remove", (of) => of.remove("key")],
  ];

  test.each(calls)("%s: no bucket, no credentials, no right", async (name, call) => {
    const noBucket = { kind: "usage", message: expect.stringContaining("there is no bucket no-such-bucket") };
    await expect(call(open({}, "no-such-bucket"))).rejects.toMatchObject(noBucket);
    const missing = Object.assign(new Error("Could not load credentials"), { name: "CredentialsProviderError" });
    const noKeys = { kind: "usage", hint: expect.stringContaining("AWS_PROFILE") };
    await expect(call(open({ credentials: () => Promise.reject(missing) }))).rejects.toMatchObject(noKeys);
    double.plan = () => ({ answer: 403, code: "AccessDenied" });
    const reads = ["get", "openStream", "list", "folders"].map((read) => [read, "s3:ListBucket"]);
    const permissions = Object.fromEntries([...reads, ["remove", "s3:DeleteObject"]]);
    const key = `s3://${BUCKET}/books/key${name === "folders" ? "/" : ""}`;
    await expect(call(store)).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining(`${key}: not allowed (AccessDenied)`),
      hint: expect.stringMatching(new RegExp(`${permissions[name] ?? "s3:PutObject"}.*${BUCKET}`)),
    });
  });

  test.each([
    ["a bucket in another region", "GetObject", { answer: 301, code: "PermanentRedirect" }, "AWS_REGION"],
    [
      "a storage without conditional writes",
      "PutObject",
      { answer: 501, code: "NotImplemented" },
      "conditional writes",
    ],
  ])("%s", async (_, operation, fate, hint) => {
    always(operation, fate);
    const call = operation === "GetObject" ? store.get("key") : store.createNew("key", bytes("x"));
    await expect(call).rejects.toMatchObject({ kind: "usage", hint: expect.stringContaining(hint) });
  });
});
