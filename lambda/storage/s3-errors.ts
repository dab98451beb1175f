import { FillbookError } from "../core/errors.ts";
import { StoreUnknownError } from "./store.ts";

export interface S3Place {
  /** `s3://bucket/prefix` */
  readonly location: string;
  readonly bucket: string;
  /** The full key in the bucket, or the prefix that is listed. */
  readonly key: string;
}

export type S3Action = "read" | "list" | "write" | "delete";

const PERMISSIONS: Readonly<Record<S3Action, string>> = {
  read: "s3:GetObject, and s3:ListBucket (without it a missing object is answered with 403)",
  list: "s3:ListBucket",
  write: "s3:PutObject and s3:GetObject (which If-Match needs)",
  delete: "s3:DeleteObject",
};

/** Failures before a byte of the request was sent. All others leave the outcome of a write open. */
const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];

/** The HTTP status of a refused request. Null: no answer. */
export function statusOf(error: unknown): number | null {
  const metadata = field(error, "$metadata");
  const status = field(metadata, "httpStatusCode");
  return typeof status === "number" ? status : null;
}

/** S3's error code or the SDK's error name, e.g. "NoSuchBucket", "TimeoutError". */
export function nameOf(error: unknown): string {
  const name = field(error, "name");
  return typeof name === "string" ? name : "";
}

/** What the user can repair, and how. Null for everything else. */
function refusalOf(error: unknown, action: S3Action, bucket: string): { says: string; hint: string } | null {
  const [status, name, reason] = [statusOf(error), nameOf(error), reasonOf(error)];
  if (name === "NoSuchBucket") {
    const hint = "create the bucket, or name another with --store, as s3://bucket/prefix";
    return { says: `there is no bucket ${bucket}`, hint };
  }
  if (status === 403 || status === 401) {
    const hint = `check the AWS credentials, and that they grant ${PERMISSIONS[action]} on bucket ${bucket}`;
    return { says: `not allowed (${name || status})`, hint };
  }
  if (status === 301 || status === 307) {
    return { says: "the bucket is in another region", hint: "set AWS_REGION to the bucket's region" };
  }
  if (status === 501) {
    const hint = "use S3, or a storage with conditional writes (If-Match, If-None-Match)";
    return { says: `this storage lacks what fillbook needs (${name}: ${reason})`, hint };
  }
  return setupProblem(error);
}

/** For a request that was never sent. */
function setupProblem(error: unknown): { says: string; hint: string } | null {
  const says = reasonOf(error);
  if (nameOf(error) === "CredentialsProviderError") {
    const hint =
      "give AWS credentials: a role, a profile (AWS_PROFILE), or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    return { says, hint };
  }
  return says.startsWith("Region is missing") ? { says, hint: "set AWS_REGION to the bucket's region" } : null;
}

/**
 * The error of a request that was refused or not answered, if it changes nothing or its effect is not the
 * commit.
 */
export function s3Error(error: unknown, action: S3Action, { bucket, key }: S3Place): FillbookError {
  if (error instanceof FillbookError) {
    return error;
  }
  const what = `cannot ${action} s3://${bucket}/${key}`;
  const refusal = refusalOf(error, action, bucket);
  if (refusal !== null) {
    return new FillbookError("usage", `${what}: ${refusal.says}`, { hint: refusal.hint, cause: error });
  }
  const [status, name] = [statusOf(error), nameOf(error)];
  // A later run may not meet these. Another 4xx answer is a fault of fillbook.
  const isPassing = status === null || status >= 500 || status === 429 || status === 409 || name === "RequestTimeout";
  const message = `${what}: ${status === null ? "" : `${status} `}${name}: ${reasonOf(error) || codeOf(error)}`;
  return new FillbookError(isPassing ? "incomplete" : "fault", message, {
    ...(isPassing ? { hint: "what was committed is kept; check the connection to S3 and run again" } : {}),
    cause: error,
  });
}

/** The same for a write that commits: a StoreUnknownError if the outcome cannot be known. */
export function s3WriteError(error: unknown, place: S3Place): Error {
  if (outcomeIsKnown(error)) {
    return s3Error(error, "write", place);
  }
  const reason = error instanceof Error ? `${nameOf(error)}: ${error.message}` : String(error);
  return new StoreUnknownError(`S3 did not confirm the write of s3://${place.bucket}/${place.key} (${reason})`, {
    cause: error,
  });
}

function outcomeIsKnown(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== null) {
    return status < 500 || status === 501;
  }
  return error instanceof FillbookError || setupProblem(error) !== null || NEVER_SENT.includes(codeOf(error));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  const code = field(error, "code");
  return typeof code === "string" ? code : "";
}

function field(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
