import { describe, expect, test } from "vitest";
import { ROUTES } from "../../../lambda/web/routes/table.ts";
import { STYLE_ASSET } from "../../../lambda/web/views/assets.ts";
import { ACCOUNTANT, CSRF, FORM_HEADERS, fakePorts, ORIGIN, testedSite, VERSION } from "./fake-site.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;
const NAMES: Readonly<Record<string, string>> = { account: "main", period: "us-2025", version: VERSION, id: "job-1" };

/** A route's path with these names filled in. */
function pathOf(pattern: string, names: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? "");
}

const OF_ACCOUNTS = ROUTES.filter(({ pattern }) => pattern.includes(":account")).flatMap(({ pattern, handlers }) =>
  Object.keys(handlers).map((method) => ({ pattern, method })),
);

describe("another user's account is not found", () => {
  test.each(OF_ACCOUNTS)("$method $pattern", async ({ pattern, method }) => {
    const ports = fakePorts();
    const { ask, post, refusals } = testedSite(ports);
    const fields = { kind: "export", period: "us-2025" };
    // A job that exists, in the other account.
    await post("/a/other/jobs", fields, { user: { ...ACCOUNTANT, roleIn: () => "accountant" } });
    const query = "?path=fills.csv&before=fedcba9876543210&after=0123456789abcdef";
    const go = (names: Readonly<Record<string, string>>) =>
      method === "POST" ? post(pathOf(pattern, names), fields) : ask(pathOf(pattern, names) + query);
    const theirs = await go({ ...NAMES, account: "other" });
    const nobodys = await go({ ...NAMES, account: "nobody" });
    expect(theirs).toEqual(nobodys);
    expect(theirs.status).toBe(404);
    expect(theirs.body).not.toMatch(/other|nobody|us-2025/);
    expect(ports.started.length).toBe(1);
    expect(ports.records()).toEqual([]);
    expect(refusals).toEqual(
      ["other", "nobody"].map((account) => ({
        user: "ann",
        method,
        path: pathOf(pattern, { ...NAMES, account }),
        status: 404,
        why: "no account of theirs",
      })),
    );
  });
});

describe("missing things are not found", () => {
  test.each([
    ["a page", "/admin"],
    ["an asset of another name", STYLE_ASSET.path.replace(".css", "0.css")],
    ["an asset without its hash", "/style.css"],
    ["a path with a slash too many", "//a/main"],
    ["a slash at the end", "/a/main/"],
    ["an address in place of a path", "http://evil.example/a/main"],
    ["no path", "*"],
    ["no name of an account", "/a/"],
    ["what every object has", "/a/__proto__"],
    ["a guessed version", "/a/main/p/us-2025/0123456789abcdee"],
    ["a version in other letters", `/a/main/p/us-2025/${VERSION.toUpperCase()}`],
    ["a guessed version's ZIP", "/a/main/p/us-2025/0123456789abcdee/zip"],
    ["another period's version", `/a/main/p/us-2024/${VERSION}`],
    ["a comparison with a guess", `/a/main/p/us-2025/compare?before=x&after=${VERSION}`],
    ["a comparison of a period without packs", "/a/main/p/us-2023/compare"],
    ["a path upwards", "/a/main/../other"],
    ["a path upwards, encoded", "/a/main/%2e%2e/other"],
    ["a path upwards in one word", "/a/main%2f..%2fother"],
    ["a path upwards with backslashes", "/a/main%5c..%5cother"],
    ["a path upwards, encoded twice", "/a/main%252f..%252fother"],
    ["a path upwards in UTF-8 that is too long", "/a/main%c0%af..%c0%afother"],
    ["what is no percent-encoding", "/a/%zz"],
    ["a zero byte", "/a/main%00"],
    ["a file upwards", `${PACK}/file?path=../${VERSION}/fills.csv`],
    ["a file upwards, encoded", `${PACK}/file?path=%2e%2e%2ffills.csv`],
    ["a file from the root", `${PACK}/file?path=/etc/passwd`],
    ["a file in this folder", `${PACK}/file?path=./fills.csv`],
    ["a file with a zero byte", `${PACK}/file?path=fills.csv%00`],
    ["a file in other letters", `${PACK}/file?path=FILLS.CSV`],
    ["a file that is not listed", `${PACK}/file?path=latest.json`],
    ["no file", `${PACK}/file`],
  ])("%s", async (_, target) => {
    const ports = fakePorts();
    const { ask, refusals, problems } = testedSite(ports);
    const answer = await ask(target);
    expect(answer).toEqual(await ask("/nothing"));
    expect(answer.status).toBe(404);
    expect(refusals[0]).toMatchObject({ user: "ann", method: "GET", path: target.split("?")[0], status: 404 });
    expect([ports.records(), problems]).toEqual([[], []]);
  });
});

