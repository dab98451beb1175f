import { createServer } from "node:http";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { temporaryFolder } from "../leftovers.ts";
import { listen, stop } from "../support/loopback.ts";
import { completeness, writeByHand } from "../web/data/hand-written.ts";
import { startServe } from "../web/hosts/local/served.ts";
import { listenTo, NO_BROWSER, openChromium, SKIP } from "./chromium.ts";

// Attacks by others, in a browser that would carry them out: scripts in texts, pages of other sites, kept
// cookies.

/** A script that runs sets this. */
const RAN = "window.ran";
const TEXT = "<script>window.ran = 1</script>";
const MARKUP = "</title></textarea></style></option></svg><script>window.ran = 1</script>";
const PERIOD = "month-2025-03";
const VERSION = "0123456789abcdef";
const PACK = `/a/main/p/${PERIOD}/${VERSION}`;

/** A report that fillbook did not write. */
function reportFor(evil: string): string {
  return `<!DOCTYPE html><html lang="en"><title>Statement</title>
<meta http-equiv="refresh" content="0; url=${evil}/refresh"><link rel="stylesheet" href="${evil}/style">
<script>top.ran = 1; alert(1)</script><svg onload="top.ran = 1"></svg><img src="${evil}/image" onerror="top.ran = 1">
<iframe src="${evil}/frame"></iframe><object data="${evil}/object"></object>
<h1>Statement</h1>
<form method="post" action="${evil}/form"><button>Send</button></form>
<a href="${evil}/top" target="_top">Top</a> <a href="${evil}/new" target="_blank" rel="opener">New</a> <a href="${evil}/here">Here</a>`;
}

