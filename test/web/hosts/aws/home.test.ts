import { Readable } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../../../../lambda/storage/store.ts";
import { MOST_FILE_BYTES } from "../../../../lambda/web/hosts/aws/hosted-ports.ts";
import type { PagePorts } from "../../../../lambda/web/ports.ts";
import { VERSION } from "../../site/fake-site.ts";
import { FUNDING, readable, uploadBody } from "../../site/uploads.ts";
import { CognitoDouble } from "./cognito-double.ts";
import { type Asked, eventOf, textOf } from "./edge.ts";
import {
  CLAIMS,
  FORM,
  ORIGIN,
  openPageWorld,
  type PageWorld,
  REFRESH,
  SESSION,
  signedIn,
  TOKEN,
} from "./page-world.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;

let world: PageWorld;

beforeEach(async () => {
  world = await openPageWorld();
});
afterEach(() => world.pool.stop());

/** Sends a request whose token the authorizer has checked. */
function ask(target: string, asked: Asked = {}) {
  const headers = { ...TOKEN, ...asked.headers };
  return world.answer(eventOf(target, { claims: CLAIMS, ...asked, headers }));
}

describe("a signed-in user", () => {
  test("has the name in the claims, and sees the accounts in their groups", async () => {
    const page = await ask("/");
    expect(page).toMatchObject({ statusCode: 200, headers: { "cache-control": "no-store" } });
    expect(textOf(page)).toMatch(/ann[\s\S]*href="\/a\/main"/);
    expect(textOf(page)).not.toContain("/a/other");
    expect(await ask("/a/other")).toMatchObject({ statusCode: 404 });
    const everywhere = { ...CLAIMS, "cognito:groups": "[operator:*]" };
    expect(await ask("/a/other", { claims: everywhere })).toMatchObject({ statusCode: 200 });
    const refused = { message: "refused", user: "ann", method: "GET", path: "/a/other", status: 404 };
    expect(world.logged()).toEqual([{ level: "INFO", ...refused, why: "no account of theirs" }]);
  });

  test("sends forms from this page only: its origin comes from the settings, not from the request's host", async () => {
    const body = String(new URLSearchParams({ kind: "export", period: "us-2025" }));
    const evil = { host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" };
    for (const [from, statusCode] of [[evil, 403] as const, [{ origin: ORIGIN }, 303] as const]) {
      const headers = { "content-type": FORM["content-type"], ...from };
      expect(await ask("/a/main/jobs", { method: "POST", headers, body })).toMatchObject({ statusCode });
      expect(world.ports.started.length).toBe(statusCode === 303 ? 1 : 0);
    }
  });
});

test.each<[string, Asked, string]>([
  ["without claims", { claims: null }, "not signed in"],
  ["with an identity's token", { claims: { ...CLAIMS, token_use: "id" } }, "the token is not an access token"],
])("a visitor without a session: %s sees how to sign in, and nothing else", async (_, asked, why) => {
  const page = await ask("/a/main", asked);
  expect([page.statusCode, textOf(page)]).toEqual([401, expect.stringContaining('href="/sign-in"')]);
  expect(textOf(page)).not.toMatch(/ann|us-2025/);
  expect(world.logged()).toMatchObject([{ message: "refused", user: "nobody", path: "/a/main", status: 401, why }]);
});

describe("signing out", () => {
  test("ends the session here and at Cognito, with a page and not a redirect", async () => {
    const { browser, post } = await signedIn(world, false);
    const refresh = browser.cookies.get(REFRESH);
    const page = await post("/sign-out");
    const leave = new URLSearchParams({ client_id: CognitoDouble.CLIENT, logout_uri: `${ORIGIN}/signed-out` });
    expect(page).toMatchObject({ statusCode: 200, headers: { refresh: `0; url=${world.pool.url}/logout?${leave}` } });
    expect(page.headers?.["content-security-policy"]).toContain("form-action 'self';");
    expect(browser.cookies.size).toBe(0);
    expect(world.pool.asked.at(-1)).toBe("/oauth2/revoke");

    browser.cookies.set(REFRESH, refresh ?? { value: "", sameSite: "" });
    await browser.ask("/sign-in");
    expect(world.logged()).toMatchObject([{ why: "the session was not renewed: 400, invalid_grant" }]);
    const out = await browser.ask("/signed-out", { isForeign: true });
    expect([out.statusCode, textOf(out).includes('href="/sign-in"')]).toEqual([200, true]);
  });

  test("works here even if Cognito fails, and logs the failure", async () => {
    const { browser, post } = await signedIn(world, false);
    world.pool.fault = (response) => response.writeHead(503).end();
    expect(await post("/sign-out")).toMatchObject({ statusCode: 200 });
    expect(browser.cookies.size).toBe(0);
    expect(world.logged()).toMatchObject([{ level: "ERROR", message: expect.stringContaining("not at Cognito") }]);
  });

  test("needs a form of this page", async () => {
    const { browser, post } = await signedIn(world, false);
    const elsewhere = { ...FORM, origin: "null", "sec-fetch-site": "cross-site" };
    expect(await post("/sign-out", elsewhere)).toMatchObject({ statusCode: 403 });
    expect(await browser.ask("/sign-out")).toMatchObject({ statusCode: 405 });
    expect(browser.cookies.has(SESSION)).toBe(true);
    expect(world.pool.asked).not.toContain("/oauth2/revoke");
  });
});

/** A store that lists reports as too large to be checked before they are sent. */
function withLargeReport(store: Store): Store {
  return {
    ...store,
    async *list(prefix) {
      for await (const one of store.list(prefix)) {
        yield one.key.endsWith("report.html") ? { ...one, bytes: 100_000_000 } : one;
      }
    },
  };
}

describe("after an error there is still an answer, without details:", () => {
  /** What a world with these ports answers, and logs. */
  async function answered(target: string, broken: Partial<PagePorts>) {
    const other = await openPageWorld(broken);
    onTestFinished(() => other.pool.stop());
    const result = await other.answer(eventOf(target, { claims: CLAIMS, headers: TOKEN }));
    return { status: result.statusCode, text: textOf(result), headers: result.headers, logged: other.logged() };
  }

  test("a port that fails, before or while its answer goes out", async () => {
    const secret = () => Promise.reject(new Error("s3://books said eyJhbGciOi.eyJzdWIi.c2lnbmF0 is no token"));
    const broken = await answered("/", { accounts: secret });
    const store = withLargeReport(world.ports.store);
    const cut = await answered(`${PACK}/report`, { storesOf: (account) => ({ account, store, packs: store }) });
    for (const [{ status, text, headers }, says] of [
      [broken, "Something went wrong"],
      [cut, "This page cannot be shown"],
    ] as const) {
      expect([status, text]).toEqual([500, expect.stringContaining(`<h1>${says}</h1>`)]);
      expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
    }
    const reason = "s3://books said [redacted] is no token";
    expect(broken.logged).toEqual([{ level: "ERROR", message: "an answer failed", error: "fault", reason }]);
    expect(cut.logged).toMatchObject([
      { message: "refused", status: 500, why: expect.stringContaining("report.html has 53 bytes") },
    ]);
  });

  test("a report that is too large: the answer says where to download it, and the log names it", async () => {
    const report = () => Array.from({ length: 100 }, () => Buffer.alloc(1_000_000, "x")).values();
    const { store } = world.ports;
    const openStream: Store["openStream"] = async (key) =>
      key.endsWith("report.html") ? Readable.from(report()) : await store.openStream(key);
    const large = { ...withLargeReport(store), openStream };
    const result = await answered(`${PACK}/report`, {
      storesOf: (account) => ({ account, store: large, packs: large }),
    });
    expect(result).toMatchObject({
      status: 413,
      text: expect.stringMatching(/too large to be shown here. Go back and download it/),
      headers: { "content-security-policy": expect.stringContaining("frame-ancestors 'none'") },
      logged: [{ user: "ann", path: `${PACK}/report`, status: 413, why: "too large for the function's answer" }],
    });
  });

  test("any request by anybody: an answer with its headers, redirects only to this page or Cognito, one line of JSON in the log", async () => {
    const text = fc.string({ unit: "binary" });
    const path = fc.oneof(
      fc.constantFrom("/sign-in", "/signed-in", "/signed-out", "/sign-out", "/a/main", "/static/x"),
      text.map((word) => `/${word}`),
    );
    const ascii = fc.string({ unit: fc.constantFrom(...'abc=; ,%~/:1\t"') });
    const asked = fc.record({
      method: fc.constantFrom("GET", "POST", "HEAD", "PUT", "OPTIONS"),
      rawPath: path,
      rawQueryString: fc.oneof(
        text,
        text.map((to) => `to=${encodeURIComponent(to.toWellFormed())}`),
      ),
      headers: fc.dictionary(fc.constantFrom("origin", "authorization", "accept-encoding"), ascii),
      cookies: fc.array(
        fc.oneof(
          ascii,
          ascii.map((value) => `__Host-fillbook-flow=${value}`),
        ),
      ),
      claims: fc.option(fc.oneof(fc.constant(CLAIMS), fc.dictionary(text, fc.anything()))),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ method, claims, ...event }) => {
        const before = world.lines.length;
        const authorizer = claims === null ? {} : { authorizer: { jwt: { claims } } };
        const result = await world.answer({ ...event, requestContext: { http: { method }, ...authorizer } });
        expect(result.statusCode).not.toBe(500);
        expect(result.headers).toMatchObject({ "referrer-policy": "no-referrer" });
        const { location = `${world.pool.url}/oauth2/authorize?`, refresh = "0; url=/" } = result.headers ?? {};
        expect(String(location).startsWith(`${world.pool.url}/oauth2/authorize?`)).toBe(true);
        expect(refresh).toBe("0; url=/");
        for (const line of world.lines.slice(before)) {
          expect(line).toMatch(/^[^\p{Cc}\u2028\u2029]+\n$/u);
          expect(line.length).toBeLessThan(5000);
          expect(JSON.parse(line)).toMatchObject({ message: "refused" });
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: of a synchronous request. */
const MOST_EVENT_BYTES = 6 * 1024 * 1024;

/** A file of so many bytes, in long lines: a million short ones take a second to read. */
function fundingOf(bytes: number): string {
  const row = (at: number) =>
    `${new Date(Date.UTC(2025, 0, 2, 0, 0, at)).toISOString()},BTC-USD,-1.5,USD,${"x".repeat(2000)}\n`;
  const rows = Math.floor((bytes - FUNDING.length) / row(0).length);
  return `${FUNDING}${Array.from({ length: rows }, (_, at) => row(at + 1)).join("")}`.padEnd(bytes, "\n");
}

/** The event of a form with a file, in base64 as the API sends it. */
async function uploadEvent(text: string) {
  const { type, body } = await uploadBody({ name: "funding.csv", text });
  const headers = { ...TOKEN, ...FORM, "content-type": type };
  return eventOf("/a/main/files", { method: "POST", claims: CLAIMS, headers, body: body.toString() });
}

// recorded.system.test.ts uploads to S3: with conditions, by the account's own session.
test("a file may be as large as the limit, which fits an event; a larger one is refused, and the limit told", async () => {
  const world = await openPageWorld({ mostFileBytes: MOST_FILE_BYTES });
  onTestFinished(() => world.pool.stop());
  const event = await uploadEvent(fundingOf(MOST_FILE_BYTES));
  const head = 20_000; // claims, cookies and headers
  expect(JSON.stringify(event).length + head).toBeLessThan(MOST_EVENT_BYTES);
  expect(await world.answer(event)).toMatchObject({ statusCode: 303 });
  const large = await world.answer(await uploadEvent(fundingOf(MOST_FILE_BYTES + 65_536)));
  expect([large.statusCode, readable(textOf(large))]).toEqual([413, expect.stringContaining("than 4.5 MB")]);
  expect(world.ports.store.snapshot().get("main/inputs/funding.csv")?.length).toBe(MOST_FILE_BYTES);
});
