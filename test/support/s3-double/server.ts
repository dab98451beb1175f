import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { listen, stop } from "../loopback.ts";
import { accessKeyIdOf } from "../signature.ts";
import { Bucket, type Conditions, checkPresigned, type Presigning, presignerOf, Refusal } from "./bucket.ts";

export interface S3Request {
  /** S3's name of the operation: "PutObject", "CompleteMultipartUpload", … */
  readonly operation: string;
  readonly bucket: string;
  readonly key: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Whether the body has a checksum. S3 requires one for objects that are to be locked. */
  readonly hasChecksum: boolean;
  /** The prefix of a list; "" for other operations. */
  readonly prefix: string;
  /** The access key that signed the request. */
  readonly accessKeyId: string;
}

/**
 * What happens to a request. `answer`: this error, with or without the effect; `reset`: the connection is cut
 * instead of an answer; `hang`: no answer until the double closes; `cut`: half of the answer's body, then the
 * connection is cut.
 */
export type S3Fate =
  | "ok"
  | { readonly answer: number; readonly code: string; readonly effect?: boolean }
  | { readonly reset: true; readonly effect?: boolean }
  | { readonly hang: true; readonly effect?: boolean }
  | { readonly cut: true };

export type S3Double = Awaited<ReturnType<typeof startS3Double>>;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer | string;
}

interface S3DoubleOptions {
  readonly bucket: string;
  /** More buckets. */
  readonly others?: readonly string[];
  readonly listPage?: number;
  /** The signers whose links are valid; absent: none. */
  readonly presigning?: Presigning;
}

/** An S3 on 127.0.0.1 for the real SDK. It requires a signature, but checks only those of links. */
export async function startS3Double(options: S3DoubleOptions) {
  const bucket = new Bucket();
  const buckets = new Map((options.others ?? []).map((name) => [name, new Bucket()])).set(options.bucket, bucket);
  const requests: S3Request[] = [];
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.keepAliveTimeout = 600_000; // on a busy machine a connection is idle for longer than Node's five seconds

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
    const request = describeRequest(incoming, url);
    requests.push(request);
    const fate = await double.plan(request);
    const act = (): Answer => {
      try {
        return answer(request, url, incoming, body);
      } catch (error) {
        return refusal(error, request.key);
      }
    };
    settle(response, fate, act, incoming.method === "HEAD");
  };

  const answer = (request: S3Request, url: URL, incoming: IncomingMessage, body: Buffer): Answer => {
    if (url.searchParams.has("X-Amz-Signature")) {
      checkPresigned(url, options.presigning ?? { now: () => 0, signerOf: () => undefined });
    }
    if (request.accessKeyId === "") {
      throw new Refusal(403, "AccessDenied");
    }
    const asked = buckets.get(request.bucket);
    if (asked === undefined) {
      throw new Refusal(404, "NoSuchBucket");
    }
    const respond = OPERATIONS[request.operation];
    if (respond === undefined) {
      throw new Refusal(501, "NotImplemented");
    }
    const { headers } = incoming;
    if (headers["x-amz-checksum-crc32"] !== undefined && headers["x-amz-checksum-crc32"] !== checksumOf(body)) {
      throw new Refusal(400, "BadDigest");
    }
    return respond({ bucket: asked, request, url, body, headers, listPage: options.listPage ?? 1000 });
  };

  const endpoint = await listen(server);
  const double = {
    /** For a client with forcePathStyle. */
    endpoint,
    /** The settings for such a client. */
    client: { ...CLIENT, endpoint },
    bucket,
    requests,
    /** Decides every request's fate; a promise delays it. */
    plan: (_: S3Request): S3Fate | Promise<S3Fate> => "ok",
    close: () => stop(server),
  };
  return double;
}

const CLIENT = {
  region: "eu-west-1",
  forcePathStyle: true,
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
} as const;

interface Context {
  readonly bucket: Bucket;
  readonly request: S3Request;
  readonly url: URL;
  readonly body: Buffer;
  readonly headers: IncomingMessage["headers"];
  readonly listPage: number;
}

const OPERATIONS: Readonly<Record<string, (context: Context) => Answer>> = {
  GetObject: getObject,
  HeadObject: getObject,
  ListObjectsV2: listObjects,
  PutObject({ bucket, request, body }) {
    const { etag } = bucket.put(request.key, body, request);
    return { status: 200, headers: { etag }, body: "" };
  },
  DeleteObject({ bucket, request }) {
    bucket.objects.delete(request.key);
    return { status: 204, headers: {}, body: "" };
  },
  CreateMultipartUpload({ bucket, request }) {
    const id = bucket.createUpload(request.key);
    return xml(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  },
  UploadPart({ bucket, request, url, body }) {
    const number = Number(url.searchParams.get("partNumber"));
    const etag = bucket.putPart(request.key, uploadIdOf(url), number, body);
    return { status: 200, headers: { etag }, body: "" };
  },
  CompleteMultipartUpload({ bucket, request, url, body }) {
    const parts = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]): [number, string] => [
      Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      (/<ETag>(.*?)</.exec(part)?.[1] ?? "").replaceAll("&quot;", '"'),
    ]);
    const { etag } = bucket.complete(request.key, uploadIdOf(url), parts, request);
    return xml(200, `<CompleteMultipartUploadResult><ETag>${escapeXml(etag)}</ETag></CompleteMultipartUploadResult>`);
  },
  AbortMultipartUpload({ bucket, request, url }) {
    bucket.abort(request.key, uploadIdOf(url));
    return { status: 204, headers: {}, body: "" };
  },
};

