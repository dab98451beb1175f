import { constants, type Stats } from "node:fs";
import { link, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { allProblems, FillbookError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import { showsToken } from "../core/token.ts";
import { errorCode, folderError } from "../storage/folder-errors.ts";
import { PRIVATE_FILE } from "../storage/folder-files.ts";
import { type FileValues, keyOf, SETTING_NAMES, SETTINGS_FILE, type SettingName } from "./settings.ts";

/** The section for a deployment to AWS. infra/settings.ts reads it; the command line ignores it. */
export const DEPLOY_SECTION = "deploy";

const MAX_BYTES = 65_536;
const GET_ANOTHER = "remove it, get a new token, and set FILLBOOK_TOKEN or FILLBOOK_TOKEN_SECRET";
/** Names that suggest a token. The file must not hold one, so none of them is a setting. */
const SECRET_KEY = /^(?:fillbook_?)?(?:access_?|bearer_?|api_?)?(?:token|bearer|password|secret|key|jwt)$/i;
/**
 * The settings that decide where the token is sent, which secret holds it, who can read it, and where fills
 * go.
 */
const WAYS_OUT = ["accountUrl", "orderUrl", "tokenSecret", "accountRole", "s3Endpoint", "store"] as const;

/** Settings by their key in the file. */
export const KEYS: ReadonlyMap<string, SettingName> = new Map(
  SETTING_NAMES.filter((name) => name !== "token").map((name) => [keyOf(name), name]),
);

/**
 * The content of the folder's fillbook.json, key by key and unchecked. Null: there is no such file. Throws
 * `usage`.
 */
export async function readSettingsFile(folder: string): Promise<Readonly<Record<string, unknown>> | null> {
  const path = join(folder, SETTINGS_FILE);
  // The file is checked and read through one handle, so that nobody can exchange it in between. O_NONBLOCK
  // keeps a pipe from blocking.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") {
      return null;
    }
    throw folderError(error, "read", path);
  });
  if (handle === null) {
    return null;
  }
  try {
    const found = await handle.stat();
    checkFile(found, path);
    const { buffer, bytesRead } = await handle.read(new Uint8Array(MAX_BYTES), 0, MAX_BYTES, 0);
    const object = parseObject(new TextDecoder().decode(buffer.subarray(0, bytesRead)));
    checkTrusted(found, object, path);
    return object;
  } catch (error) {
    throw folderError(error, "read", path);
  } finally {
    await handle.close();
  }
}

/** A cloned or unpacked folder may contain such a file. Its mode is seldom the one that `init` sets. */
function checkTrusted({ mode }: Stats, object: Readonly<Record<string, unknown>>, path: string): void {
  const says = WAYS_OUT.map(keyOf).find((key) => Object.hasOwn(object, key));
  if (says !== undefined && process.getuid !== undefined && (mode & 0o077) !== 0) {
    throw wrongFile(
      `has "${says}", which decides where the token or the fills go, but is open to other users (mode ${(mode & 0o777).toString(8)}): it may have come with this folder`,
      `read the file; if you agree with its content: chmod 600 ${path}`,
    );
  }
}

/** Whoever can write the file decides where the token is sent, so only the user may. */
function checkFile(found: Stats, path: string): void {
  if (!found.isFile()) {
    throw wrongFile("is not a file", "move it away, or work in another folder");
  }
  if (found.size > MAX_BYTES) {
    throw wrongFile(`has ${found.size} bytes, and a settings file has at most ${MAX_BYTES}`, "move it away");
  }
  const own = process.getuid?.();
  if (own !== undefined && found.uid !== own && found.uid !== 0) {
    throw wrongFile("belongs to another user, who could redirect the token", "work in a folder of your own");
  }
  if (own !== undefined && (found.mode & 0o022) !== 0) {
    throw wrongFile("can be changed by other users, who could redirect the token", `chmod 600 ${path}`);
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const example = 'write an object, for example: {"accountUrl": "https://account.example.com"}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text, which may hold a token, so only the position is used.
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : "")?.[0];
    throw wrongFile(`is not JSON${place === undefined ? "" : ` ${place}`}`, example);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongFile("does not hold an object", example);
  }
  return { ...value };
}

/**
 * The settings among the keys. Throws `usage` with all problems. No message repeats a value that may be a
 * token.
 */
export function settingsIn(object: Readonly<Record<string, unknown>>): FileValues {
  const problem = allProblems(Object.entries(object).flatMap(([key, value]) => problemOf(key, value) ?? []));
  if (problem !== null) {
    throw problem;
  }
  const values = Object.entries(object).map(([key, value]) => [KEYS.get(key), String(value)] as const);
  return Object.fromEntries(values.filter(([name]) => name !== undefined));
}

/** The keys without a problem, as far as can be told without parsing their values. */
export function soundKeys(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => problemOf(key, value) === null));
}

function problemOf(key: string, value: unknown): FillbookError | null {
  if (showsToken(key)) {
    return wrongFile("has a token where a key should be", GET_ANOTHER);
  }
  if (SECRET_KEY.test(key) || (typeof value === "string" && showsToken(value))) {
    return wrongFile(`holds a token under "${key}", and files are copied, backed up and committed`, GET_ANOTHER);
  }
  if (key === DEPLOY_SECTION) {
    const isSection = typeof value === "object" && value !== null && !Array.isArray(value);
    return isSection ? null : wrongFile(`must have an object under "${key}"`, `write "${key}": {…}, or remove it`);
  }
  if (!KEYS.has(key)) {
    const near = nearest(key, [...KEYS.keys(), DEPLOY_SECTION]);
    return wrongFile(
      `has "${key}", which is not a setting`,
      near === undefined ? "list the settings with: fillbook help options" : `did you mean "${near}"?`,
    );
  }
  if (typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value !== "")) {
    return null;
  }
  return wrongFile(`must have a text, a number or a switch under "${key}"`, "write a value, or remove the key");
}

function wrongFile(what: string, hint: string): FillbookError {
  return new FillbookError("usage", `${SETTINGS_FILE} ${what}`, { hint });
}

/**
 * Writes fillbook.json whole or not at all, readable by its user only. Resolves to its path. `replaces`: an
 * existing file may be replaced. Throws `usage` if one has appeared meanwhile.
 */
export async function writeSettingsFile(
  folder: string,
  values: Readonly<Record<string, unknown>>,
  replaces: boolean,
): Promise<string> {
  const path = join(folder, SETTINGS_FILE);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await unlink(temporary).catch(() => undefined); // of a process that was killed
    const handle = await open(temporary, "wx", PRIVATE_FILE);
    try {
      await handle.writeFile(`${JSON.stringify(values, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await (replaces ? rename(temporary, path) : link(temporary, path)); // link refuses to replace
  } catch (error) {
    if (errorCode(error) === "EEXIST") {
      throw new FillbookError("usage", `${path} was created meanwhile, and is unchanged`, {
        hint: "check it, then run fillbook init again",
        cause: error,
      });
    }
    throw folderError(error, "write", path);
  } finally {
    await unlink(temporary).catch(() => undefined); // renamed, it is gone already
  }
  return path;
}
