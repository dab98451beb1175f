import { createHost } from "../../../../lambda/web/hosts/local/local-host.ts";
import { createSessions } from "../../../../lambda/web/hosts/local/sessions.ts";
import { createSite } from "../../../../lambda/web/site.ts";
import { seededRandom } from "../../../support/prng.ts";
import { type FakePorts, fakePorts, OPERATOR } from "../../../web/site/fake-site.ts";
import { type Attack, equal, type Group } from "../attack.ts";

const PORT = 4711;
const FORM = "application/x-www-form-urlencoded";

interface Served {
  readonly ask: (target: string, headers: Readonly<Record<string, string>>, method?: string) => Promise<number>;
  readonly ports: FakePorts;
  readonly cookie: string;
  readonly root: string;
  readonly key: string;
  readonly readBodies: () => number;
}

/** The local page with its site and a signed-in person. */
async function served(): Promise<Served> {
  const ports = fakePorts();
  const random = seededRandom(9);
  const sessions = createSessions({ random, now: () => 0, offered: () => undefined });
  let bodies = 0;
  const host = createHost({
    sessions,
    port: PORT,
    user: OPERATOR,
    mostFileBytes: 1000,
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
  name: "Foreign Host headers (DNS rebinding)",
  must: "421; no body is read",
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

/** Intruders who have a part of a session, but not all of it. */
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
  must: "401; no body is read, nothing is started",
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
