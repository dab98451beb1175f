import { FillbookError } from "../../../core/errors.ts";
import type { Environment } from "../../../job/settings.ts";
import { parseStoreUri } from "../../../storage/uri.ts";

/** The settings that the stack gives the page's function. */
export interface HostedSettings {
  /** The archives' store: `s3://bucket/prefix`. */
  readonly store: string;
  /** The packs' store; null if packs are in the archives' store. */
  readonly packStore: string | null;
  /** The page's origin, as a browser sends it in Origin: `https://host`. */
  readonly origin: string;
  /** ARN of the role to assume for an account; the session's tag names the account. */
  readonly role: string;
  /** Address of Cognito's managed login, without a slash at its end. */
  readonly signInUrl: string;
  /** The page's client id in the user pool. */
  readonly signInClient: string;
  /** The user pool's id. */
  readonly userPool: string;
  /** ARN of the state machine that runs one account. */
  readonly machine: string;
  /** `s3://bucket/key`: a JSON array of the accounts' names. */
  readonly accountList: string;
  /** The address of S3 and the other services if they are not Amazon's; buckets are then part of the path. */
  readonly endpoint: string | null;
}

/** Plain HTTP is accepted for this machine only, where an emulator may run. */
const ENDPOINT = /^(?:https:\/\/|http:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?(?:\/|$))/;

/** Throws `usage` for a missing or wrong setting. */
export function readHostedSettings(environment: Environment): HostedSettings {
  const text = (variable: string, accepted: RegExp): string => {
    const value = environment[variable] ?? "";
    if (!accepted.test(value)) {
      throw new FillbookError("usage", `${variable} is ${value === "" ? "not set" : `"${value}"`}`, {
        hint: "the page's stack sets it: deploy it again",
      });
    }
    return value;
  };
  const storeUri = (variable: string): string => {
    const uri = text(variable, /^s3:\/\//);
    parseStoreUri(uri);
    return uri;
  };
  return {
    store: storeUri("FILLBOOK_STORE"),
    packStore: (environment["FILLBOOK_PACK_STORE"] ?? "") === "" ? null : storeUri("FILLBOOK_PACK_STORE"),
    origin: text("FILLBOOK_PAGE_ORIGIN", /^https:\/\/[a-z0-9.-]+(?::\d+)?$/),
    role: text("FILLBOOK_PAGE_ROLE", /^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]+$/),
    signInUrl: text("FILLBOOK_SIGN_IN_URL", /^https:\/\/[a-z0-9.-]+(?::\d+)?$/),
    signInClient: text("FILLBOOK_SIGN_IN_CLIENT", /^[\w+]{1,128}$/),
    userPool: text("FILLBOOK_USER_POOL", /^[\w-]{1,40}_[A-Za-z0-9]{1,14}$/),
    machine: text("FILLBOOK_MACHINE", /^arn:[\w-]+:states:[a-z0-9-]+:\d{12}:stateMachine:[\w-]{1,80}$/),
    accountList: text("FILLBOOK_ACCOUNT_LIST", /^s3:\/\/[a-z0-9.-]+\/.+$/),
    endpoint: (environment["AWS_ENDPOINT_URL"] ?? "") === "" ? null : text("AWS_ENDPOINT_URL", ENDPOINT),
  };
}
