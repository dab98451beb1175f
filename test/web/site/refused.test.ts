import { describe, expect, test } from "vitest";
import { FillbookError } from "../../../lambda/core/errors.ts";
import type { User } from "../../../lambda/web/ports.ts";
import { STYLE_ASSET } from "../../../lambda/web/views/assets.ts";
import {
  ACCOUNT_ROUTES,
  ACCOUNTANT,
  type Answered,
  FOLDER,
  FORM_HEADERS,
  fakePorts,
  ORIGIN,
  openSite,
  pathOf,
  TOGETHER,
  testedSite,
  VERSION,
} from "./fake-site.ts";
import { readable } from "./uploads.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;
const FIELDS = { kind: "export", period: "us-2025" };

const BOTH: User = { ...ACCOUNTANT, roleIn: () => "accountant" };

test.each(ACCOUNT_ROUTES)("another user's account is not found $method $pattern", async ({ pattern, method }) => {
  const { ports, ask, post, refusals } = openSite();
  // A job that exists, in the other account.
  await post("/a/other/jobs", FIELDS, { user: BOTH });
  const query = "?path=fills.csv";
  const go = (account: string, user = ACCOUNTANT) =>
    method === "POST"
      ? post(pathOf(pattern, account), FIELDS, { user })
      : ask(pathOf(pattern, account) + query, { user });
  const answers: Record<string, Answered> = {};
  for (const account of ["nobody", "other", TOGETHER]) {
    answers[account] = await go(account);
    expect(answers[account]).toEqual(answers["nobody"]);
  }
  expect(answers["nobody"]?.status).toBe(404);
  expect(answers["nobody"]?.body).not.toMatch(/other|nobody|us-2025/);
  expect(ports.started.length).toBe(1);
  expect(ports.records()).toEqual([]);
  const refused = { user: "ann", method, status: 404, why: "no account of theirs" };
  expect(refusals).toEqual(Object.keys(answers).map((account) => ({ ...refused, path: pathOf(pattern, account) })));
  // Several accounts together have packs, and nothing of an archive.
  expect((await go(TOGETHER, BOTH)).status).toBe(/make|files|jobs/.test(pattern) ? 404 : 200);
  const { status } = await post(pathOf(pattern), FIELDS, { headers: { "sec-fetch-site": "cross-site" } });
  expect(status).toBe(403);
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
  const targets = ["/", "/a/main", `${PACK}/zip`, "/nothing"];
  const answers = await Promise.all(targets.map((target) => ask(target, { user: null })));
  answers.push(await post("/a/main/jobs", { kind: "sync" }, { user: null }));
  const [shown] = answers;
  expect(shown).toMatchObject({ status: 401, body: expect.stringContaining("<h1>Sign in</h1>") });
  expect(answers).toEqual(answers.map(() => shown));
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

const { "content-type": type } = FORM_HEADERS;
const ELSEWHERE = "a post from elsewhere";
const STRANGE = { origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" };
const OURS = { origin: "null", "sec-fetch-site": "same-origin" };

test.each<[Readonly<Record<string, string>>, string, string | null]>([
  [{ origin: "https://evil.example", "sec-fetch-site": "cross-site" }, type, ELSEWHERE],
  [STRANGE, type, ELSEWHERE],
  [{ origin: "null", "sec-fetch-site": "none" }, type, ELSEWHERE],
  // Read as the last of its types, whatever the first one is.
  [STRANGE, `application/json, ${type}`, ELSEWHERE],
  [STRANGE, "application/json", ELSEWHERE],
  [OURS, "application/json", "a post that is no form"],
  [OURS, "multipart/form-data; boundary=x", "a post that is no form"],
  // From a client that does not send the site.
  [{}, type, ELSEWHERE],
  [{ origin: "null" }, type, ELSEWHERE],
  [{ origin: STRANGE.origin }, type, ELSEWHERE],
  [{ origin: ORIGIN }, type, null],
])("a post from %j with a body of %s", async (headers, contentType, why) => {
  const { ports, ask, refusals } = openSite();
  const body = String(new URLSearchParams(FIELDS));
  const sent = { method: "POST", headers: { "content-type": contentType, ...headers }, body };
  expect(await ask("/a/main/jobs", sent)).toMatchObject({ status: why === null ? 303 : 403 });
  expect(ports.started.length).toBe(why === null ? 1 : 0);
  expect(refusals.map((refusal) => refusal.why)).toEqual(why === null ? [] : [why]);
});

test("a refusal leads back to the account; of another's account it says nothing", async () => {
  const { ask, post } = openSite();
  const elsewhere = { headers: { "sec-fetch-site": "cross-site" } };
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

const SEND_IT = "If somebody else runs fillbook for you, send them this message.";

function siteWith(damage: Readonly<Record<string, string>>) {
  const ports = fakePorts();
  for (const [key, text] of Object.entries(damage)) {
    ports.store.put(key, Buffer.from(text));
  }
  return testedSite(ports);
}

describe("pages of a damaged account say what is damaged, where, and what to do", () => {
  const head = { "main/head.json": "<b>{" };
  const claim = { [`${FOLDER}/completeness.json`]: "{}" };
  const report = { [`${FOLDER}/report.html`]: '<p><a href="/a/main">x</a></p>' };

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["/a/main/make", head, "memory/main/head.json is not a head"],
    [`${PACK}/zip`, claim, `memory/${FOLDER}/completeness.json is damaged`],
    [`${PACK}/report`, report, `memory/${FOLDER}/report.html is damaged`],
  ])("%s, %j", async (target, damage, what) => {
    const { ask, refusals, problems } = siteWith(damage);
    const { status, body } = await ask(target);
    const text = readable(body);
    for (const says of ["This page cannot be shown", what, "restore the", SEND_IT]) {
      expect([status, text]).toEqual([500, expect.stringContaining(says)]);
    }
    expect(body).toContain('href="/a/main"><span>Back to account');
    expect(refusals).toMatchObject([{ user: "ann", status: 500, why: expect.stringContaining(what) }]);
    expect(problems).toEqual([]);
  });

  test("the account's own page leads to all accounts, not to itself", async () => {
    const { body } = await siteWith(head).ask("/a/main");
    expect(readable(body)).toContain("This account cannot be read");
    expect(body).toContain('href="/">Go to your accounts<');
    expect(body).not.toContain("Back to account");
  });
});

describe("whatever a route reads first", () => {
  const damage = new FillbookError("untrusted", "memory/main/x is damaged", { hint: "check the archive" });

  test.each(ACCOUNT_ROUTES)("$method $pattern never says that something went wrong", async ({ pattern, method }) => {
    const ports = fakePorts();
    const broken = new Proxy(ports.store, {
      get: () => () => {
        throw damage;
      },
    });
    const { ask, post } = testedSite({
      ...ports,
      storesOf: (account) => ({ account, store: broken, packs: broken }),
    });
    const path = pathOf(pattern);
    const fields = { kind: "export", period: "us-2025", name: "funding.csv" };
    const { status, body } = await (method === "POST" ? post(path, fields) : ask(path));
    expect(body).not.toContain("Something went wrong");
    if (status === 500) {
      expect(readable(body)).toContain("memory/main/x is damaged. Check the archive.");
    }
  });

  test("nobody but users of the account learns of it", async () => {
    const ports = fakePorts();
    const { ask, problems } = testedSite({ ...ports, accounts: () => Promise.reject(damage) });
    for (const target of ["/", "/a/other"]) {
      const { status, body } = await ask(target);
      expect([status, body]).toEqual([target === "/" ? 500 : 404, expect.not.stringContaining("damaged")]);
    }
    expect(problems).toEqual([damage]);
  });
});
