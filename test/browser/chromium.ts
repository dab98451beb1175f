import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const HOW =
  "there is no Chromium: install it (Debian: apt-get install chromium), or name its program in FILLBOOK_CHROMIUM";

/** The browser's program; null: there is none on this machine. */
const PROGRAM = findProgram();

/**
 * Where there is no browser its tests are skipped, unless they were asked for: then they fail and say why.
 */
export const SKIP = PROGRAM === null && process.env["FILLBOOK_REQUIRE_BROWSER"] !== "1";

/** For the names of what is skipped. */
export const NO_BROWSER = PROGRAM === null ? `: NOT tried, ${HOW}` : "";

export interface BrowserOptions {
  /**
   * Names that lead elsewhere, as Chromium's resolver matches them: `*.cloudfront.net` to `127.0.0.1:8443`.
   */
  readonly hosts?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/**
 * Chromium with a profile of its own, which goes when it is closed. It reaches this machine and what `hosts`
 * names, and nothing else.
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
    // Chromium's own sandbox cannot be had by root.
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

export interface Heard {
  /** Addresses of all that was asked for, in order. */
  readonly requests: string[];
  /**
   * Errors of the console, which tells of each breach of a policy as well; errors of scripts; dialogs, which
   * only a script opens.
   */
  readonly complaints: string[];
}

/** Listens to all pages of a context from now on. */
export function listenTo(context: BrowserContext): Heard {
  const heard: Heard = { requests: [], complaints: [] };
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
