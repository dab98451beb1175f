import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { createLocalSite, SESSION_MS } from "../../../../lambda/web/hosts/local/local-host.ts";
import { startServer } from "../../../../lambda/web/hosts/local/server.ts";
import type { Refusal } from "../../../../lambda/web/page-context.ts";
import type { User } from "../../../../lambda/web/ports.ts";
import { countedIds } from "../../../support/prng.ts";
import { FOLDER, FORM_HEADERS, fakePorts, VERSION } from "../../site/fake-site.ts";

const USER: User = { name: "ann", roleIn: () => "operator" };
const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;

const KEY = "key-1";
/** The root of the first session. */
const ROOT = "/id-2";

/** The site on this machine, with two accounts in memory. */
function tested(port = PORT) {
  const refusals: Refusal[] = [];
  const keys: string[] = [];
  const problems: unknown[] = [];
  const clock = { now: 0 };
  const ports = { ...fakePorts(), now: () => clock.now };
  const answer = createLocalSite({
    ...{ ports, port, user: USER, random: { id: countedIds() } },
    firstKey: KEY,
    offered: (key) => keys.push(key),
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
  const signIn = async (key = KEY) => {
    const { cookies } = await ask(`/?key=${key}`);
    return { cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") };
  };
  return { answer, ask, signIn, clock, refusals, ports, problems, keys };
}

test("the key gives a cookie that scripts, other sites and other ports do not get, and redirects to an address without the key", async () => {
  const { ask } = tested();
  const { status, headers, cookies, body } = await ask(`/?key=${KEY}`);
  expect(status).toBe(200);
  expect(cookies).toEqual([`fillbook-${PORT}=id-1; Max-Age=43200; Path=${ROOT}; HttpOnly; SameSite=Strict`]);
  expect(headers).toMatchObject({ refresh: `0; url=${ROOT}/`, "referrer-policy": "no-referrer" });
  expect(body).not.toContain(KEY);
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

/** Wrong in one thing each. */
const HOSTS = [
  "",
  `evil.example:${PORT}`,
  `127.0.0.1:${PORT + 1}`,
  "127.0.0.1",
  `0.0.0.0:${PORT}`,
  `LOCALHOST:${PORT}`,
];
const COOKIES = ["", `fillbook-${PORT}=id-2`, `fillbook-${PORT}=`, "fillbook-4712=id-1", "id-1"];
const PATHS = ["/", "/a/main", "/id-1/", "/id-20/a", "//id-2/a", "/id-2a", `/x${ROOT}/`, "/ID-2/"];

type Refused = [path: string, headers: Readonly<Record<string, string>>, status: number, why: string];
const REFUSED: readonly Refused[] = [
  ["/?key=wrong", { cookie: "" }, 401, "a wrong key"],
  ...HOSTS.map((host): Refused => [`${ROOT}/`, { host }, 421, "another host"]),
  ...HOSTS.map((host): Refused => [`/?key=${KEY}`, { host }, 421, "another host"]),
  ...COOKIES.map((cookie): Refused => [`${ROOT}/`, { cookie }, 401, "not signed in"]),
  ...PATHS.map((path): Refused => [path, {}, 401, "not signed in"]),
];

test.each(REFUSED)(
  "refused, its body unread, and logged without the key: %s, %j",
  async (path, headers, status, why) => {
    const { ask, signIn, refusals, ports } = tested();
    const asked = { ...(await signIn()), ...headers };
    expect(await ask(path, asked)).toMatchObject({ status, cookies: [] });
    expect(refusals).toMatchObject([{ user: "nobody", method: "GET", status, why }]);
    expect(JSON.stringify(refusals)).not.toContain("key=");
    expect(await ask(path, asked, "POST")).toMatchObject({ status, isRead: false });
    expect(ports.started).toEqual([]);
  },
);

test("a body is read from a signed-in user", async () => {
  const { ask, signIn, ports } = tested();
  const cookie = await signIn();
  expect(await ask(`/?key=${KEY}`, {}, "POST")).toMatchObject({ isRead: false, status: 401 });
  expect(await ask(`${ROOT}/a/main/jobs`, cookie, "POST")).toMatchObject({ isRead: true, status: 303 });
  expect(ports.started).toEqual([{ account: "main", kind: "sync" }]);
});

test("an error while an answer is sent is reported, and cuts the answer off", async () => {
  let local = tested();
  const server = await startServer(0, systemClock, (port) => {
    local = tested(port);
    return local.answer;
  });
  onTestFinished(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const signedIn = await fetch(`${origin}/?key=${KEY}`);
  const cookie = signedIn.headers.getSetCookie().join().split(";")[0] ?? "";
  local.ports.store.put(`${FOLDER}/fills.csv`, Buffer.from("a,b\r\n1,3\r\n"));
  const file = `${origin}${ROOT}/a/main/p/us-2025/${VERSION}/file?path=fills.csv`;
  await expect(fetch(file, { headers: { cookie } }).then((response) => response.text())).rejects.toThrow();
  expect(local.problems).toMatchObject([{ message: expect.stringContaining("fills.csv is damaged") }]);
});

describe("not signed in:", () => {
  test("a user who has signed out, with the same cookie or key; the next key is a new one", async () => {
    const { ask, signIn, keys } = tested();
    const cookie = await signIn();
    const cookies = [`fillbook-${PORT}=; Max-Age=0; Path=${ROOT}`];
    const out = await ask(`${ROOT}/sign-out`, cookie, "POST");
    expect(out).toMatchObject({ status: 303, headers: { location: "/" }, cookies });
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    const body = expect.stringContaining("<h1>You are signed out</h1>");
    expect(await ask(`/?key=${KEY}`)).toMatchObject({ status: 401, body });
    const [key = ""] = keys;
    expect(await ask("/id-5/", await signIn(key))).toMatchObject({ status: 200 });
  });

  test("a user whose twelve hours are over, or who signed in elsewhere since; the key still signs in", async () => {
    const { ask, signIn, clock } = tested();
    const cookie = await signIn();
    clock.now = SESSION_MS - 1;
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 200 });
    clock.now = SESSION_MS;
    expect(await ask(`${ROOT}/`, cookie)).toMatchObject({ status: 401 });
    const next = await signIn();
    expect(await ask("/id-4/", next)).toMatchObject({ status: 200 });
    await signIn();
    expect(await ask("/id-4/", next)).toMatchObject({ status: 401 });
  });
});
