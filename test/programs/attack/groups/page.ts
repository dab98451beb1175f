import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { createHost } from "../../../../lambda/web/hosts/local/local-host.ts";
import { startServer } from "../../../../lambda/web/hosts/local/node-http.ts";
import { createSessions } from "../../../../lambda/web/hosts/local/sessions.ts";
import { createSite } from "../../../../lambda/web/site.ts";
import { seededRandom } from "../../../support/prng.ts";
import { packByHand } from "../../../web/data/hand-written.ts";
import {
  CSRF,
  type FakePorts,
  FILES,
  fakePorts,
  OLDER,
  OPERATOR,
  testedSite,
  VERSION,
} from "../../../web/site/fake-site.ts";
import { type Attack, equal, type Group, law } from "../attack.ts";

const PORT = 4711;
const PACK = `/a/main/p/us-2025/${VERSION}`;
const FORM = "application/x-www-form-urlencoded";

const PATHS: readonly string[] = [
  "../fills.csv",
  "../../../other/packs/us-2025/latest.json",
  "..%2ffills.csv",
  "%2e%2e/fills.csv",
  "%252e%252e/fills.csv",
  "/etc/passwd",
  "./fills.csv",
  "fills.csv%00",
  "fills.csv/",
  "FILLS.CSV",
  "latest.json",
  "..\\fills.csv",
  "%c0%ae%c0%ae/fills.csv",
  "",
  "__proto__",
  "x".repeat(10_000),
];

/** Of a pack whose SHA256SUMS another has written. */
const LISTED: readonly string[] = [
  "../../../../x",
  "/etc/passwd",
  "a/../../b",
  "C:\\x",
  "con\0",
  "a\nb",
  "\u202Eexe.csv",
];

export const PAGE_PATHS: Group = {
  name: "Paths of the page, its files and ZIPs",
  must: "404 or a page that says what is wrong, the same as for what is not there; no byte of another file, and no entry that leaves its folder",
  attacks: () =>
    Promise.resolve([
      ...PATHS.map((path) => ({ name: `file ${JSON.stringify(path.slice(0, 50))}`, run: () => fileTried(path) })),
      ...["main/../other", "main%2f..%2fother", "main%00", "other", "__proto__", "%zz", "MAIN", "main;x"].map(
        (account) => ({
          name: `account ${account}`,
          run: () => absent(`/a/${account}`),
        }),
      ),
      ...["us-2025/../x", "..", "__proto__", "us-2025%00", "x".repeat(5000)].map((period) => ({
        name: `period ${period.slice(0, 40)}`,
        run: () => absent(`/a/main/p/${period}/${VERSION}`),
      })),
      ...LISTED.map((path) => ({ name: `a pack that lists ${JSON.stringify(path)}`, run: () => listedTried(path) })),
    ]),
};

async function fileTried(path: string): Promise<string> {
  const ports = fakePorts();
  const { ask } = testedSite(ports);
  const answer = await ask(`${PACK}/file?path=${path}`);
  equal(answer.status, 404, "the status");
  equal(ports.records(), [], "downloads");
  law(!Object.values(FILES).some((content) => answer.body.includes(content)), "a file's content is in the answer");
  return `${answer.status}`;
}

async function absent(target: string): Promise<string> {
  const { ask } = testedSite(fakePorts());
  const answer = await ask(target);
  equal(answer, await ask("/nothing"), "the answer");
  equal(answer.status, 404, "the status");
  return "404";
}

async function listedTried(path: string): Promise<string> {
  const ports = fakePorts();
  const sums = packByHand({ account: "main", period: "us-2025", version: OLDER, files: { ...FILES, [path]: "mine" } });
  for (const [key, body] of sums.filter(([one]) => one.endsWith("SHA256SUMS"))) {
    ports.store.put(key, body);
  }
  const site = testedSite(ports);
  const answers = [
    await site.ask(`/a/main/p/us-2025/${OLDER}`),
    await site.ask(`/a/main/p/us-2025/${OLDER}/file?path=${encodeURIComponent(path)}`),
  ];
  law(
    answers.every(({ status }) => status < 600 && status !== 200) || !answers[1]?.body.includes("mine"),
    "it is given out",
  );
  const zip = await site.bytes(`/a/main/p/us-2025/${OLDER}/zip`).catch(() => Buffer.from(""));
  law(!/\.\.\/|\/etc\/passwd|C:\\/.test(zip.toString("latin1")), "the ZIP has an entry that leaves its folder");
  return answers.map(({ status }) => status).join(", ");
}

