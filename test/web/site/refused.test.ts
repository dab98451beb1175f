import { describe, expect, test } from "vitest";
import { ROUTES } from "../../../lambda/web/routes/table.ts";
import { STYLE_ASSET } from "../../../lambda/web/views/assets.ts";
import { ACCOUNTANT, FORM_HEADERS, fakePorts, ORIGIN, testedSite, VERSION } from "./fake-site.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;
const NAMES: Readonly<Record<string, string>> = { account: "main", period: "us-2025", version: VERSION, id: "job-1" };

/** A route's path with these names filled in. */
function pathOf(pattern: string, names: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? "");
}

/** Every route of an account, with each of its methods. */
const OF_ACCOUNTS = Object.entries(ROUTES)
  .filter(([pattern]) => pattern.includes(":account"))
  .flatMap(([pattern, handlers]) => Object.keys(handlers).map((method) => ({ pattern, method })));

const FIELDS = { kind: "export", period: "us-2025" };

function openSite() {
  const ports = fakePorts();
  return { ports, ...testedSite(ports) };
}

test.each(OF_ACCOUNTS)("another user's account is not found $method $pattern", async ({ pattern, method }) => {
  const { ports, ask, post, refusals } = openSite();
  // A job that exists, in the other account.
  await post("/a/other/jobs", FIELDS, { user: { ...ACCOUNTANT, roleIn: () => "accountant" } });
  const query = "?path=fills.csv";
  const go = (names: Readonly<Record<string, string>>) =>
    method === "POST" ? post(pathOf(pattern, names), FIELDS) : ask(pathOf(pattern, names) + query);
  const theirs = await go({ ...NAMES, account: "other" });
  const nobodys = await go({ ...NAMES, account: "nobody" });
  expect(theirs).toEqual(nobodys);
  expect(theirs.status).toBe(404);
  expect(theirs.body).not.toMatch(/other|nobody|us-2025/);
  expect(ports.started.length).toBe(1);
  expect(ports.records()).toEqual([]);
  const refused = { user: "ann", method, status: 404, why: "no account of theirs" };
  expect(refusals).toEqual(
    ["other", "nobody"].map((account) => ({ ...refused, path: pathOf(pattern, { ...NAMES, account }) })),
  );
});

const GUESS = "/a/main/p/us-2025/0123456789abcdee";
const ofFile = (path: string) => `${PACK}/file?path=${path}`;

test.each([
  ...["/admin", STYLE_ASSET.path.replace(".css", "0.css"), "/style.css", "//a/main", "/a/main/", "/a/"],
  ...["/a/__proto__", GUESS, `${GUESS}/zip`, `/a/main/p/us-2024/${VERSION}`],
  ...[PACK.toUpperCase()],
  ...["/a/main/../other", "/a/main/%2e%2e/other", "/a/main%2f..%2fother", "/a/main%5c..%5cother"],
  ...["/a/main%252f..%252fother", "/a/main%c0%af..%c0%afother", "/a/%zz", "/a/main%00", `${PACK}/file`],
  ...[`../${VERSION}/fills.csv`, "%2e%2e%2ffills.csv", "/etc/passwd", "./fills.csv", "fills.csv%00"].map(ofFile),
  ...["FILLS.CSV", "latest.json"].map(ofFile),
])("missing things are not found: %s", async (target) => {
  const { ports, ask, refusals, problems } = openSite();
  const answer = await ask(target);
  expect(answer).toEqual(await ask("/nothing"));
  expect(answer.status).toBe(404);
  expect(refusals[0]).toMatchObject({
    user: "ann",
    method: "GET",
    path: new URL(`${ORIGIN}${target}`).pathname,
    status: 404,
  });
  expect([ports.records(), problems]).toEqual([[], []]);
});

test("visitors who are not signed in see only how to sign in, at any address", async () => {
  const { ask, post, refusals } = openSite();
  const answers = [
    await ask("/", { user: null }),
    await ask("/a/main", { user: null }),
    await ask(`${PACK}/zip`, { user: null }),
    await ask("/nothing", { user: null }),
    await post("/a/main/jobs", { kind: "sync" }, { user: null }),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [401, expect.stringContaining("<h1>Sign in</h1>")]),
  );
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(refusals.map(({ user, why }) => [user, why])).toEqual(answers.map(() => ["nobody", "not signed in"]));
});