function getObject({ bucket, request, url, headers: { range } }: Context): Answer {
  const { bytes, etag, modifiedMs } = bucket.get(request.key);
  const asked = ["content-type", "content-disposition"].flatMap((name) => {
    const value = url.searchParams.get(`response-${name}`);
    return value === null ? [] : [[name, value]];
  });
  const common = { etag, "last-modified": new Date(modifiedMs ?? 0).toUTCString(), ...Object.fromEntries(asked) };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (from !== undefined) {
    const headers = { ...common, "content-range": `bytes ${from}-${to}/${bytes.length}` };
    return { status: 206, headers, body: bytes.subarray(Number(from), Number(to) + 1) };
  }
  return { status: 200, headers: common, body: bytes };
}

function listObjects({ bucket, url, listPage }: Context): Answer {
  const after = url.searchParams.get("continuation-token") ?? url.searchParams.get("start-after") ?? "";
  const delimiter = url.searchParams.get("delimiter") ?? "";
  const prefix = url.searchParams.get("prefix") ?? "";
  const { page, truncated } = bucket.list(prefix, after, { maxKeys: listPage, delimiter });
  const contents = page.map(([entry, object]) => {
    if (object === null) {
      return `<CommonPrefixes><Prefix>${escapeXml(entry)}</Prefix></CommonPrefixes>`;
    }
    const { bytes, etag, modifiedMs: ms } = object;
    const time = ms === null ? "" : `<LastModified>${new Date(ms).toISOString()}</LastModified>`;
    return `<Contents><Key>${escapeXml(entry)}</Key>${time}<Size>${bytes.length}</Size><ETag>${escapeXml(etag)}</ETag></Contents>`;
  });
  const next = truncated ? `<NextContinuationToken>${escapeXml(page.at(-1)?.[0] ?? "")}</NextContinuationToken>` : "";
  return xml(
    200,
    `<ListBucketResult><IsTruncated>${truncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

function describeRequest(incoming: IncomingMessage, url: URL): S3Request & Conditions {
  const [, bucket = "", ...rest] = decodeURIComponent(url.pathname).split("/");
  const key = rest.join("/");
  return {
    operation: operationOf(incoming.method ?? "", key, url.searchParams),
    bucket,
    key,
    ifMatch: incoming.headers["if-match"],
    ifNoneMatch: incoming.headers["if-none-match"],
    hasChecksum: incoming.headers["x-amz-checksum-crc32"] !== undefined,
    prefix: url.searchParams.get("prefix") ?? "",
    accessKeyId: presignerOf(url) ?? accessKeyIdOf(incoming.headers),
  };
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  const uploads = query.has("uploads") ? "uploads" : "";
  const marker = query.has("uploadId") ? "uploadId" : uploads;
  const names: Readonly<Record<string, string>> = {
    GET: key === "" ? "ListObjectsV2" : "GetObject",
    HEAD: "HeadObject",
    PUT: "PutObject",
    DELETE: "DeleteObject",
    "POST uploads": "CreateMultipartUpload",
    "PUT uploadId": "UploadPart",
    "POST uploadId": "CompleteMultipartUpload",
    "DELETE uploadId": "AbortMultipartUpload",
  };
  return names[`${method} ${marker}`.trim()] ?? `${method} ${marker}`;
}

function settle(response: ServerResponse, fate: S3Fate, act: () => Answer, head: boolean): void {
  if (fate === "ok") {
    send(response, act(), head);
    return;
  }
  if ("cut" in fate) {
    const { headers, body } = act();
    response.writeHead(200, { ...headers, "content-length": body.length });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
    return;
  }
  if (fate.effect === true) {
    act();
  }
  if ("answer" in fate) {
    send(response, refusal(new Refusal(fate.answer, fate.code), ""), head);
  } else if ("reset" in fate) {
    response.destroy();
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer, head: boolean): void {
  const empty = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...empty });
  response.end(head ? "" : body);
}

function checksumOf(bytes: Uint8Array): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString("base64");
}

function refusal(error: unknown, key: string): Answer {
  const { status, code } = error instanceof Refusal ? error : new Refusal(500, `Double${String(error)}`);
  return xml(
    status,
    `<Error><Code>${escapeXml(code)}</Code><Message>${code}</Message><Key>${escapeXml(key)}</Key></Error>`,
  );
}

function xml(status: number, body: string): Answer {
  return {
    status,
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  };
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const uploadIdOf = (url: URL) => url.searchParams.get("uploadId") ?? "";
