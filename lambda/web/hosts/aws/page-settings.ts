import { FillbookError } from "../../../core/errors.ts";
import type { Environment } from "../../../job/settings.ts";
import { parseStoreUri } from "../../../storage/uri.ts";

/** What the stack says to the page's function. */
export interface HostedSettings {
  /** The archives': `s3://bucket/prefix`. */
  readonly store: string;
  /** The packs'; null: in the store. */
  readonly packStore: string | null;
  /** Where the page is, as a browser writes it into Origin: `https://host`. */
  readonly origin: string;
  /** ARN of the role to take on for an account, which the session's tag names. */
  readonly role: string;
  /** Of Cognito's managed login, without a slash at its end. */
  readonly signInUrl: string;
  /** Id of the page as a client of the user pool. */
  readonly signInClient: string;
  /** Id of that pool. */
  readonly userPool: string;
  /** ARN of the state machine that runs one account. */
  readonly machine: string;
  /** `s3://bucket/key`: a JSON array of the accounts' names. */
  readonly accountList: string;
  /** Where S3 and the rest are, when they are not Amazon's: buckets are then part of the path. */
  readonly endpoint: string | null;
}

/** In the clear on this machine alone, where an emulator is. */
const ENDPOINT = /^(?:https:\/\/|http:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?(?:\/|$))/;

/** Throws with kind `usage` for what is missing or wrong. */
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
