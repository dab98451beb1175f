import { hash } from "node:crypto";

export interface S3Object {
  readonly bytes: Buffer;
  /** With its quotes. */
  readonly etag: string;
  /** null: not told */
  readonly modifiedMs: number | null;
}

/** An error answer: HTTP status and S3's code. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

const MIN_PART_BYTES = 5 * 1024 * 1024;

/**
 * One bucket with S3's documented conditional writes, multipart uploads and lists. It has no versions and no
 * policies.
 */
export class Bucket {
  readonly objects = new Map<string, S3Object>();
  readonly uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  private uploadCount = 0;
  /** Its own clock, in whole seconds as S3 shows them. Each write advances it. */
  private clockMs = Date.UTC(2026, 0, 1);

  get(key: string): S3Object {
    const object = this.objects.get(key);
    if (object === undefined) {
      throw new Refusal(404, "NoSuchKey");
    }
    return object;
  }

  put(key: string, bytes: Buffer, conditions: Conditions = {}, etag = etagOf(bytes)): S3Object {
    this.checkConditions(key, conditions);
    this.clockMs += 1000;
    const object = { bytes, etag, modifiedMs: this.clockMs };
    this.objects.set(key, object);
    return object;
  }

  createUpload(key: string): string {
    this.uploadCount += 1;
    const id = `upload-${this.uploadCount}`;
    this.uploads.set(id, { key, parts: new Map() });
    return id;
  }

  putPart(key: string, uploadId: string, partNumber: number, bytes: Buffer): string {
    this.upload(key, uploadId).parts.set(partNumber, bytes);
    return etagOf(bytes);
  }

  /** `parts`: number and ETag, as the request lists them. */
  complete(key: string, uploadId: string, parts: readonly [number, string][], conditions: Conditions): S3Object {
    const upload = this.upload(key, uploadId);
    const bodies = parts.map(([number, etag], index) => {
      const body = upload.parts.get(number);
      if (body === undefined || etagOf(body) !== etag) {
        throw new Refusal(400, "InvalidPart");
      }
      if (index < parts.length - 1 && body.length < MIN_PART_BYTES) {
        throw new Refusal(400, "EntityTooSmall");
      }
      return body;
    });
    const bytes = Buffer.concat(bodies);
    const object = this.put(key, bytes, conditions, etagOf(bytes).replace(/"$/, `-${parts.length}"`));
    this.uploads.delete(uploadId);
    return object;
  }

  abort(key: string, uploadId: string): void {
    this.upload(key, uploadId);
    this.uploads.delete(uploadId);
  }

  /**
   * One page of the entries after `after`, in byte order. Keys come with their objects. Keys with `delimiter`
   * after the prefix are grouped: the entry is their beginning up to the delimiter, with null. `delimiter`
   * "": no groups.
   */
  list(
    prefix: string,
    after: string,
    { maxKeys, delimiter }: { maxKeys: number; delimiter: string },
  ): { page: [string, S3Object | null][]; truncated: boolean } {
    const entries = new Map<string, S3Object | null>();
    for (const [key, object] of this.objects) {
      if (key.startsWith(prefix)) {
        const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
        entries.set(end === -1 ? key : key.slice(0, end + delimiter.length), end === -1 ? object : null);
      }
    }
    const found = [...entries]
      .filter(([entry]) => entry > after)
      .sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    return { page: found.slice(0, maxKeys), truncated: found.length > maxKeys };
  }

  private upload(key: string, uploadId: string) {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined || upload.key !== key) {
      throw new Refusal(404, "NoSuchUpload");
    }
    return upload;
  }

  /**
   * The table of https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html, without the
   * races (409).
   */
  private checkConditions(key: string, { ifMatch, ifNoneMatch }: Conditions): void {
    const current = this.objects.get(key);
    if (ifNoneMatch !== undefined && ifNoneMatch !== "*") {
      throw new Refusal(501, "NotImplemented");
    }
    if (ifNoneMatch === "*" && current !== undefined) {
      throw new Refusal(412, "PreconditionFailed");
    }
    if (ifMatch !== undefined && current === undefined) {
      throw new Refusal(404, "NoSuchKey");
    }
    if (ifMatch !== undefined && current?.etag.replaceAll('"', "") !== ifMatch.replaceAll('"', "")) {
      throw new Refusal(412, "PreconditionFailed");
    }
  }
}

function etagOf(bytes: Uint8Array): string {
  return `"${hash("md5", bytes)}"`;
}

export interface Presigning {
  /** The double's clock, ms UTC. */
  readonly now: () => number;
  /** The session of an access key. Undefined: no signer has this key. */
  readonly signerOf: (accessKeyId: string) => { readonly sessionToken: string } | undefined;
}

/** The access key that signed a link. */
export function presignerOf({ searchParams }: URL): string | undefined {
  return searchParams.get("X-Amz-Credential")?.split("/")[0];
}

/**
 * Throws S3's refusal of a link: who signed it, and how long it is valid. The signature itself is the SDK's affair.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function checkPresigned(url: URL, { now, signerOf }: Presigning): void {
  const asked = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? "";
  if (asked("Security-Token") !== signerOf(presignerOf(url) ?? "")?.sessionToken) {
    throw new Refusal(403, "InvalidAccessKeyId");
  }
  const seconds = Number(asked("Expires"));
  const signedAt = Date.parse(asked("Date").replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(seconds >= 1 && seconds <= 604_800 && now() <= signedAt + seconds * 1000)) {
    throw new Refusal(403, "AccessDenied"); // "Request has expired"
  }
}
