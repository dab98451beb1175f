import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openFolderStore } from "../../../../lambda/storage/folder.ts";
import { startCli } from "../../../cli/child.ts";
import { makeHistory } from "../../../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../../../emulator/server.ts";
import { temporaryFolder } from "../../../leftovers.ts";
import { writeByHand } from "../../data/hand-written.ts";
import { FORM_HEADERS } from "../../site/fake-site.ts";
import { startServe } from "./served.ts";

/**
 * The page on this machine when something is wrong: the program in its own process, a service, a folder, and
 * a client with a cookie. A person's whole way is in test/browser/local.system.test.ts.
 */
let service: RunningEmulator;
let store: string;

beforeEach(() => {
  store = temporaryFolder();
});

beforeAll(async () => {
  const history = makeHistory({ seed: 5, fills: 1500, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) });
  service = await startEmulator({ history });
});

afterAll(() => service.close());

/** The page of this store's account, to a visitor who has signed in: paths are below the session's root. */
async function opened() {
  const served = await startServe(service.environment(store));
  const signedIn = await fetch(served.url);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const root = /url=(.*)\/$/.exec(signedIn.headers.get("refresh") ?? "")?.[1] ?? "";
  const send = async (path: string, options: RequestInit = {}) => {
    const target = new URL(path.startsWith(`${root}/`) ? path : root + path, served.url);
    const answer = await fetch(target, { redirect: "manual", ...options, headers: { cookie, ...FORM_HEADERS } });
    return { location: answer.headers.get("location") ?? "", text: await answer.text() };
  };
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    send(path, { method: "POST", body: String(new URLSearchParams(fields)) });
  return { served, get: (path: string) => send(path), post };
}

/** The page of a job, once it no longer refreshes itself. */
async function ended(get: Awaited<ReturnType<typeof opened>>["get"], job: string) {
  let page = await get(job);
  for (let polls = 0; page.text.includes('http-equiv="refresh"') && polls < 20_000; polls += 1) {
    page = await get(job);
  }
  return page;
}

test("if it ends in the middle of a job, it keeps the fills, and the same job goes on next time", async () => {
  const { served, get, post } = await opened();
  const before = service.emulator.log.requests;
  await post("/a/main/jobs", { kind: "sync" });
  while (service.emulator.log.requests < before + 3) {
    await get("/a/main");
  }
  const { code, stderr } = await served.end();
  expect(code).toBe(0);
  expect(stderr).toMatch(/sync of main (?:failed|done): /);
  const synced = await startCli(["sync", "--json", "--quiet"], service.environment(store)).ended;
  expect(JSON.parse(synced.stdout)).toMatchObject({ complete: true, fills: 1500 });
});

test("for an account without this token, the service gets no request", async () => {
  const range = ["--from", "2025-03-01", "--to", "2025-03-02"];
  await startCli(["sync", "--account", "other", ...range, "--quiet"], service.environment(store)).ended;
  await writeByHand(openFolderStore(store), { account: "main_other", period: "us-2025", version: "0", files: {} });
  const { served, get, post } = await opened();
  expect((await get("/")).text).toContain('/a/main_other">');
  const before = service.emulator.log.requests;
  for (const kind of ["sync", "export"]) {
    const begun = await post("/a/other/jobs", { kind, period: "us-2025" });
    const shown = await ended(get, begun.location);
    expect(shown.text).toContain("can be asked only for account main, to which the token belongs");
  }
  expect(service.emulator.log.requests).toBe(before);
  expect((await served.end()).code).toBe(0);
});
