import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { createLocalSite } from "../../../../lambda/web/hosts/local/local-host.ts";
import { startServer } from "../../../../lambda/web/hosts/local/server.ts";
import { createSessions, SESSION_MS } from "../../../../lambda/web/hosts/local/sessions.ts";
import type { Refusal } from "../../../../lambda/web/page-context.ts";
import type { User } from "../../../../lambda/web/ports.ts";
import { countedIds } from "../../../support/prng.ts";
import { FOLDER, FORM_HEADERS, fakePorts, VERSION } from "../../site/fake-site.ts";

const USER: User = { name: "ann", roleIn: () => "operator" };
const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;

/** The root of the first session. */
const ROOT = "/id-3";

/** The site on this machine, with two accounts in memory. */
function tested(port = PORT) {
  const refusals: Refusal[] = [];
  const keys: string[] = [];
  const problems: unknown[] = [];
  const ports = fakePorts();
  const clock = { now: 0 };
  const random = { id: countedIds() };
  const sessions = createSessions({ random, now: () => clock.now, offered: (key) => keys.push(key) });
  const answer = createLocalSite({
    ports,
    sessions,
    port,
    user: USER,
    refused: (refusal) => refusals.push(refusal),
    report: (error) => problems.push(error),
  });
  const env = { incoming: {}, outgoing: { destroy: () => expect.fail("no answer is cut off") } } as never;
  const ask = async (target: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
    let isRead = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true;
          controller.enqueue(Buffer.from("kind=sync"));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const sent = method === "POST" ? { method, body, duplex: "half" as const } : { method };
    const request = new Request(`http://${HOST}${target}`, {
      ...sent,
      headers: { host: HOST, ...(method === "POST" ? FORM_HEADERS : {}), ...headers },
    });
    const response = await answer(request, env);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      cookies: response.headers.getSetCookie(),
      body: await response.text(),
      isRead,
    };
  };
  const signIn = async (key = sessions.firstKey) => {
    const { cookies } = await ask(`/?key=${key}`);
    return { cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") };
  };
  return { answer, ask, signIn, sessions, clock, refusals, ports, problems, keys };
}

test("the key gives a cookie that scripts, other sites and other ports do not get, and redirects to an address without the key", async () => {
  const { ask, sessions } = tested();
  const { status, headers, cookies, body } = await ask(`/?key=${sessions.firstKey}`);
  expect(status).toBe(200);
  expect(cookies).toEqual([`fillbook-${PORT}=id-2; Max-Age=43200; Path=${ROOT}; HttpOnly; SameSite=Strict`]);
  expect(headers).toMatchObject({ refresh: `0; url=${ROOT}/`, "referrer-policy": "no-referrer" });
  expect(body).not.toContain(sessions.firstKey);
});

test("the cookie identifies the user, at either name of this machine", async () => {
  const { ask, signIn } = tested();
  const cookie = await signIn();
  const other = { cookie: `theme=dark; ${cookie.cookie}`, host: `localhost:${PORT}` };
  expect(await ask(ROOT, cookie)).toMatchObject({ status: 200, body: expect.stringContaining("<bdi>ann</bdi>") });
  expect(await ask(`${ROOT}/a/main`, other)).toMatchObject({ status: 200 });
});

