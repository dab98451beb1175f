import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { textOf } from "./edge.ts";
import { FORM, openPageWorld, type PageWorld, REFRESH, SESSION, signedIn } from "./page-world.ts";

const FLOW = "__Host-fillbook-flow";
const STRICT = "Path=/; HttpOnly; Secure; SameSite=Strict";

let world: PageWorld;

beforeEach(async () => {
  world = await openPageWorld();
});

afterEach(async () => {
  await world.pool.stop();
  for (const secret of world.pool.secrets) {
    expect(world.lines.join("")).not.toContain(secret);
  }
});

/** Goes up to the return from Cognito, which is not followed. */
async function halfway(browser = world.browser(), to = "/") {
  const begun = await browser.ask(`/sign-in?to=${encodeURIComponent(to)}`);
  const answer = await fetch(String(begun.headers?.["location"]), { redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "");
  return { browser, back: `${back.pathname}${back.search}`, query: back.searchParams };
}

/** The cookies that this browser has, by name. */
const namesOf = ({ cookies }: { readonly cookies: ReadonlyMap<string, unknown> }) => [...cookies.keys()].toSorted();

describe("signing in", () => {
  test("leads to Cognito and back to the requested page, with cookies only for this page", async () => {
    const browser = world.browser();
    const shown = await browser.visit("/a/main?x=1%202");
    expect(shown.trail).toEqual(["/a/main", "/sign-in", "out:/oauth2/authorize", "/signed-in", "/a/main"]);
    expect([shown.statusCode, textOf(shown)]).toEqual([200, expect.stringContaining("ann")]);
    expect(namesOf(browser)).toEqual([SESSION, REFRESH]);
    expect(world.lines).toEqual([]);
  });

  // The double answers only what RFC 6749 and 7636 require.
  test("asks Cognito for nothing but that, and keeps the flow for an hour", async () => {
    const begun = await world.browser().ask("/sign-in?to=%2Fa%2Fmain");
    const { origin, pathname, searchParams } = new URL(String(begun.headers?.["location"]));
    expect([begun.statusCode, origin, pathname]).toEqual([302, world.pool.url, "/oauth2/authorize"]);
    const asked = "response_type client_id redirect_uri scope state code_challenge_method code_challenge";
    expect([...searchParams.keys()].toSorted()).toEqual(asked.split(" ").toSorted());
    expect(begun.cookies?.join()).toMatch(/^\S+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(begun.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  });

  test("sets the session and ends the flow on return, with a page that refreshes to the target", async () => {
    const { browser, back } = await halfway(world.browser(), "/a/main/history");
    const page = await browser.ask(back, { isForeign: true });
    expect(page).toMatchObject({ statusCode: 200, headers: { refresh: "0; url=/a/main/history" } });
    expect(textOf(page)).toContain('href="/a/main/history"');
    const [access, refresh] = [browser.cookies.get(SESSION)?.value, browser.cookies.get(REFRESH)?.value];
    expect(page.cookies).toEqual([
      `${FLOW}=; Max-Age=0; Path=/; HttpOnly; Secure`,
      `${SESSION}=${access}; ${STRICT}`,
      `${REFRESH}=${refresh}; ${STRICT}`,
    ]);
    expect(textOf(page)).not.toContain(access);
  });
});

describe("a return is refused, with a link to sign in again:", () => {
  interface Wrong {
    /** Null: no cookie of a sign-in. */
    readonly flow?: string | null;
    readonly [field: string]: string | null | undefined;
  }
  const NONE = "no sign-in is in progress here";
  const ANOTHER = "the state of another sign-in";
  const NO_CODE = "Cognito answered without a code";
  const NO_TOKENS = "no tokens for the code: 400, invalid_grant";

  test.each<[string, string, (theirs: Readonly<Record<string, string>>) => Wrong]>([
    ["in another browser", NONE, () => ({ flow: null })],
    ["with an empty flow", NONE, () => ({ flow: "", state: "" })],
    ["with a flow without a state", NONE, () => ({ flow: `~${"v".repeat(43)}~Lw`, state: "" })],
    ["with a verifier that is too short", NONE, () => ({ flow: `${"s".repeat(36)}~${"v".repeat(42)}~Lw` })],
    ["with the state of another sign-in", ANOTHER, ({ state }) => ({ state })],
    ["with all of another sign-in", ANOTHER, (theirs) => theirs],
    ["with an empty state", ANOTHER, () => ({ state: "" })],
    ["with another user's code: it belongs to another verifier", NO_TOKENS, ({ code }) => ({ code })],
    ["with a guessed code", NO_TOKENS, () => ({ code: "guess" })],
    ["without a code", NO_CODE, () => ({ code: "" })],
    ["with a line break in the code", NO_CODE, () => ({ code: "a\r\nb" })],
    ["with a code that is too long", NO_CODE, () => ({ code: "a".repeat(2049) })],
    ["after the user cancelled", "Cognito answered access_denied", () => ({ error: "access_denied" })],
    ["with an error of any text", "Cognito answered no known error", () => ({ error: "<script>" })],
  ])("%s", async (_, why, change) => {
    const theirs = await halfway();
    const { browser, back, query } = await halfway();
    const { flow, ...fields } = change(Object.fromEntries(theirs.query));
    if (flow === null) {
      browser.cookies.delete(FLOW);
    } else if (flow !== undefined) {
      browser.cookies.set(FLOW, { value: flow, sameSite: "Lax" });
    }
    const answered = new URLSearchParams({ ...Object.fromEntries(query), ...fields } as Record<string, string>);
    const page = await browser.ask(`/signed-in?${answered}`, { isForeign: true });
    expect([page.statusCode, textOf(page)]).toEqual([400, expect.stringContaining('href="/sign-in?to=%2F"')]);
    expect(textOf(page)).not.toContain("script>");
    expect(namesOf(browser)).not.toContain(SESSION);
    const refused = { user: "nobody", method: "GET", path: "/signed-in", status: 400 };
    expect(world.logged()).toEqual([{ level: "INFO", message: "refused", ...refused, why }]);
    expect(world.pool.asked.includes("/oauth2/token")).toBe(why === NO_TOKENS);
    // The user's own sign-in goes on after another's return, and after nothing else.
    expect((await browser.ask(back, { isForeign: true })).statusCode).toBe(why === ANOTHER ? 200 : 400);
  });

  test("by a failure of Cognito", async () => {
    const { browser, back } = await halfway();
    world.pool.fault = (response) => response.writeHead(500).end("{}");
    expect(await browser.ask(back, { isForeign: true })).toMatchObject({ statusCode: 502 });
    expect(namesOf(browser)).toEqual([]);
    expect(world.logged()).toMatchObject([{ message: "refused", status: 502 }]);
  });
});

test.each(["/sign-in", "/signed-in", "/signed-out"])("%s is refused other than by a visit", async (path) => {
  const browser = world.browser();
  const image = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
  expect(await browser.ask(path, { headers: image })).toMatchObject({ statusCode: 403 });
  expect(namesOf(browser)).toEqual([]);
  expect(world.logged()).toMatchObject([{ why: "loaded by another site" }]);
});

test("two tabs at Cognito are one flow: the first one to return signs in", async () => {
  const browser = world.browser();
  const first = await halfway(browser, "/a/main");
  const second = await halfway(browser, "/a/main/history");
  expect(second.query.get("state")).toBe(first.query.get("state"));
  expect(await browser.ask(first.back, { isForeign: true })).toMatchObject({ statusCode: 200 });
  expect(await browser.ask(second.back, { isForeign: true })).toMatchObject({ statusCode: 400 });
});

test("no way of signing in leads to another site", async () => {
  const to = encodeURIComponent("//evil.example/");
  const { browser, post } = await signedIn(world);
  expect(await browser.ask(`/sign-in?to=${to}`)).toMatchObject({ statusCode: 302, headers: { location: "/" } });
  expect(await post(`/sign-in?to=${to}`)).toMatchObject({ statusCode: 307, headers: { location: "/" } });
  const { browser: other, back } = await halfway();
  const value = (other.cookies.get(FLOW)?.value ?? "").replace(/[^~]*$/, to);
  other.cookies.set(FLOW, { value, sameSite: "Lax" });
  expect(await other.ask(back, { isForeign: true })).toMatchObject({ headers: { refresh: "0; url=/" } });
});

/** What may be wrong at Cognito once a session is over. */
const TROUBLE: Readonly<Record<string, (pool: PageWorld["pool"]) => void>> = {
  nothing: () => undefined,
  "an expired refresh token": (pool) => pool.revokeAll(),
  "no answer": (pool) => {
    pool.fault = (response) => response.writeHead(503).end();
  },
};

describe("the next session", () => {
  test("comes without a password, leads to the requested page, and brings new tokens", async () => {
    const { browser, before } = await signedIn(world);
    const refresh = browser.cookies.get(REFRESH)?.value;
    const shown = await browser.visit("/a/main");
    expect(shown.trail).toEqual(["/a/main", "/sign-in", "/a/main"]);
    expect([shown.statusCode, world.pool.asked]).toEqual([200, ["/oauth2/token"]]);
    expect(browser.cookies.get(SESSION)?.value).not.toBe(before);
    expect(browser.cookies.get(REFRESH)?.value).not.toBe(refresh);
    expect(world.lines).toEqual([]);
  });

  test.each([
    ["an expired refresh token", "400, invalid_grant", [FLOW]],
    ["no answer", "503, no known error", [FLOW, REFRESH]],
  ])("after %s needs a new sign-in, and forgets only a token that was refused", async (trouble, why, kept) => {
    const { browser } = await signedIn(world);
    TROUBLE[trouble]?.(world.pool);
    expect(await browser.ask("/sign-in?to=%2Fa%2Fmain")).toMatchObject({ statusCode: 302 });
    expect(namesOf(browser)).toEqual(kept);
    const refused = { path: "/sign-in", status: 302, why: `the session was not renewed: ${why}` };
    expect(world.logged()).toMatchObject([refused]);
    world.pool.fault = null;
    expect((await browser.visit("/a/main")).statusCode).toBe(200);
  });

  const PACK = "/a/main/p/us-2025/0123456789abcdef";
  test.each([
    ["/a/main/history?before=x", "/a/main/history?before=x"],
    ...["file?path=fills.csv", "zip", "zip?x"].map((download) => [`${PACK}/${download}`, PACK]),
  ])("after a link on another site to %s is requested again from this page, whose cookie is sent", async (to, led) => {
    const { browser } = await signedIn(world);
    const first = await browser.ask(`/sign-in?to=${encodeURIComponent(to)}`, { isForeign: true });
    const again = `/sign-in?to=${encodeURIComponent(led)}`;
    expect(first).toMatchObject({ statusCode: 200, headers: { refresh: `0; url=${again}` } });
    expect([first.cookies ?? [], world.pool.asked]).toEqual([[], []]);
    expect(await browser.ask(again)).toMatchObject({ statusCode: 302, headers: { location: led } });
  });
});

describe("a post with an expired token", () => {
  test("goes on unchanged with a new token", async () => {
    const { post } = await signedIn(world);
    const again = await post("/sign-in?to=%2Fa%2Fmain%2Fjobs");
    // RFC 9110, 15.4.8: the method and the body stay.
    expect(again).toMatchObject({ statusCode: 307, headers: { location: "/a/main/jobs" } });
    expect(await post("/a/main/jobs")).toMatchObject({ statusCode: 303, headers: { location: "/a/main/jobs/job-1" } });
    expect(world.lines).toEqual([]);
  });

  const ENDED = "a post after the session ended: ";
  const ELSEWHERE = "a post from elsewhere";
  const [TOKEN, REVOKE] = ["/oauth2/token", "/oauth2/revoke"];
  test.each<[string, string, string, number, readonly string[], readonly string[], string | null]>([
    ["nothing", "/sign-out", "same-origin", 200, [], [REVOKE], null],
    ["an expired refresh token", "/a/main/jobs", "same-origin", 401, [], [TOKEN], `${ENDED}400, invalid_grant`],
    ["no answer", "/a/main/jobs", "same-origin", 503, [REFRESH], [TOKEN], `${ENDED}503, no known error`],
    ["nothing", "/a/main/jobs", "cross-site", 403, [REFRESH], [], ELSEWHERE],
    ["nothing", "/sign-out", "cross-site", 403, [REFRESH], [], ELSEWHERE],
    ["nothing", "/a/main/jobs", "same-site", 403, [REFRESH], [], ELSEWHERE],
    ["nothing", "/sign-out", "same-site", 403, [REFRESH], [], ELSEWHERE],
  ])("and %s at Cognito, to %s, %s: %i", async (trouble, to, site, status, kept, asked, why) => {
    const { browser, post } = await signedIn(world);
    TROUBLE[trouble]?.(world.pool);
    const from = site === "same-origin" ? FORM : { ...FORM, origin: "https://evil.example", "sec-fetch-site": site };
    expect(await post(`/sign-in?to=${encodeURIComponent(to)}`, from)).toMatchObject({ statusCode: status });
    expect([namesOf(browser), world.pool.asked]).toEqual([kept, asked]);
    expect(world.logged().map((line) => line["why"])).toEqual(why === null ? [] : [why]);
    expect(world.ports.started).toEqual([]);
  });

  test("and no session to renew asks to sign in again", async () => {
    const { browser, post } = await signedIn(world);
    browser.cookies.clear();
    const page = await post("/sign-in?to=%2Fa%2Fmain%2Fjobs");
    expect([page.statusCode, textOf(page)]).toEqual([401, expect.stringContaining('href="/sign-in"')]);
  });
});
