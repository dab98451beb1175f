import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createHost } from "../../../../lambda/web/hosts/local/local-host.ts";
import type { Arriving } from "../../../../lambda/web/hosts/local/node-http.ts";
import { createSessions } from "../../../../lambda/web/hosts/local/sessions.ts";
import type { User } from "../../../../lambda/web/ports.ts";
import type { PageRequest, Refusal, Visitor } from "../../../../lambda/web/request.ts";
import { countedIds } from "../../../support/prng.ts";

const USER: User = { name: "ann", roleIn: () => "operator" };
const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;

/** The root of the first session. */
const ROOT = "/id-4";

const DAMAGED = new Error("damaged");

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from("half"));
  throw DAMAGED;
}

/** A host whose site records the visitors. */
function tested() {
  const refusals: Refusal[] = [];
  const keys: string[] = [];
  const visitors: (Visitor | null)[] = [];
  const problems: unknown[] = [];
  const requests: PageRequest[] = [];
  const bodies = { read: 0 };
  const random = { id: countedIds() };
  const sessions = createSessions({ random, now: () => 0, offered: (key) => keys.push(key) });
  const host = createHost({
    sessions,
    port: PORT,
    user: USER,
    mostFileBytes: 1000,
    refused: (refusal) => refusals.push(refusal),
    report: (error) => problems.push(error),
    async site(request, visitor) {
      visitors.push(visitor);
      requests.push(request);
      if (request.path === "/page") {
        const body =
          '<a href="/a/main">x</a><form action="/sign-out"><img src="/i"><a href="#main">y</a> href=&quot;/z';
        return { status: 200, headers: { location: "/a" }, body };
      }
      if (request.path === "/cut") {
        return { status: 200, headers: {}, body: failing() };
      }
      return request.path === "/sign-out" && visitor !== null
        ? await visitor.signOut()
        : { status: visitor === null ? 401 : 200, headers: {}, body: "" };
    },
  });
  const ask = (target: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
    const [path = "", query = ""] = target.split("?");
    const request: Arriving = {
      method,
      path,
      query: new URLSearchParams(query),
      headers: { host: HOST, ...headers },
      readBody() {
        bodies.read += 1;
        return Promise.resolve(Buffer.from("kind=sync"));
      },
    };
    return host(request);
  };
  const signIn = async (key = sessions.firstKey) => {
    const { cookies = [] } = await ask(`/?key=${key}`);
    return { cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") };
  };
  return { ask, signIn, sessions, refusals, visitors, requests, bodies, problems, keys };
}

test("the key gives a cookie that scripts, other sites and other ports do not get, and redirects to an address without the key", async () => {
  const { ask, sessions } = tested();
  const { status, headers, cookies, body } = await ask(`/?key=${sessions.firstKey}`);
  expect(status).toBe(200);
  expect(cookies).toEqual([`fillbook-${PORT}=id-2; Path=${ROOT}; HttpOnly; SameSite=Strict; Max-Age=43200`]);
  expect(headers).toMatchObject({ refresh: `0; url=${ROOT}/`, "referrer-policy": "no-referrer" });
  expect(body).not.toContain(sessions.firstKey);
});

test("the cookie identifies the user, at either name of this machine", async () => {
  const { ask, signIn, visitors, requests } = tested();
  const cookie = await signIn();
  const other = { cookie: `theme=dark; ${cookie.cookie}`, host: `localhost:${PORT}` };
  expect(await ask(ROOT, cookie)).toMatchObject({ status: 200 });
  expect(await ask(`${ROOT}/a/main`, other)).toMatchObject({ status: 200 });
  expect(visitors).toMatchObject([
    { user: USER, csrf: "id-3", origin: `http://127.0.0.1:${PORT}` },
    { origin: `http://localhost:${PORT}` },
  ]);
  expect(requests.map(({ path }) => path)).toEqual(["/", "/a/main"]);
});

test("only the site's own addresses are below the session's root", async () => {
  const { ask, signIn } = tested();
  const { headers, body } = await ask(`${ROOT}/page`, await signIn());
  expect(headers).toMatchObject({ location: `${ROOT}/a` });
  expect(body).toBe(
    `<a href="${ROOT}/a/main">x</a><form action="${ROOT}/sign-out"><img src="${ROOT}/i"><a href="#main">y</a> href=&quot;/z`,
  );
});

test("a body is read only from a signed-in user who names this machine", async () => {
  const { ask, signIn, sessions, requests, bodies } = tested();
  await ask("/a/main/jobs", {}, "POST");
  await ask(`/?key=${sessions.firstKey}`, {}, "POST");
  const cookie = await signIn();
  await ask(`${ROOT}/a/main/jobs`, {}, "POST");
  await ask(`${ROOT}/a/main/jobs`, { cookie: `fillbook-${PORT}=wrong` }, "POST");
  await ask("/a/main/jobs", cookie, "POST");
  await ask(`${ROOT}/a/main/jobs`, { ...cookie, host: "evil.example" }, "POST");
  expect(bodies.read).toBe(0);
  expect(new Set(requests.map(({ body }) => body.length))).toEqual(new Set([0]));
  await ask(`${ROOT}/a/main/jobs`, cookie, "POST");
  expect([bodies.read, String(requests.at(-1)?.body)]).toEqual([1, "kind=sync"]);
});

test("an error while an answer is sent is reported, and cuts the answer off", async () => {
  const { ask, signIn, problems } = tested();
  const { body } = await ask(`${ROOT}/cut`, await signIn());
  await expect(text(body as AsyncIterable<Uint8Array>)).rejects.toBe(DAMAGED);
  expect(problems).toEqual([DAMAGED]);
});

describe("refused and logged, without the key", () => {
  test("a wrong key", async () => {
    const { ask, refusals, sessions } = tested();
    expect(await ask("/?key=wrong")).toMatchObject({ status: 401, headers: { "x-content-type-options": "nosniff" } });
    expect(refusals).toEqual([{ user: "nobody", method: "GET", path: "/", status: 401, why: "a wrong or used key" }]);
    expect(sessions.open(sessions.firstKey)).not.toBeNull();
  });

  test.each([
    "",
    `evil.example:${PORT}`,
    `127.0.0.1:${PORT + 1}`,
    "127.0.0.1",
    `0.0.0.0:${PORT}`,
    `evil.localhost:${PORT}`,
    `LOCALHOST:${PORT}`,
  ])("another host, key and cookie or not: %j", async (host) => {
    const { ask, signIn, sessions, refusals, visitors } = tested();
    expect(await ask(`/?key=${sessions.firstKey}`, { host })).toMatchObject({ status: 421, body: "" });
    const cookie = await signIn();
    expect(await ask(`${ROOT}/`, { ...cookie, host })).toMatchObject({ status: 421, body: "" });
    expect(refusals.map(({ why }) => why)).toEqual(["another host", "another host"]);
    expect(visitors).toEqual([]);
  });
});

describe("not signed in:", () => {
  test.each(["", `fillbook-${PORT}=id-1`, `fillbook-${PORT}=`, `fillbook-${PORT}`, "fillbook-4712=id-2", "id-2"])(
    "who has the cookie %j",
    async (cookie) => {
      const { ask, signIn, visitors } = tested();
      await signIn();
      expect(await ask(`${ROOT}/`, { cookie })).toMatchObject({ status: 401 });
      expect(visitors).toEqual([null]);
    },
  );

  test.each(["/", "/a/main", "/id-2/", "/id-40/a", "//id-4/a", "/id-4a", `/x${ROOT}/`, "/ID-4/"])(
    "who has the cookie and asks for %s, which is not below the session's root",
    async (path) => {
      const { ask, signIn, visitors, requests } = tested();
      expect(await ask(path, await signIn())).toMatchObject({ status: 401 });
      expect([visitors, requests.map((request) => request.path)]).toEqual([[null], [path]]);
    },
  );

  test("a user who has signed out, with the same cookie; the next key is a new one", async () => {
    const { ask, signIn, keys } = tested();
    const cookie = await signIn();
    const headers = { location: `${ROOT}/?signed-out` };
    const cookies = [`fillbook-${PORT}=; Path=${ROOT}; HttpOnly; SameSite=Strict; Max-Age=0`];
    expect(await ask(`${ROOT}/sign-out`, cookie, "POST")).toMatchObject({ status: 303, headers, cookies });
    const body = expect.stringContaining("<h1>You are signed out</h1>");
    expect(await ask(`${ROOT}/?signed-out`, cookie)).toMatchObject({ status: 200, body });
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    expect(keys.length).toBe(1);
    const next = await signIn(keys[0]);
    expect(await ask(`${ROOT}/`, next)).toMatchObject({ status: 401 });
    expect(await ask("/id-8/", next)).toMatchObject({ status: 200 });
  });
});