describe.skipIf(SKIP)(`hostile input has no effect${NO_BROWSER}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
  });

  afterAll(() => browser.close());

  async function newContext(): Promise<BrowserContext> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    return context;
  }

  /**
   * Another server on this machine, with these pages by path. To the browser it is on the page's own host
   * (`127.0.0.1`) or on another one (`localhost`).
   */
  async function otherSite(pages: Readonly<Record<string, string>> = {}) {
    /** Paths of all requests, and all cookies received. */
    const [asked, cookies]: [string[], string[]] = [[], []];
    const server = createServer(({ url = "", headers }, outgoing) => {
      asked.push(url);
      cookies.push(...(headers.cookie === undefined ? [] : [headers.cookie]));
      outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      outgoing.end(pages[url] ?? "");
    });
    onTestFinished(() => stop(server));
    return { port: Number(new URL(await listen(server)).port), asked, cookies };
  }

  /** `fillbook serve` over a folder, and a browser that is signed in there. `origin`: with the session's path. */
  async function signedIn(folder: string) {
    const served = await startServe({ FILLBOOK_STORE: folder, FILLBOOK_TOKEN: SAMPLE_TOKEN });
    onTestFinished(async () => {
      await served.end();
    });
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(served.url);
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    return { served, origin: page.url().replace(/\/$/, ""), context, page };
  }

  /** A folder with a pack whose report is this. */
  async function withPack(report: string, fields = {}): Promise<string> {
    const folder = temporaryFolder();
    const files = { "completeness.json": completeness(PERIOD, fields), "report.html": report };
    await writeByHand(openFolderStore(folder), { period: PERIOD, version: VERSION, files });
    return folder;
  }

  // test/web/views/pages.system.test.ts has each text of each page.
  test("in a pack: its texts are shown as text, and the report's own policy stops its markup", async () => {
    const evil = await otherSite();
    const folder = await withPack(reportFor(`http://127.0.0.1:${evil.port}`), { zone: TEXT, method: MARKUP });
    const { origin, context, page } = await signedIn(folder);
    const heard = listenTo(context);
    await page.goto(origin + PACK);
    expect(await page.getByText(TEXT).count()).toBeGreaterThan(0);
    await page.goto(`${origin}${PACK}/report`);
    await page.getByRole("heading", { name: "Statement" }).waitFor();
    await page.getByRole("button").click();
    await page.getByRole("link", { name: "New" }).click();
    expect([page.url(), context.pages().length]).toEqual([`${origin}${PACK}/report`, 1]);
    expect((await page.evaluate(RAN)) ?? null).toBeNull();
    expect(evil.asked).toEqual([]);
    const expected = /^error at \S*: (?:Blocked|.*Content Security Policy|Unsafe attempt|.*sandbox)/;
    expect(heard.complaints.filter((line) => !expected.test(line))).toEqual([]);
  });

  test.each(["127.0.0.1", "localhost"])(
    "the browser sends no cookie to another user's server on this machine, at %s, whatever the server links to",
    async (host) => {
      const { origin, context, page } = await signedIn(temporaryFolder());
      const paths = ["/", "/a/main", "/a/main/history", PACK, "/sign-out", "/static/x"];
      const everywhere = `<!DOCTYPE html>${paths.map((path) => `<img src="${path}"><iframe src="${path}?in"></iframe>`).join("")}`;
      const attacker = await otherSite(Object.fromEntries(paths.map((path) => [path, everywhere])));
      for (const path of paths) {
        await page.goto(`http://${host}:${attacker.port}${path}`);
      }
      const fetching = `Promise.all(${JSON.stringify(paths)}.map((path) => fetch(path, { credentials: "include" })))`;
      await page.evaluate(`${fetching}.then(() => null)`);
      expect(attacker.asked.length).toBeGreaterThan(3 * paths.length);
      expect(attacker.cookies).toEqual([]);
      // The other server knows the port, but the port gives nothing of the session.
      await page.goto(new URL(origin).origin);
      await page.getByRole("heading", { level: 1, name: "You are signed out" }).waitFor();
      expect(await page.content()).not.toContain(new URL(origin).pathname);
      await page.goto(origin);
      await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
      await context.close();
    },
  );

  test.each(["127.0.0.1", "localhost"])(
    "a page of another server, at %s, can neither post, frame nor read",
    async (host) => {
      const folder = await withPack("<!DOCTYPE html><title>x</title><h1>Statement</h1>");
      const { served, origin, context, page } = await signedIn(folder);
      const attacker = await otherSite(attacksOn(origin));
      const at = `http://${host}:${attacker.port}`;

      const [answer] = await Promise.all([page.waitForResponse(`${origin}/a/main/jobs`), page.goto(`${at}/post`)]);
      expect(answer.status()).toBe(host === "localhost" ? 401 : 403);

      for (const path of ["/frame-page", "/frame-report"]) {
        await page.goto(at + path);
        await expect.poll(() => page.frames().at(1)?.url()).toBe("chrome-error://chromewebdata/");
      }

      await page.goto(`${at}/load`);
      const results = await page.evaluate<unknown>("loaded()");
      expect(results).toEqual({
        page: "TypeError",
        preflight: "TypeError",
        post: "TypeError", // sent and refused; the browser hides the answer from the other site
        image: "error",
        zip: "error",
        script: "error",
      });

      const opened = context.waitForEvent("page");
      await page.evaluate(`window.other = window.open(${JSON.stringify(`${origin}/a/main`)})`);
      await (await opened).waitForLoadState();
      expect(await page.evaluate("try { window.other.document.body.innerText } catch (error) { error.name }")).toBe(
        "SecurityError",
      );

      await page.goto(`${origin}/a/main`);
      await page.getByRole("heading", { level: 2, name: "Packs" }).waitFor();
      expect(await page.getByRole("heading", { name: "Recent jobs" }).count()).toBe(0);
      await page.goto(`${origin}/a/main/history`);
      await page.getByText("Nothing was downloaded yet.").waitFor();
      await context.close();
      const { stderr } = await served.end();
      expect(stderr).toMatch(
        host === "localhost"
          ? /refused nobody: POST \/a\/main\/jobs: 401/
          : /refused \S+: POST \/a\/main\/jobs: 403, a post from elsewhere/,
      );
    },
  );
});

/** Pages by path. */
function attacksOn(origin: string): Readonly<Record<string, string>> {
  return {
    "/post": `<!DOCTYPE html><form method="post" action="${origin}/a/main/jobs"><input name="kind" value="sync"></form>
<script>document.forms[0].submit()</script>`,
    "/frame-page": `<!DOCTYPE html><iframe src="${origin}/a/main"></iframe>`,
    "/frame-report": `<!DOCTYPE html><iframe src="${origin}${PACK}/report"></iframe>`,
    "/load": `<!DOCTYPE html><script>
const told = (element, address) => new Promise((resolve) => {
  const one = document.createElement(element);
  one.onload = () => resolve("load");
  one.onerror = () => resolve("error");
  one.src = address;
  document.body.append(one);
});
const asked = (address, options) => fetch(address, { credentials: "include", ...options }).then(({ type }) => type, ({ name }) => name);
async function loaded() {
  return {
    page: await asked("${origin}/a/main"),
    preflight: await asked("${origin}/a/main/jobs", { method: "POST", headers: { "x-own": "1" }, body: "kind=sync" }),
    post: await asked("${origin}/a/main/jobs", { method: "POST", mode: "no-cors", body: new URLSearchParams({ kind: "sync" }) }),
    image: await told("img", "${origin}${PACK}/file?path=report.html"),
    zip: await told("img", "${origin}${PACK}/zip"),
    script: await told("script", "${origin}/a/main"),
  };
}
</script><body></body>`,
  };
}
