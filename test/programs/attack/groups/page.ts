import { packByHand } from "../../../web/data/hand-written.ts";
import { CSRF, FILES, fakePorts, OLDER, OPERATOR, testedSite, VERSION } from "../../../web/site/fake-site.ts";
import { equal, type Group, law } from "../attack.ts";

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

/** Names in the SHA256SUMS of a pack that somebody else wrote. */
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
  must: "404 without a byte of another file; no ZIP entry leaves its folder",
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
  law(!Object.values(FILES).some((content) => answer.body.includes(content)), "the answer contains a file's content");
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
    "the page served the file",
  );
  const zip = await site.bytes(`/a/main/p/us-2025/${OLDER}/zip`).catch(() => Buffer.from(""));
  law(!/\.\.\/|\/etc\/passwd|C:\\/.test(zip.toString("latin1")), "the ZIP has an entry that leaves its folder");
  return answers.map(({ status }) => status).join(", ");
}

/** Every way to post except the session's own form, sent by the page itself. */
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
  name: "Forms sent by another site (CSRF)",
  must: "403; nothing is started",
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