/** Everything but the session's own form, sent by the page itself. */
const POSTS: Readonly<Record<string, readonly [headers: Readonly<Record<string, string>>, csrf: string]>> = {
  "another site": [{ origin: "https://evil.example", "sec-fetch-site": "cross-site" }, CSRF],
  "another port": [{ origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" }, CSRF],
  "an address that was typed": [{ origin: "null", "sec-fetch-site": "none" }, CSRF],
  "another origin": [{ origin: "http://127.0.0.1:9999" }, CSRF],
  "this origin over TLS": [{ origin: "https://127.0.0.1:4711" }, CSRF],
  "no origin and no site": [{ origin: "", "sec-fetch-site": "" }, CSRF],
  "no token": [{}, ""],
  "another token": [{}, "another"],
  "half of the token": [{}, CSRF.slice(0, -1)],
  "another token before it": [{}, `${CSRF}x&csrf=${CSRF}`],
  "the token in other letters": [{}, CSRF.toUpperCase()],
  JSON: [{ "content-type": "application/json" }, CSRF],
  "plain text": [{ "content-type": "text/plain" }, CSRF],
  "a form of another kind": [{ "content-type": "multipart/form-data; boundary=x" }, CSRF],
  "no kind": [{ "content-type": "" }, CSRF],
};

export const CSRF_GROUP: Group = {
  name: "Forms that another site sends (CSRF)",
  must: "403; no job is started, nobody is signed out",
  attacks: () =>
    Promise.resolve(
      ["/a/main/jobs", "/sign-out"].flatMap((target) =>
        Object.entries(POSTS).map(([name, [headers, csrf]]) => ({
          name: `${target}: ${name}`,
          run: () => posted(target, headers, csrf),
        })),
      ),
    ),
};

async function posted(target: string, headers: Readonly<Record<string, string>>, csrf: string): Promise<string> {
  const ports = fakePorts();
  const { ask } = testedSite(ports);
  const own = { "content-type": FORM, origin: "null", "sec-fetch-site": "same-origin" };
  const body = `csrf=${csrf}&kind=sync`;
  const answer = await ask(target, { method: "POST", headers: { ...own, ...headers }, body, user: OPERATOR });
  equal(answer.status, 403, "the status");
  equal(ports.started, [], "jobs");
  return "403";
}

interface Served {
  readonly ask: (target: string, headers: Readonly<Record<string, string>>, method?: string) => Promise<number>;
  readonly ports: FakePorts;
  readonly cookie: string;
  readonly root: string;
  readonly key: string;
  readonly readBodies: () => number;
}

/** The local page over its site, and who is signed in. */
async function served(): Promise<Served> {
  const ports = fakePorts();
  const random = seededRandom(9);
  const sessions = createSessions({ random, now: () => 0, offered: () => undefined });
  let bodies = 0;
  const host = createHost({
    sessions,
    port: PORT,
    user: OPERATOR,
    refused: () => undefined,
    report: () => undefined,
    site: createSite({ ports, methods: ["fifo"], signInPage: "", refused: () => undefined, report: () => undefined }),
  });
  const whole = async (target: string, headers: Readonly<Record<string, string>>, method = "GET") => {
    const [path = "", query = ""] = target.split("?");
    return await host({
      method,
      path,
      query: new URLSearchParams(query),
      headers,
      readBody() {
        bodies += 1;
        return Promise.resolve(Buffer.from("kind=sync"));
      },
    });
  };
  const key = sessions.firstKey;
  const signedIn = await whole(`/?key=${key}`, { host: `127.0.0.1:${PORT}` });
  const cookie = signedIn.cookies?.[0] ?? "";
  const root = /Path=([^;]+)/.exec(cookie)?.[1] ?? "";
  const ask = async (target: string, headers: Readonly<Record<string, string>>, method?: string) =>
    (await whole(target, headers, method)).status;
  return { ask, ports, cookie: cookie.split(";")[0] ?? "", root, key, readBodies: () => bodies };
}

const HOSTS: readonly string[] = [
  "",
  "evil.example",
  `evil.example:${PORT}`,
  `127.0.0.1:${PORT + 1}`,
  "127.0.0.1",
  `0.0.0.0:${PORT}`,
  `[::1]:${PORT}`,
  `evil.localhost:${PORT}`,
  `localhost.evil.example:${PORT}`,
  `LOCALHOST:${PORT}`,
  `127.0.0.1:${PORT}.evil.example`,
  `127.0.0.1:${PORT}, evil.example`,
  `evil.example@127.0.0.1:${PORT}`,
  `127.1:${PORT}`,
  `2130706433:${PORT}`,
  `127.0.0.1:0${PORT}`,
  `localhost.:${PORT}`,
];

export const HOSTS_GROUP: Group = {
  name: "Host headers, and names that were bound again (DNS rebinding)",
  must: "421 with cookie and path of the session; no body is read",
  attacks: () =>
    Promise.resolve(
      HOSTS.flatMap((host) =>
        ["GET", "POST"].map((method) => ({
          name: `${method} ${JSON.stringify(host)}`,
          async run() {
            const { ask, cookie, root, readBodies } = await served();
            equal(await ask(`${root}/`, { host, cookie }, method), 421, "the status");
            equal(readBodies(), 0, "bodies read");
            return "421";
          },
        })),
      ),
    ),
};

type Intruder = (session: Served) => readonly [target: string, headers: Readonly<Record<string, string>>];

/** Who has something of the session, and not all of it. */
const INTRUDERS: Readonly<Record<string, Intruder>> = {
  "the path alone": ({ root }) => [`${root}/a/main`, {}],
  "the cookie alone": ({ cookie }) => ["/a/main", { cookie }],
  "the cookie, and another's path": ({ cookie }) => ["/0123456789abcdef/a/main", { cookie }],
  "the cookie, and a path that begins alike": ({ cookie, root }) => [`${root}x/a/main`, { cookie }],
  "the cookie, and a path with two slashes": ({ cookie, root }) => [`/${root}/a/main`, { cookie }],
  "the cookie, and the path in the middle": ({ cookie, root }) => [`/x${root}/a/main`, { cookie }],
  "the path, and a server's cookie on another port": ({ cookie, root }) => [
    `${root}/a/main`,
    { cookie: cookie.replace(String(PORT), String(PORT + 1)) },
  ],
  "the path, and a cookie with another value": ({ cookie, root }) => [`${root}/a/main`, { cookie: `${cookie}x` }],
  "the path, and a cookie without value": ({ cookie, root }) => [
    `${root}/a/main`,
    { cookie: cookie.replace(/[=].*/, "=") },
  ],
  "the path, and the cookie under another name": ({ cookie, root }) => [
    `${root}/a/main`,
    { cookie: cookie.replace(/^[^=]+/, "fillbook") },
  ],
  "the path, and the value as a bearer token": ({ cookie, root }) => [
    `${root}/a/main`,
    { authorization: `Bearer ${cookie.replace(/^[^=]+=/, "")}` },
  ],
  "a key that was used": ({ key }) => [`/?key=${key}`, {}],
  "a key that was guessed": () => ["/?key=0123456789abcdef", {}],
  "a key of nothing": () => ["/?key=", {}],
};

export const SESSIONS: Group = {
  name: "Stolen paths, cookies of other ports, used keys",
  must: "401 for every method; no body is read, no job is started",
  attacks: () =>
    Promise.resolve(
      Object.entries(INTRUDERS).flatMap(([name, intruder]) =>
        ["GET", "POST"].map(
          (method): Attack => ({ name: `${method} with ${name}`, run: () => intruded(intruder, method) }),
        ),
      ),
    ),
};

async function intruded(intruder: Intruder, method: string): Promise<string> {
  const session = await served();
  const [target, headers] = intruder(session);
  const own = { host: `127.0.0.1:${PORT}`, "content-type": FORM, "sec-fetch-site": "same-origin", origin: "null" };
  const status = await session.ask(target, { ...own, ...headers }, method);
  equal(status, 401, "the status");
  equal([session.readBodies(), session.ports.started.length], [0, 0], "bodies read, and jobs");
  return String(status);
}

const HEAD = "Host: h\r\nConnection: close\r\n";

/** As they are written on the socket; a large body is many of the last piece. */
const REQUESTS: Readonly<Record<string, readonly [pieces: readonly string[], statuses: readonly number[]]>> = {
  "a header of 20 kB": [[`GET / HTTP/1.1\r\n${HEAD}X: ${"x".repeat(20_000)}\r\n\r\n`], [431]],
  "an address of 20 kB": [[`GET /${"x".repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`], [431]],
  "five thousand headers": [[`GET / HTTP/1.1\r\n${HEAD}${"X: y\r\n".repeat(5000)}\r\n`], [431]],
  "no HTTP": [["\u0016\u0003\u0001\r\n\r\n"], [400]],
  "a header with a line break in it": [[`GET / HTTP/1.1\r\n${HEAD}X: a\rb\r\n\r\n`], [400]],
  "two lengths": [[`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`], [400]],
  "a length and chunks": [
    [`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx`],
    [400],
  ],
  "a length that is no number": [[`POST / HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\nx`], [400]],
  "an expectation": [[`GET / HTTP/1.1\r\n${HEAD}Expect: the-best\r\n\r\n`], [417]],
  "a body of 1 MB": [[`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n`, "x".repeat(131_072)], [413]],
  "a body of chunks without an end": [
    [`POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n20000\r\n`, "x".repeat(131_072)],
    [413],
  ],
};

/** The page takes no more of a body. */
const MOST_BODY = 65_537;

export const BODIES_GROUP: Group = {
  name: "Oversized and malformed requests to the page",
  must: "refused with 400, 413, 417 or 431 and the page's safe headers; at most 64 kB of a body is taken",
  attacks: () =>
    Promise.resolve(
      Object.entries(REQUESTS).map(([name, [pieces, statuses]]) => ({ name, run: () => requested(pieces, statuses) })),
    ),
};

async function requested(pieces: readonly string[], statuses: readonly number[]): Promise<string> {
  const lengths: number[] = [];
  const server = await startServer(0, systemClock, { graceMs: 50 });
  server.answerWith(async ({ readBody }) => {
    const body = await readBody();
    lengths.push(body.length);
    return { status: body.length >= MOST_BODY ? 413 : 200, headers: {}, body: "" };
  });
  try {
    const socket = connect(server.port, "127.0.0.1");
    for (const piece of pieces) {
      socket.write(piece);
    }
    const answer = await text(socket);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
    law(statuses.includes(status), `it was answered ${status}`);
    law(
      lengths.every((length) => length <= MOST_BODY),
      `it took ${lengths} bytes`,
    );
    return String(status);
  } finally {
    await server.close();
  }
}
