import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createHost } from "../../../../lambda/web/hosts/local/local-host.ts";
import { createSessions } from "../../../../lambda/web/hosts/local/sessions.ts";
import type { User } from "../../../../lambda/web/ports.ts";
import type { PageRequest, Refusal, Visitor } from "../../../../lambda/web/request.ts";
import { countedIds } from "../../ids.ts";

const USER: User = { name: "ann", roleIn: () => "operator" };
const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;

const DAMAGED = new Error("damaged");

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from("half"));
  throw DAMAGED;
}

/** A host whose site says who came. */
function tested() {
  const refusals: Refusal[] = [];
  const keys: string[] = [];
  const visitors: (Visitor | null)[] = [];
  const problems: unknown[] = [];
  const random = { id: countedIds() };
  const sessions = createSessions({ random, now: () => 0, offered: (key) => keys.push(key) });
  const host = createHost({
    sessions,
    port: PORT,
    user: USER,
    refused: (refusal) => refusals.push(refusal),
    report: (error) => problems.push(error),
    async site(request, visitor) {
      visitors.push(visitor);
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
    const request: PageRequest = {
      method,
      path,
      query: new URLSearchParams(query),
      headers: { host: HOST, ...headers },
      body: Buffer.alloc(0),
    };
    return host(request);
  };
  const signIn = async (key = sessions.firstKey) => {
    const { cookies = [] } = await ask(`/?key=${key}`);
    return { cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") };
  };
  return { ask, signIn, sessions, refusals, visitors, problems, keys };
}

test("the key gives a cookie that scripts and other sites do not get, and leads on without the key", async () => {
  const { ask, sessions } = tested();
  const { status, headers, cookies, body } = await ask(`/?key=${sessions.firstKey}`);
  expect(status).toBe(200);
  expect(cookies).toEqual([`fillbook-${PORT}=id-2; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200`]);
  expect(headers).toMatchObject({
    refresh: "0; url=/",
    "referrer-policy": "no-referrer",
  });
  expect(body).not.toContain(sessions.firstKey);
});

test("the cookie is who they are, at either name of this machine", async () => {
  const { ask, signIn, visitors } = tested();
  const cookie = await signIn();
  expect(await ask("/", cookie)).toMatchObject({ status: 200 });
  expect(await ask("/", { cookie: `theme=dark; ${cookie.cookie}`, host: `localhost:${PORT}` })).toMatchObject({
    status: 200,
  });
  expect(visitors).toMatchObject([
    { user: USER, csrf: "id-3", origin: `http://127.0.0.1:${PORT}` },
    { origin: `http://localhost:${PORT}` },
  ]);
});

test("what goes wrong while an answer goes out is reported, and cuts it off", async () => {
  const { ask, signIn, problems } = tested();
  const { body } = await ask("/cut", await signIn());
  await expect(text(body as AsyncIterable<Uint8Array>)).rejects.toBe(DAMAGED);
  expect(problems).toEqual([DAMAGED]);
});

describe("refused and logged, without the key", () => {
  test.each([
    ["a wrong key", "/?key=wrong"],
    ["an empty key", "/?key="],
  ])("%s", async (_, target) => {
    const { ask, refusals, sessions } = tested();
    expect(await ask(target)).toMatchObject({ status: 401, headers: { "x-content-type-options": "nosniff" } });
    expect(refusals).toEqual([
      { user: "nobody", method: "GET", path: "/", status: 401, why: "not the key, or used already" },
    ]);
    expect(sessions.open(sessions.firstKey)).not.toBeNull();
  });

  test.each([
    ["", ""],
    ["another site's name", "evil.example"],
    ["another site's name at this port", `evil.example:${PORT}`],
    ["another port", `127.0.0.1:${PORT + 1}`],
    ["no port", "127.0.0.1"],
    ["another address of this machine", `0.0.0.0:${PORT}`],
    ["a name that ends alike", `evil.localhost:${PORT}`],
    ["other letters", `LOCALHOST:${PORT}`],
  ])("the host %s, key and cookie or not", async (_, host) => {
    const { ask, signIn, sessions, refusals, visitors } = tested();
    expect(await ask(`/?key=${sessions.firstKey}`, { host })).toMatchObject({ status: 421, body: "" });
    const cookie = await signIn();
    expect(await ask("/", { ...cookie, host })).toMatchObject({ status: 421, body: "" });
    expect(refusals.map(({ path, why }) => [path, why])).toEqual([
      ["/", "another host"],
      ["/", "another host"],
    ]);
    expect(visitors).toEqual([]);
  });
});

describe("nobody is", () => {
  test.each([
    ["no cookie", ""],
    ["a forged one", `fillbook-${PORT}=id-1`],
    ["an empty one", `fillbook-${PORT}=`],
    ["one without a value", `fillbook-${PORT}`],
    ["that of another port", "fillbook-4712=id-2"],
    ["the session's name under no name", "id-2"],
  ])("who has %s", async (_, cookie) => {
    const { ask, signIn, visitors } = tested();
    await signIn();
    expect(await ask("/", { cookie })).toMatchObject({ status: 401 });
    expect(visitors).toEqual([null]);
  });

  test("who signed out, with the same cookie; the next key is another", async () => {
    const { ask, signIn, keys } = tested();
    const cookie = await signIn();
    expect(await ask("/sign-out", cookie, "POST")).toMatchObject({
      status: 303,
      headers: { location: "/" },
      cookies: [`fillbook-${PORT}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`],
    });
    expect(await ask("/", cookie)).toMatchObject({ status: 401 });
    expect(keys.length).toBe(1);
    expect(await ask("/", await signIn(keys[0]))).toMatchObject({ status: 200 });
  });
});
