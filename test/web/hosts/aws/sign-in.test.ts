import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventOf, textOf } from "./edge.ts";
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

describe("signing in", () => {
  test("leads to Cognito and back to the requested page, with cookies only for this page", async () => {
    const browser = world.browser();
    const shown = await browser.visit("/a/main?x=1%202");
    expect(shown.trail).toEqual(["/a/main", "/sign-in", "out:/oauth2/authorize", "/signed-in", "/a/main"]);
    expect(shown.statusCode).toBe(200);
    expect(textOf(shown)).toContain("ann");
    expect([...browser.cookies.keys()].toSorted()).toEqual([SESSION, REFRESH]);
    expect(world.pool.claimsOf(browser.cookies.get(SESSION)?.value ?? "")).toMatchObject({ username: "ann" });
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

describe("refused, with a link to sign in again:", () => {
  const refusedAs = (why: string, status = 400) => [
    { level: "INFO", message: "refused", user: "nobody", method: "GET", path: "/signed-in", status, why },
  ];

  test("a return that this browser did not begin", async () => {
    const { back } = await halfway();
    const other = world.browser();
    const page = await other.ask(back, { isForeign: true });
    expect([page.statusCode, other.cookies.size]).toEqual([400, 0]);
    expect(textOf(page)).toContain('href="/sign-in?to=%2F"');
    expect(world.pool.asked).toEqual(["/oauth2/authorize"]);
    expect(world.logged()).toEqual(refusedAs("no sign-in is in progress here"));
  });

  test("the state of another sign-in; the user's own sign-in goes on", async () => {
    const theirs = await halfway();
    const { browser, back } = await halfway();
    expect(await browser.ask(theirs.back, { isForeign: true })).toMatchObject({ statusCode: 400 });
    expect(world.logged()).toEqual(refusedAs("the state of another sign-in"));
    expect(world.pool.asked).not.toContain("/oauth2/token");
    expect(await browser.ask(back, { isForeign: true })).toMatchObject({ statusCode: 200 });
  });

  test("another user's code with the browser's own state: it belongs to another verifier", async () => {
    const theirs = await halfway();
    const { browser, query } = await halfway();
    const stolen = new URLSearchParams({ code: theirs.query.get("code") ?? "", state: query.get("state") ?? "" });
    expect(await browser.ask(`/signed-in?${stolen}`, { isForeign: true })).toMatchObject({ statusCode: 400 });
    expect(browser.cookies.size).toBe(0);
    expect(world.logged()).toEqual(refusedAs("no tokens for the code: 400, invalid_grant"));
  });

  test.each([
    ["a user who cancels at Cognito", "error=access_denied", "Cognito answered access_denied"],
    ["an error with any text", "error=<script>", "Cognito answered no known error"],
    ["no code", "", "Cognito answered without a code"],
    ["a code with a line break", "code=a%0d%0ab", "Cognito answered without a code"],
    ["a code that is too long", `code=${"a".repeat(2049)}`, "Cognito answered without a code"],
    ["a guessed code", "code=guess", "no tokens for the code: 400, invalid_grant"],
  ])("%s", async (_, query, why) => {
    const { browser, query: right } = await halfway();
    const page = await browser.ask(`/signed-in?state=${right.get("state")}&${query}`, { isForeign: true });
    expect(page.statusCode).toBe(400);
    expect(textOf(page)).not.toContain("script>");
    expect(browser.cookies.size).toBe(0);
    expect(world.logged()).toEqual(refusedAs(why));
  });

  test.each(["", `~${"v".repeat(43)}~Lw`, `${"s".repeat(36)}~${"v".repeat(42)}~Lw`])(
    "a flow of another form: %j",
    async (value) => {
      await world.answer(eventOf("/signed-in?code=x&state=", { cookies: [`${FLOW}=${value}`] }));
      expect(world.logged()).toEqual(refusedAs("no sign-in is in progress here"));
    },
  );

  test("a flow that names another site: the user lands on the start page", async () => {
    const { browser, back } = await halfway();
    const flow = browser.cookies.get(FLOW)?.value ?? "";
    const value = flow.replace(/[^~]*$/, encodeURIComponent("//evil.example/"));
    browser.cookies.set(FLOW, { value, sameSite: "Lax" });
    expect(await browser.ask(back, { isForeign: true })).toMatchObject({ headers: { refresh: "0; url=/" } });
  });

  test("a failure of Cognito", async () => {
    const { browser, back } = await halfway();
    world.pool.fault = (response) => response.writeHead(500).end("{}");
    expect(await browser.ask(back, { isForeign: true })).toMatchObject({ statusCode: 502 });
    expect(browser.cookies.size).toBe(0);
    expect(world.logged()).toMatchObject([{ message: "refused", status: 502 }]);
  });

  test.each(["/sign-in", "/signed-in", "/signed-out"])("%s other than by a visit", async (path) => {
    const browser = world.browser();
    const image = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
    expect(await browser.ask(path, { headers: image })).toMatchObject({ statusCode: 403 });
    expect(browser.cookies.size).toBe(0);
    expect(world.logged()).toMatchObject([{ why: "loaded by another site" }]);
  });
});

describe("the next session", () => {
  test("comes without a password, and leads to the requested page", async () => {
    const { browser, before } = await signedIn(world);
    const shown = await browser.visit("/a/main");
    expect(shown.trail).toEqual(["/a/main", "/sign-in", "/a/main"]);
    expect([shown.statusCode, world.pool.asked]).toEqual([200, ["/oauth2/token"]]);
    expect(browser.cookies.get(SESSION)?.value).not.toBe(before);
    expect(browser.cookies.has(REFRESH)).toBe(true);
    expect(world.lines).toEqual([]);
  });

  test("leads only to this page, and brings a new refresh token", async () => {
    const { browser, post } = await signedIn(world);
    const refresh = browser.cookies.get(REFRESH)?.value;
    const to = encodeURIComponent("//evil.example/");
    expect(await browser.ask(`/sign-in?to=${to}`)).toMatchObject({ statusCode: 302, headers: { location: "/" } });
    expect(browser.cookies.get(REFRESH)?.value).not.toBe(refresh);
    expect(await post(`/sign-in?to=${to}`)).toMatchObject({ statusCode: 307, headers: { location: "/" } });
  });

  test("needs a new sign-in if the refresh token has expired, and forgets the token", async () => {
    const { browser } = await signedIn(world);
    world.pool.revokeAll();
    const begun = await browser.ask("/sign-in?to=%2Fa%2Fmain");
    expect([begun.statusCode, [...browser.cookies.keys()]]).toEqual([302, [FLOW]]);
    const why = "the session was not renewed: 400, invalid_grant";
    expect(world.logged()).toMatchObject([{ path: "/sign-in", status: 302, why }]);
    expect((await browser.visit("/a/main")).statusCode).toBe(200);
  });

  test("needs a new sign-in if Cognito does not answer, and keeps the refresh token", async () => {
    const { browser } = await signedIn(world);
    world.pool.fault = () => undefined;
    const begun = browser.ask("/sign-in");
    await world.clock.untilSleeping();
    await world.clock.advance(8000);
    expect(await begun).toMatchObject({ statusCode: 302 });
    expect([...browser.cookies.keys()].toSorted()).toEqual([FLOW, REFRESH]);
    expect(world.logged()).toMatchObject([{ why: "the session was not renewed: no answer in time" }]);
  });

  test("after a link on another site is requested again from this page, so that its cookie is sent", async () => {
    const { browser } = await signedIn(world);
    const to = encodeURIComponent("/a/main/history?before=x");
    const first = await browser.ask(`/sign-in?to=${to}`, { isForeign: true });
    expect(first).toMatchObject({ statusCode: 200, headers: { refresh: `0; url=/sign-in?to=${to}` } });
    expect([first.cookies ?? [], world.pool.asked]).toEqual([[], []]);
    const location = "/a/main/history?before=x";
    expect(await browser.ask(`/sign-in?to=${to}`)).toMatchObject({ statusCode: 302, headers: { location } });
    expect(world.pool.asked).toEqual(["/oauth2/token"]);
  });

  test.each(["file?path=fills.csv", "zip", "zip?x"])(
    "after a link on another site to %s leads to the pack",
    async (download) => {
      const pack = "/a/main/p/us-2025/0123456789abcdef";
      const to = encodeURIComponent(`${pack}/${download}`);
      const page = await world.browser().ask(`/sign-in?to=${to}`, { isForeign: true });
      expect(page.headers?.["refresh"]).toBe(`0; url=/sign-in?to=${encodeURIComponent(pack)}`);
    },
  );
});

test("two tabs at Cognito are one flow: the first one to return signs in", async () => {
  const browser = world.browser();
  const first = await halfway(browser, "/a/main");
  const second = await halfway(browser, "/a/main/history");
  expect(second.query.get("state")).toBe(first.query.get("state"));
  expect(await browser.ask(first.back, { isForeign: true })).toMatchObject({ statusCode: 200 });
  expect(browser.cookies.has(SESSION)).toBe(true);
  expect(await browser.ask(second.back, { isForeign: true })).toMatchObject({ statusCode: 400 });
});

describe("a post with an expired token", () => {
  test("goes on unchanged with a new token", async () => {
    const { browser, post } = await signedIn(world);
    const again = await post("/sign-in?to=%2Fa%2Fmain%2Fjobs");
    // RFC 9110, 15.4.8: the method and the body stay.
    expect(again).toMatchObject({ statusCode: 307, headers: { location: "/a/main/jobs" } });
    expect(browser.cookies.has(SESSION)).toBe(true);
    expect(await post("/a/main/jobs")).toMatchObject({ statusCode: 303, headers: { location: "/a/main/jobs/job-1" } });
    expect(world.lines).toEqual([]);
  });

  test("that signs out ends the session, and renews nothing", async () => {
    const { browser, post } = await signedIn(world);
    const page = await post("/sign-in?to=%2Fsign-out");
    const refresh = expect.stringContaining(`${world.pool.url}/logout?`);
    expect(page).toMatchObject({ statusCode: 200, headers: { refresh } });
    expect([browser.cookies.size, world.pool.asked]).toEqual([0, ["/oauth2/revoke"]]);
  });

  test("that cannot get a token asks to sign in again, and does nothing", async () => {
    const { browser, post } = await signedIn(world);
    world.pool.revokeAll();
    const page = await post("/sign-in?to=%2Fa%2Fmain%2Fjobs");
    expect([page.statusCode, textOf(page).includes('href="/sign-in"')]).toEqual([401, true]);
    expect(browser.cookies.size).toBe(0);
    expect((await post("/sign-in?to=%2Fa%2Fmain%2Fjobs")).statusCode).toBe(401);
    const ended = ["400, invalid_grant", "there is no session to renew"];
    expect(world.logged().map(({ why }) => why)).toEqual(ended.map((why) => `a post after the session ended: ${why}`));
  });

  test("may be sent again if Cognito does not answer: nothing is forgotten", async () => {
    const { browser, post } = await signedIn(world);
    world.pool.fault = (response) => response.writeHead(503).end();
    expect(await post("/sign-in?to=%2Fa%2Fmain%2Fjobs")).toMatchObject({ statusCode: 503 });
    expect(browser.cookies.has(REFRESH)).toBe(true);
  });

  test("from another site is refused, and neither renews nor ends anything", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const headers = { ...FORM, origin: "https://evil.example", "sec-fetch-site": site };
      const { browser, post } = await signedIn(world);
      for (const to of ["%2Fa%2Fmain%2Fjobs", "%2Fsign-out"]) {
        expect(await post(`/sign-in?to=${to}`, headers)).toMatchObject({ statusCode: 403 });
      }
      expect([browser.cookies.has(REFRESH), world.pool.asked]).toEqual([true, []]);
    }
  });
});
