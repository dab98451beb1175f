import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { openBrowser } from "../../../lambda/web/hosts/local/browser.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { run } from "./run.ts";

vi.mock("../../../lambda/web/hosts/local/browser.ts", () => ({
  openBrowser: vi.fn(() => Promise.resolve(() => Promise.resolve())),
}));
const opened = vi.mocked(openBrowser);

let folder = "";

beforeEach(async () => {
  opened.mockClear();
  folder = temporaryFolder();
  await mkdir(join(folder, "store"));
});

const SIGNS_IN = "whoever opens the address is signed in; ctrl-c here ends the page";

const CLOSED = "the page is closed\n";

const ALL = { FILLBOOK_TOKEN: "abc", FILLBOOK_ACCOUNT_URL: "http://127.0.0.1:9" };

/**
 * Runs `fillbook serve` with a signal that is already aborted: it starts completely, and ends instead of
 * waiting.
 */
async function served(line: readonly string[], environment: Readonly<Record<string, string>>, tty = false) {
  const options = { environment: { FILLBOOK_STORE: join(folder, "store"), ...environment }, tty };
  return await run(["serve", ...line], { ...options, signal: AbortSignal.abort() });
}

test.each([
  [{}, "there is no token"],
  [{ FILLBOOK_TOKEN: "abc" }, "the address of the account host is not set"],
])("a warning at its start says that it cannot ask the service with %j", async (environment, says) => {
  const { code, stderr } = await served([], environment);
  const warning = `fillbook serve: warning: ${says}: packs can be made only from the archive\n`;
  const next = `Next: open the address above in a browser\n  the page makes packs from the archive only; ${SIGNS_IN}\n`;
  expect([code, stderr]).toEqual([0, warning + next + CLOSED]);
});

test.each([
  ["store/nothere", "check --store and --account, or run: fillbook sync"],
  ["store/main", "is the archive of one account; the store is its parent folder: --store"],
])("a place that is not a store is refused, as status refuses it: %s", async (below, hint) => {
  await mkdir(join(folder, "store/main"));
  await writeFile(join(folder, "store/main/head.json"), "{}");
  const line = ["--store", join(folder, below)];
  const { code, stdout, stderr } = await served(line, ALL);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`there is no archive of account main in ${join(folder, below)}\n`);
  expect(stderr).toContain(hint);
  const status = await run(["status", ...line]);
  expect(status.stderr).toBe(stderr.replaceAll("fillbook serve:", "fillbook status:"));
});

const NEXT = "Next: open the address above in a browser";
const SAID = `\n  ${SIGNS_IN}\n${CLOSED}`;
const PAINTED = `\u001b[36m${NEXT}\u001b[0m${SAID}`;

test.each<[tty: boolean, line: readonly string[], isOpened: boolean, stderr: string]>([
  [true, [], true, PAINTED],
  [false, [], false, NEXT + SAID],
  [true, ["--json"], false, ""],
  [true, ["--quiet"], false, ""],
  [true, ["--no-open"], false, PAINTED],
])(
  "on a terminal: %s, with %j: the browser is opened: %s; before it waits it says %j",
  async (tty, line, isOpened, stderr) => {
    const ran = await served(line, ALL, tty);
    const url = line.includes("--json") ? JSON.parse(ran.stdout).url : ran.stdout.trim();
    expect([ran.code, ran.stderr, opened.mock.calls]).toEqual([0, stderr, isOpened ? [[url]] : []]);
  },
);

test("a browser that cannot be opened changes nothing", async () => {
  opened.mockRejectedValueOnce(new Error("no folder"));
  expect(await served([], ALL, true)).toMatchObject({ code: 0, stderr: PAINTED });
});
