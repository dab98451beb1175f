import { createHash } from "node:crypto";
import { crc32Base64, type S3Body } from "./body.ts";

export interface S3Object {
  readonly bytes: Buffer;
  /** With its quotes. */
  readonly etag: string;
  /** null: not told */
  readonly modifiedMs: number | null;
  /** Absent for objects made of parts, which have a checksum of another kind. */
  readonly crc32?: string;
}

/** An error answer: HTTP status and S3's code. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
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

  put(key: string, body: S3Body, conditions: Conditions): S3Object {
    this.checkConditions(key, conditions);
    const crc32 = crc32Base64(body.bytes);
    const object = { bytes: body.bytes, etag: `"${md5(body.bytes)}"`, modifiedMs: this.tick(), crc32 };
    this.objects.set(key, object);
    return object;
  }

  createUpload(key: string): string {
    this.uploadCount += 1;
    const id = `upload-${this.uploadCount}`;
    this.uploads.set(id, { key, parts: new Map() });
    return id;
  }

  putPart(key: string, uploadId: string, partNumber: number, body: S3Body): string {
    this.upload(key, uploadId).parts.set(partNumber, body.bytes);
    return `"${md5(body.bytes)}"`;
  }

  /** `parts`: number and ETag, as the request lists them. */
  complete(key: string, uploadId: string, parts: readonly [number, string][], conditions: Conditions): S3Object {
    const upload = this.upload(key, uploadId);
    this.checkConditions(key, conditions);
    const bodies = parts.map(([number, etag], index) => {
      const body = upload.parts.get(number);
      if (body === undefined || `"${md5(body)}"` !== etag) {
        throw new Refusal(400, "InvalidPart");
      }
      if (index < parts.length - 1 && body.length < MIN_PART_BYTES) {
        throw new Refusal(400, "EntityTooSmall");
      }
      return body;
    });
    const sums = createHash("md5");
    for (const body of bodies) {
      sums.update(md5(body), "hex");
    }
    const etag = `"${sums.digest("hex")}-${parts.length}"`;
    const object = { bytes: Buffer.concat(bodies), etag, modifiedMs: this.tick() };
    this.uploads.delete(uploadId);
    this.objects.set(key, object);
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

  private tick(): number {
    this.clockMs += 1000;
    return this.clockMs;
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

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