test("only the site's own addresses are below the session's root", async () => {
  const { ask, signIn } = tested();
  const cookie = await signIn();
  const { body } = await ask(`${ROOT}/a/main`, cookie);
  const addresses = [...body.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, address = ""]) => address);
  expect(addresses).toContain(`${ROOT}/sign-out`);
  expect(addresses.filter((address) => !(address.startsWith(`${ROOT}/`) || /^(?:#|data:)/.test(address)))).toEqual([]);
  const job = await ask(`${ROOT}/a/main/jobs`, cookie, "POST");
  expect(job).toMatchObject({ status: 303, headers: { location: `${ROOT}/a/main/jobs/job-1` } });
});

test("a body is read only from a signed-in user who names this machine", async () => {
  const { ask, signIn, sessions, ports } = tested();
  const unread = [await ask("/a/main/jobs", {}, "POST"), await ask(`/?key=${sessions.firstKey}`, {}, "POST")];
  const cookie = await signIn();
  unread.push(
    await ask(`${ROOT}/a/main/jobs`, {}, "POST"),
    await ask(`${ROOT}/a/main/jobs`, { cookie: `fillbook-${PORT}=wrong` }, "POST"),
    await ask("/a/main/jobs", cookie, "POST"),
    await ask(`${ROOT}/a/main/jobs`, { ...cookie, host: "evil.example" }, "POST"),
  );
  expect(unread.map(({ isRead, status }) => [isRead, status])).toEqual([
    ...Array.from({ length: 5 }, () => [false, 401]),
    [false, 421],
  ]);
  expect(await ask(`${ROOT}/a/main/jobs`, cookie, "POST")).toMatchObject({ isRead: true, status: 303 });
  expect(ports.started).toEqual([{ account: "main", kind: "sync" }]);
});

/** The site behind its server, signed in. */
async function served() {
  let local = tested();
  const server = await startServer(0, systemClock, (port) => {
    local = tested(port);
    return local.answer;
  });
  onTestFinished(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const signedIn = await fetch(`${origin}/?key=${local.sessions.firstKey}`);
  const cookie = signedIn.headers.getSetCookie().join().split(";")[0] ?? "";
  const ask = (path: string, given: RequestInit = {}, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${origin}${ROOT}${path}`, { redirect: "manual", ...given, headers: { cookie, ...headers } });
  return { ...local, ask };
}

test("an error while an answer is sent is reported, and cuts the answer off", async () => {
  const { ask, ports, problems } = await served();
  ports.store.put(`${FOLDER}/fills.csv`, Buffer.from("a,b\r\n1,3\r\n"));
  const file = `/a/main/p/us-2025/${VERSION}/file?path=fills.csv`;
  await expect(ask(file).then((response) => response.text())).rejects.toThrow();
  expect(problems).toMatchObject([{ message: expect.stringContaining("fills.csv is damaged") }]);
});

test("a form is read up to its limit, in chunks or with its length", async () => {
  const { ask, ports } = await served();
  const small = "kind=sync";
  const large = `${small}&x=${"x".repeat(65_536)}`;
  const post = async (body: string | ReadableStream) => {
    const given = { method: "POST", body, duplex: "half" } as const;
    return (await ask("/a/main/jobs", given, FORM_HEADERS)).status;
  };
  const chunked = (text: string) => ReadableStream.from([Buffer.from(text)]);
  expect([await post(small), await post(chunked(small))]).toEqual([303, 303]);
  expect([await post(large), await post(chunked(large))]).toEqual([413, 413]);
  expect(ports.started).toHaveLength(2);
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
    const { ask, signIn, sessions, refusals } = tested();
    expect(await ask(`/?key=${sessions.firstKey}`, { host })).toMatchObject({ status: 421, body: "" });
    const cookie = await signIn();
    expect(await ask(`${ROOT}/`, { ...cookie, host })).toMatchObject({ status: 421, body: "" });
    expect(refusals.map(({ why }) => why)).toEqual(["another host", "another host"]);
  });
});

describe("not signed in:", () => {
  test.each(["", `fillbook-${PORT}=id-1`, `fillbook-${PORT}=`, `fillbook-${PORT}`, "fillbook-4712=id-2", "id-2"])(
    "who has the cookie %j",
    async (cookie) => {
      const { ask, signIn } = tested();
      await signIn();
      expect(await ask(`${ROOT}/`, { cookie })).toMatchObject({ status: 401 });
    },
  );

  test.each(["/", "/a/main", "/id-2/", "/id-30/a", "//id-3/a", "/id-3a", `/x${ROOT}/`, "/ID-3/"])(
    "who has the cookie and asks for %s, which is not below the session's root",
    async (path) => {
      const { ask, signIn, refusals } = tested();
      expect(await ask(path, await signIn())).toMatchObject({ status: 401 });
      expect(refusals).toMatchObject([{ user: "nobody", path, why: "not signed in" }]);
    },
  );

  test("a user who has signed out, with the same cookie; the next key is a new one", async () => {
    const { ask, signIn, keys } = tested();
    const cookie = await signIn();
    const headers = { location: `${ROOT}/?signed-out` };
    const cookies = [`fillbook-${PORT}=; Max-Age=0; Path=${ROOT}`];
    expect(await ask(`${ROOT}/sign-out`, cookie, "POST")).toMatchObject({ status: 303, headers, cookies });
    const body = expect.stringContaining("<h1>You are signed out</h1>");
    expect(await ask(`${ROOT}/?signed-out`, cookie)).toMatchObject({ status: 200, body });
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    expect(keys.length).toBe(1);
    const next = await signIn(keys[0]);
    expect(await ask(`${ROOT}/`, next)).toMatchObject({ status: 401 });
    expect(await ask("/id-6/", next)).toMatchObject({ status: 200 });
  });

  test("a user whose twelve hours are over; there is a new key, and the old path is nobody's", async () => {
    const { ask, signIn, clock, keys } = tested();
    const cookie = await signIn();
    clock.now = SESSION_MS - 1;
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 200 });
    clock.now = SESSION_MS;
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    expect(keys).toEqual(["id-4"]);
  });
});

describe("a key", () => {
  test("that was used brings a new one, which ends the present session only when it is used", async () => {
    const { ask, signIn, sessions, keys } = tested();
    const cookie = await signIn();
    expect(await ask(`/?key=${sessions.firstKey}`)).toMatchObject({ status: 401 });
    expect(keys).toEqual(["id-4"]);
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 200 });
    const next = await signIn("id-4");
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    expect(await ask("/id-6/", next)).toMatchObject({ status: 200 });
    expect(await ask("/?key=id-4")).toMatchObject({ status: 401 });
  });

  test("is offered at most once a minute, and stays the same until it is used", async () => {
    const { ask, signIn, sessions, clock, keys } = tested();
    await signIn(sessions.firstKey);
    const offered: number[] = [];
    for (const ms of [0, 59_999, 60_000, 119_999, 120_000]) {
      clock.now = ms;
      await ask("/?key=wrong");
      offered.push(keys.length);
    }
    expect([offered, new Set(keys).size]).toEqual([[1, 1, 2, 2, 3], 1]);
  });
});
