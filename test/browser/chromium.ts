import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const HOW =
  "there is no Chromium: install it (Debian: apt-get install chromium), or name its program in FILLBOOK_CHROMIUM";

/** The browser's program. null: this machine has none. */
const PROGRAM = findProgram();

/**
 * Without a browser, its tests are skipped. If FILLBOOK_REQUIRE_BROWSER demands them, they fail instead and
 * tell why.
 */
export const SKIP = PROGRAM === null && process.env["FILLBOOK_REQUIRE_BROWSER"] !== "1";

/** For the titles of skipped tests. */
export const NO_BROWSER = PROGRAM === null ? `: NOT tried, ${HOW}` : "";

export interface BrowserOptions {
  /**
   * Names that resolve to other addresses, as in Chromium's resolver rules: `*.cloudfront.net` to
   * `127.0.0.1:8443`.
   */
  readonly hosts?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/**
 * Chromium with its own profile, which is deleted on close. It reaches only this machine and the names in
 * `hosts`.
 */
export async function openChromium({ hosts = {}, args = [] }: BrowserOptions = {}): Promise<Browser> {
  if (PROGRAM === null) {
    throw new Error(HOW);
  }
  const mapped = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  const rules = [...mapped, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE localhost"];
  return await chromium.launch({
    executablePath: PROGRAM,
    headless: true,
    // Chromium's own sandbox is not available to root.
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), `--host-resolver-rules=${rules.join(", ")}`, ...args],
  });
}

function findProgram(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const named = process.env["FILLBOOK_CHROMIUM"] ?? "";
  const places = named === "" ? NAMES.flatMap((name) => folders.map((folder) => join(folder, name))) : [named];
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Listens to all pages of a context from now on. */
export function listenTo(context: BrowserContext) {
  const heard = {
    /** Addresses of all requests, in order. */
    requests: [] as string[],
    /**
     * Errors and warnings in the console, which include each breach of a policy; script errors; and dialogs,
     * which only a script opens.
     */
    complaints: [] as string[],
  };
  context.on("request", (request) => heard.requests.push(request.url()));
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      heard.complaints.push(`${message.type()} at ${message.location().url}: ${message.text()}`);
    }
  });
  context.on("weberror", (error) => heard.complaints.push(String(error.error())));
  context.on("dialog", (dialog) => {
    heard.complaints.push(`${dialog.type()}: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined); // the page may be gone
  });
  return heard;
}
