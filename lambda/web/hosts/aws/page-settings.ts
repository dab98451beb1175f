import { FillbookError } from "../../../core/errors.ts";
import type { Environment } from "../../../job/settings.ts";
import { parseS3Uri } from "../../../storage/uri.ts";

const HTTPS_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;
/** Plain HTTP is accepted for this machine only, where an emulator may run. */
const ENDPOINT = /^(?:https:\/\/|http:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d+)?(?:\/|$))/;

/** The settings that the stack gives the page's function. */
export type HostedSettings = ReturnType<typeof readHostedSettings>;

/** Throws `usage` for a missing or wrong setting. */
export function readHostedSettings(environment: Environment) {
  const text = (variable: string, accepted: RegExp): string => {
    const value = environment[variable] ?? "";
    if (!accepted.test(value)) {
      throw new FillbookError("usage", `${variable} is ${value === "" ? "not set" : `"${value}"`}`, {
        hint: "deploy the page's stack again: it sets this variable",
      });
    }
    return value;
  };
  const textOrNull = (variable: string, accepted: RegExp) =>
    (environment[variable] ?? "") === "" ? null : text(variable, accepted);
  const settings = {
    /** The archives' store: `s3://bucket/prefix`. */
    store: text("FILLBOOK_STORE", /^s3:\/\//),
    /** The packs' store; null if packs are in the archives' store. */
    packStore: textOrNull("FILLBOOK_PACK_STORE", /^s3:\/\//),
    /** The page's origin, as a browser sends it in Origin: `https://host`. */
    origin: text("FILLBOOK_PAGE_ORIGIN", HTTPS_ORIGIN),
    /** ARN of the role to assume for an account; the session's tag names the account. */
    role: text("FILLBOOK_PAGE_ROLE", /^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]+$/),
    /** Address of Cognito's managed login, without a slash at its end. */
    signInUrl: text("FILLBOOK_SIGN_IN_URL", HTTPS_ORIGIN),
    /** The page's client id in the user pool. */
    signInClient: text("FILLBOOK_SIGN_IN_CLIENT", /^[\w+]{1,128}$/),
    /** ARN of the state machine that runs one account. */
    machine: text("FILLBOOK_MACHINE", /^arn:[\w-]+:states:[a-z0-9-]+:\d{12}:stateMachine:[\w-]{1,80}$/),
    /** `s3://bucket/key`: a JSON array of the accounts' names. */
    accountList: text("FILLBOOK_ACCOUNT_LIST", /^s3:\/\/[a-z0-9.-]+\/.+$/),
    /** The address of S3 and the other services if they are not Amazon's; buckets are then part of the path. */
    endpoint: textOrNull("AWS_ENDPOINT_URL", ENDPOINT),
  } as const;
  parseS3Uri(settings.store);
  parseS3Uri(settings.packStore ?? settings.store);
  return settings;
}