test.each([
  ["/", "GET"],
  [STYLE_ASSET.path, "GET"],
  ["/a/main/jobs", "POST"],
  ["/sign-out", "POST"],
  [`${PACK}/zip`, "GET"],
])("methods that do not exist: %s", async (target, allowed) => {
  const { ports, ask, refusals } = openSite();
  const methods = ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "constructor"];
  for (const method of methods.filter((one) => one !== allowed)) {
    const answer = await ask(target, { method, headers: FORM_HEADERS });
    expect(answer).toMatchObject({ status: 405, headers: { allow: allowed } });
  }
  expect(refusals.map(({ why }) => why)).toEqual(refusals.map(() => "wrong method"));
  expect(ports.records()).toEqual([]);
});

describe("a post from elsewhere", () => {
  const OTHER = "http://127.0.0.1:9999";
  const STRANGE = { origin: OTHER, "sec-fetch-site": "same-site" };

  test.each<[Readonly<Record<string, string>>, string]>([
    [{ origin: "https://evil.example", "sec-fetch-site": "cross-site" }, "a post from elsewhere"],
    [STRANGE, "a post from elsewhere"],
    [{ origin: "null", "sec-fetch-site": "none" }, "a post from elsewhere"],
    // Read as the last of its types, whatever the first one is.
    [{ ...STRANGE, "content-type": `application/json, ${FORM_HEADERS["content-type"]}` }, "a post from elsewhere"],
    [{ ...STRANGE, "content-type": "application/json" }, "a post from elsewhere"],
    [{ "content-type": "application/json" }, "a post that is no form"],
    [{ "content-type": "multipart/form-data; boundary=x" }, "a post that is no form"],
  ])("with %j", async (headers, why) => {
    const { ports, post, refusals } = openSite();
    expect(await post("/a/main/jobs", FIELDS, { headers })).toMatchObject({ status: 403 });
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ status: 403, why }]);
  });

  test.each<[Readonly<Record<string, string>>, number]>([
    [{}, 403],
    [{ origin: "null" }, 403],
    [{ origin: OTHER }, 403],
    [{ origin: ORIGIN }, 303],
  ])("from a client that does not send the site: %j", async (origin, status) => {
    const headers = { "content-type": FORM_HEADERS["content-type"], ...origin };
    const body = String(new URLSearchParams(FIELDS));
    expect(await openSite().ask("/a/main/jobs", { method: "POST", headers, body })).toMatchObject({ status });
  });
});

test("a refusal leads back to the accounts, or to the account; of another's account it says nothing", async () => {
  const { ask, post } = openSite();
  const elsewhere = { headers: { "sec-fetch-site": "cross-site" } };
  const nothing = (await ask("/a/main/nothing")).body;
  expect(nothing).toContain("<bdi>ann</bdi>");
  expect(nothing).toMatch(/<nav [\s\S]*href="\/"/);
  for (const { body } of [await post("/a/main/jobs", {}, elsewhere), await ask("/a/main", { method: "PUT" })]) {
    expect(body).toContain('href="/a/main"><span>Back to account');
  }
  for (const { body } of [await ask("/a/other", { method: "PUT" }), await post("/a/other/jobs", {}, elsewhere)]) {
    expect(body).not.toMatch(/\/a\/|>other/);
  }
});

test.each([
  ["an image", "cross-site", "no-cors", "image", 403],
  ["a script", "same-site", "no-cors", "script", 403],
  ["a frame", "cross-site", "navigate", "iframe", 403],
  ["a request of its script", "cross-site", "cors", "empty", 403],
  ["a link", "cross-site", "navigate", "document", 200],
  ["our own frame", "same-origin", "navigate", "iframe", 200],
  ["what the user typed", "none", "navigate", "document", 200],
])("a page of another site may link here, and load nothing: %s", async (_, site, mode, destination, status) => {
  const { ports, ask } = openSite();
  const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination };
  expect(await ask(`${PACK}/file?path=fills.csv`, { headers })).toMatchObject({ status });
  expect(ports.records().length).toBe(status === 200 ? 1 : 0);
});

test("a refusal's texts are short, whatever was sent", async () => {
  const { ask, post, refusals } = openSite();
  await ask(`/a/${"x".repeat(10_000)}`);
  await post("/a/main/jobs", { ...FIELDS, period: "9".repeat(10_000) });
  expect(refusals.map(({ path, why }) => Math.max(path.length, why.length))).toEqual([300, 300]);
});

test("users of its account learn that a job does not exist", async () => {
  const { ask, refusals } = openSite();
  const { status, body } = await ask("/a/main/jobs/job-1");
  expect([status, body]).toEqual([404, expect.stringContaining("This job never existed or is no longer listed")]);
  expect(refusals).toMatchObject([{ user: "ann", path: "/a/main/jobs/job-1", status: 404, why: "no such job" }]);
});
