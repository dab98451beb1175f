import { isAccountName } from "../core/account-name.ts";
import { asFillbookError, type FillbookError, usageError } from "../core/errors.ts";
import { showsToken } from "../core/token.ts";
import { checkAddress } from "../service/address.ts";
import { parseStoreUri } from "../storage/uri.ts";

// Parsers of settings. Each throws a FillbookError of kind `usage` that says what to write instead.

/** An address of the service, in its normal form. */
export function serviceAddress(text: string, where: string): string {
  return hinted(() => checkAddress(text, where).href, "", where, "https://host.example.com");
}

/** An address of an S3 service, unchanged. */
export function storageAddress(text: string, where: string): string {
  serviceAddress(text, where);
  return text;
}

export function accountName(text: string, where: string): string {
  if (isAccountName(text)) {
    return text;
  }
  const reason = 'an account name has 1 to 32 letters a-z, digits and dashes, and is not "table"';
  throw wrong(where, text, reason, "my-account");
}

/**
 * The name of an AWS resource, unchanged. It must not be a token, because messages repeat it and it is sent
 * to AWS.
 */
export function nameNotToken(text: string, where: string): string {
  if (!showsToken(text)) {
    return text;
  }
  throw usageError(`${where} looks like a token, but must be a name`, "put the token itself into FILLBOOK_TOKEN");
}

export function storeUri(text: string, where: string): string {
  hinted(() => parseStoreUri(text), `${where}: `, where, "./fillbook-data", "s3://bucket/prefix");
  return text;
}

/** Adds to an error where the text stands, and what can be written there. */
function hinted<T>(work: () => T, before: string, where: string, ...rights: readonly string[]): T {
  try {
    return work();
  } catch (error) {
    const hint = `for example: ${rights.map((right) => example(where, right)).join(", or ")}`;
    throw usageError(before + asFillbookError(error).message, hint, error);
  }
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
  readonly example: number;
}

export function number(text: string, where: string, bounds: Bounds): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.least && value <= bounds.most && (Number.isInteger(value) || !bounds.whole)) {
    return value;
  }
  const kind = bounds.whole ? "a whole number" : "a number";
  throw wrong(where, text, `it must be ${kind} from ${bounds.least} to ${bounds.most}`, String(bounds.example));
}

export function onOrOff(text: string, where: string): boolean {
  const word = text.toLowerCase();
  const isOn = ["1", "true", "yes", "on"].includes(word);
  if (!(isOn || ["0", "false", "no", "off"].includes(word))) {
    throw wrong(where, text, "it must be 1 or 0", "1");
  }
  return isOn;
}

function wrong(where: string, text: string, reason: string, right: string): FillbookError {
  return usageError(`${where} is "${text}": ${reason}`, `for example: ${example(where, right)}`);
}

/** An example in the form of the place: `--store`, `FILLBOOK_STORE`, or `"store" in fillbook.json`. */
function example(where: string, value: string): string {
  if (where.startsWith('"')) {
    return `${where.slice(0, where.indexOf('"', 1) + 1)}: "${value}"`;
  }
  return where.startsWith("--") ? `${where} ${value}` : `${where}=${value}`;
}