test("visitors who are not signed in see only how to sign in, at any address", async () => {
  const { ask, post, refusals } = testedSite(fakePorts());
  const answers = [
    await ask("/", { user: null }),
    await ask("/a/main", { user: null }),
    await ask(`${PACK}/zip`, { user: null }),
    await ask("/nothing", { user: null }),
    await post("/a/main/jobs", { kind: "sync" }, { user: null }),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [401, "<p>sign in</p>"]));
  expect(refusals.map(({ user, why }) => [user, why])).toEqual(answers.map(() => ["nobody", "not signed in"]));
});

describe("methods that do not exist", () => {
  test.each([
    ["/", "GET"],
    [STYLE_ASSET.path, "GET"],
    ["/a/main/jobs", "POST"],
    ["/sign-out", "POST"],
    [`${PACK}/zip`, "GET"],
  ])("%s", async (target, allowed) => {
    const ports = fakePorts();
    const { ask, refusals } = testedSite(ports);
    const methods = ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "constructor", ""];
    for (const method of methods.filter((one) => one !== allowed)) {
      expect(await ask(target, { method, headers: FORM_HEADERS })).toMatchObject({
        status: 405,
        headers: { allow: allowed },
      });
    }
    expect(refusals.map(({ why }) => why)).toEqual(refusals.map(() => "wrong method"));
    expect(ports.records()).toEqual([]);
  });
});

describe("a post from elsewhere", () => {
  const fields = { kind: "export", period: "us-2025" };

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, "another site"],
    [
      "another port of this machine",
      { origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" },
      "another site",
    ],
    ["an address that the user typed", { origin: "null", "sec-fetch-site": "none" }, "another site"],
    ["another origin", { origin: "http://127.0.0.1:9999" }, "another origin"],
    ["this origin over TLS", { origin: ORIGIN.replace("http:", "https:") }, "another origin"],
  ])("%s", async (_, headers, why) => {
    const ports = fakePorts();
    const { post, refusals } = testedSite(ports);
    const answer = await post("/a/main/jobs", fields, { headers });
    expect(answer.status).toBe(403);
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ status: 403, why: `a post from ${why}` }]);
  });

  test("without an origin, from a client that does not send the site either", async () => {
    const ports = fakePorts();
    const { ask, refusals } = testedSite(ports);
    const body = String(new URLSearchParams({ ...fields, csrf: CSRF }));
    const type = { "content-type": "application/x-www-form-urlencoded" };
    for (const headers of [type, { ...type, origin: "null" }, { ...type, origin: "http://127.0.0.1:9999" }]) {
      expect(await ask("/a/main/jobs", { method: "POST", headers, body })).toMatchObject({ status: 403 });
    }
    expect(ports.started).toEqual([]);
    expect(refusals.length).toBe(3);
    expect(await ask("/a/main/jobs", { method: "POST", headers: { ...type, origin: ORIGIN }, body })).toMatchObject({
      status: 303,
    });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["another token", { csrf: "another" }],
    ["an empty one", { csrf: "" }],
    ["the beginning of it", { csrf: CSRF.slice(0, -1) }],
  ])("with %s", async (_, more) => {
    const ports = fakePorts();
    const { post, refusals } = testedSite(ports);
    expect(await post("/a/main/jobs", { ...fields, ...more })).toMatchObject({ status: 403 });
    expect(await post("/sign-out", more)).toMatchObject({ status: 403 });
    expect(ports.started).toEqual([]);
    expect(refusals.map(({ why }) => why)).toEqual(refusals.map(() => "a post without the session's own token"));
  });

  test.each(["application/json", "text/plain", "multipart/form-data; boundary=x", ""])("as %s", async (type) => {
    const ports = fakePorts();
    const { post, refusals } = testedSite(ports);
    expect(await post("/a/main/jobs", fields, { headers: { "content-type": type } })).toMatchObject({ status: 403 });
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ why: "a post that is no form" }]);
  });

  test("too large, from anybody", async () => {
    const { ask, refusals } = testedSite(fakePorts());
    const body = Buffer.alloc(65_537, "a=1&");
    expect(await ask("/a/main/jobs", { method: "POST", headers: FORM_HEADERS, body })).toMatchObject({ status: 413 });
    expect(await ask("/", { method: "POST", body, user: null })).toMatchObject({ status: 413 });
    expect(refusals.map(({ why }) => why)).toEqual(["too large", "too large"]);
  });
});

