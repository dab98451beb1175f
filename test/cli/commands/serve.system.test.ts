import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openBrowser } from "../../../lambda/web/hosts/local/browser.ts";
import { run } from "./run.ts";

vi.mock("../../../lambda/web/hosts/local/browser.ts", () => ({
  openBrowser: vi.fn(() => Promise.resolve(() => Promise.resolve())),
}));
const opened = vi.mocked(openBrowser);

let folder = "";

beforeEach(async () => {
  opened.mockClear();
  folder = await mkdtemp(join(tmpdir(), "fillbook-serve-command-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const ALL = { FILLBOOK_TOKEN: "abc", FILLBOOK_ACCOUNT_URL: "http://127.0.0.1:9" };

/**
 * Runs `fillbook serve` with a signal that is already aborted: it starts completely, and ends instead of
 * waiting.
 */
async function served(line: readonly string[], environment: Readonly<Record<string, string>>, tty = false) {
  const options = { environment: { FILLBOOK_STORE: join(folder, "store"), ...environment }, tty };
  return await run(["serve", ...line], { ...options, signal: AbortSignal.abort() });
}

describe("a warning at its start says that it cannot ask the service", () => {
  test.each([
    [{}, "there is no token"],
    [{ FILLBOOK_TOKEN: "abc" }, "the address of the account host is not set"],
  ])("with %j", async (environment, says) => {
    const { code, stderr } = await served([], environment);
    const warning = `fillbook serve: warning: ${says}: packs can be made from what is kept alone\n`;
    expect([code, stderr]).toEqual([0, warning]);
  });
});

describe("the browser", () => {
  test.each<[string, boolean, readonly string[]]>([
    ["a person sees the output", true, []],
    ["--open asks for it", false, ["--open"]],
    ["--open asks for it, although a program reads the address", true, ["--open", "--json", "--quiet"]],
  ])("is opened where %s", async (_, tty, line) => {
    const { code, stdout } = await served(line, ALL, tty);
    const url = line.includes("--json") ? JSON.parse(stdout).url : stdout.trim();
    expect([code, opened.mock.calls]).toEqual([0, [[url]]]);
  });

  test.each<[string, boolean, readonly string[]]>([
    ["nobody sees the output", false, []],
    ["a program reads the address", true, ["--json"]],
    ["--quiet is given", true, ["--quiet"]],
    ["--no-open is given", true, ["--no-open"]],
  ])("is not opened where %s", async (_, tty, line) => {
    expect((await served(line, ALL, tty)).code).toBe(0);
    expect(opened).not.toHaveBeenCalled();
  });

  test("may fail to open, which changes nothing", async () => {
    opened.mockRejectedValueOnce(new Error("no folder"));
    expect(await served([], ALL, true)).toMatchObject({ code: 0, stderr: "" });
  });

  test("cannot be both requested and declined", async () => {
    const { code, stderr } = await served(["--open", "--no-open"], ALL);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--open and --no-open are both given/)]);
  });
});