describe("a refusal leads back", () => {
  const { ask, post } = testedSite(fakePorts());
  const stale = { csrf: "of another session" };

  test("to the accounts, with the user's name, where nothing is at an address", async () => {
    const { body } = await ask("/a/main/nothing");
    expect(body).toContain("<h1>Page not found</h1>");
    expect(body).toContain("<bdi>ann</bdi>");
    expect(body).toMatch(/<nav [\s\S]*href="\/"/);
  });

  test.each<[string, string]>([
    ["/a/main/jobs", "/a/main/make"],
    ["/a/main/jobs/job-1/stop", "/a/main/jobs/job-1"],
    ["/a/main/files/remove", "/a/main/files"],
  ])("from a form of an old session, sent to %s, to its page and the account", async (target, back) => {
    const { status, body } = await post(target, stale);
    expect(status).toBe(403);
    expect(body).toContain(`href="${back}">Open the page again<`);
    expect(body).toContain('href="/a/main"><span>Back to account');
  });

  test("from a method that there is not to the account; of another's account it says nothing", async () => {
    expect((await ask("/a/main", { method: "PUT" })).body).toContain('href="/a/main"><span>Back to account');
    for (const { body } of [await ask("/a/other", { method: "PUT" }), await post("/a/other/jobs", stale)]) {
      expect(body).not.toMatch(/\/a\/|>other/);
    }
  });
});

describe("a page of another site may link here, and load nothing", () => {
  test.each([
    ["an image", "cross-site", "no-cors", "image", 403],
    ["a script", "same-site", "no-cors", "script", 403],
    ["a frame", "cross-site", "navigate", "iframe", 403],
    ["a request of its script", "cross-site", "cors", "empty", 403],
    ["a link", "cross-site", "navigate", "document", 200],
    ["our own frame", "same-origin", "navigate", "iframe", 200],
    ["what the user typed", "none", "navigate", "document", 200],
  ])("%s", async (_, site, mode, destination, status) => {
    const ports = fakePorts();
    const { ask } = testedSite(ports);
    const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination };
    expect(await ask(`${PACK}/file?path=fills.csv`, { headers })).toMatchObject({ status });
    expect(ports.records().length).toBe(status === 200 ? 1 : 0);
  });
});

test("only users of its account learn that a job does not exist", async () => {
  const { ask, refusals } = testedSite(fakePorts());
  const answer = await ask("/a/main/jobs/job-1");
  expect(answer.status).toBe(404);
  expect(answer.body).toMatch(/This job never existed or is no longer listed/);
  expect(answer.body).toContain('href="/a/main"');
  expect(refusals).toMatchObject([{ user: "ann", path: "/a/main/jobs/job-1", status: 404, why: "no such job" }]);
  expect(await ask("/a/strange/jobs/job-1")).toEqual(await ask("/nothing"));
});
