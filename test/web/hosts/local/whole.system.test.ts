import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { type Dispatcher, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCli } from "../../../cli/child.ts";
import { SAMPLE_TOKEN } from "../../../emulator/core.ts";
import { makeHistory } from "../../../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../../../emulator/server.ts";
import { startServe } from "./served.ts";

/** The page at home as a person uses it: the program in its own process, a service, a folder, and a client with a cookie. */
let folder = "";
let service: RunningEmulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-serve-"));
  const history = makeHistory({ seed: 5, fills: 1500, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) });
  service = await startEmulator({ history });
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

function environment(): Record<string, string> {
  return {
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_STORE: join(folder, "store"),
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
  };
}

/** A browser, as far as there are cookies and forms. */
function visitorOf(origin: string) {
  const cookies = new Map<string, string>();
  async function send(
    path: string,
    options: { method?: Dispatcher.HttpMethod; body?: string; headers?: Record<string, string> } = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await request(origin + path, { ...options, headers: { cookie, ...options.headers } });
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(answer.headers["set-cookie"] ?? "")) ?? [];
    if (name !== undefined && value !== undefined) {
      cookies.set(name, value);
    }
    const body = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, headers: answer.headers, body, text: body.toString() };
  }
  return {
    get: (path: string) => send(path),
    async post(path: string, page: string, fields: Readonly<Record<string, string>>) {
      const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
      const headers = {
        "content-type": "application/x-www-form-urlencoded",
        origin: "null",
        "sec-fetch-site": "same-origin",
      };
      return await send(path, { method: "POST", body: String(new URLSearchParams({ ...fields, csrf })), headers });
    },
  };
}

/** The page of a job that asks to be looked at again no more. */
async function ended(get: ReturnType<typeof visitorOf>["get"], job: string) {
  let page = await get(job);
  for (let polls = 0; page.text.includes('http-equiv="refresh"') && polls < 20_000; polls += 1) {
    page = await get(job);
  }
  return page;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Path to hash. */
function sumsOf(text: string): Map<string, string> {
  return new Map(
    text
      .trim()
      .split("\n")
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
}

test("sign in, make us-2025, watch it, read the report, take a file and the ZIP, sign out", async () => {
  const served = await startServe(environment());
  const { origin, search } = new URL(served.url);
  const { get, post } = visitorOf(origin);

  expect((await get("/")).status).toBe(401);
  expect((await get(`/${search}`)).status).toBe(200);
  expect((await visitorOf(origin).get(`/${search}`)).status).toBe(401); // it works once
  expect((await get("/")).text).toContain('href="/a/main"');
  const overview = await get("/a/main");
  expect(overview.text).toContain("Nothing was read yet");

  const refused = await post("/a/main/jobs", overview.text, { kind: "export", period: "us-20255" });
  expect([refused.status, refused.text.includes("not a period")]).toEqual([400, true]);
  const begun = await post("/a/main/jobs", overview.text, { kind: "export", period: "us-2025" });
  const job = String(begun.headers["location"]);
  expect([begun.status, job]).toEqual([303, expect.stringMatching(/^\/a\/main\/jobs\/[^/]+$/)]);
  const page = await ended(get, job);
  const pack = /href="(\/a\/main\/p\/us-2025\/[0-9a-f]{16})"/.exec(page.text)?.[1] ?? "";
  expect(pack, page.text).not.toBe("");

  expect((await get("/a/main")).text).toContain(pack);
  const details = await get(pack);
  expect(details.text).toContain("Complete.");
  const report = await get(`${pack}/report`);
  expect(report.headers["content-security-policy"]).toMatch(/^sandbox; /);
  expect(report.text).toContain("Statement of main");

  const sums = sumsOf((await get(`${pack}/file?path=SHA256SUMS`)).text);
  expect(sums.size).toBeGreaterThan(15);
  const fills = await get(`${pack}/file?path=fills.csv`);
  expect([sha256Of(fills.body), fills.headers["content-length"]]).toEqual([
    sums.get("fills.csv"),
    String(fills.body.length),
  ]);
  expect(sha256Of(report.body)).toBe(sums.get("report.html"));
  const unzipped = Object.entries(unzipSync((await get(`${pack}/zip`)).body)).map(
    ([path, bytes]): [string, Uint8Array] => [path.replace(/^main-us-2025-[0-9a-f]{16}\//, ""), bytes],
  );
  const hashes = new Map(unzipped.map(([path, bytes]) => [path, sha256Of(bytes)]));
  expect(new Map([...hashes].filter(([path]) => path !== "SHA256SUMS"))).toEqual(sums);
  const history = (await get("/a/main/history")).text;
  expect([...history.matchAll(/fills\.csv|SHA256SUMS|all of it, as ZIP/g)].length).toBe(3);

  expect((await post("/sign-out", details.text, {})).status).toBe(303);
  expect((await get(pack)).status).toBe(401);
  const { code, stdout, stderr } = await served.end();
  expect([code, stdout.trim().split("\n").length]).toEqual([0, 1]);
  expect(stderr).toMatch(/export of main done: The pack is made\./);
  expect(stderr).toMatch(/refused nobody: GET \/: 401, not the key, or used already/);
  expect(stderr).toMatch(/this one works, once, and signs out who is signed in now: http:\/\/127\.0\.0\.1:\d+\/\?key=/);
  expect(stdout + stderr).not.toContain(SAMPLE_TOKEN);
  expect(await readFile(join(folder, "store/main/head.json"), "utf8")).not.toContain(SAMPLE_TOKEN);
});

test("ended in the middle of a job, it keeps what was read, and the same goes on the next time", async () => {
  await rm(join(folder, "store"), { recursive: true, force: true });
  const first = await startServe(environment());
  const visitor = visitorOf(new URL(first.url).origin);
  await visitor.get(`/${new URL(first.url).search}`);
  const page = await visitor.get("/a/main");
  const before = service.emulator.log.requests;
  await visitor.post("/a/main/jobs", page.text, { kind: "sync" });
  while (service.emulator.log.requests < before + 3) {
    await visitor.get("/a/main");
  }
  const { code, stderr } = await first.end();
  expect(code).toBe(0);
  expect(stderr).toMatch(/sync of main (?:failed|done): /);
  const synced = await startCli(["sync", "--json", "--quiet"], environment()).ended;
  expect(JSON.parse(synced.stdout)).toMatchObject({ complete: true, fills: 1500 });
});

test("of an account whose token this is not, nothing is asked of the service", async () => {
  await rm(join(folder, "store"), { recursive: true, force: true });
  const range = ["--from", "2025-03-01", "--to", "2025-03-02"];
  await startCli(["sync", "--account", "other", ...range, "--quiet"], environment()).ended;
  const served = await startServe(environment());
  const { get, post } = visitorOf(new URL(served.url).origin);
  await get(`/${new URL(served.url).search}`);
  const before = service.emulator.log.requests;
  const page = await get("/a/other");
  const asked: readonly Readonly<Record<string, string>>[] = [{ kind: "sync" }, { kind: "export", period: "us-2025" }];
  for (const fields of asked) {
    const begun = await post("/a/other/jobs", page.text, fields);
    const shown = await ended(get, String(begun.headers["location"]));
    expect(shown.text).toContain("the service can be asked for the account main alone, whose token this is");
  }
  expect(service.emulator.log.requests).toBe(before);
  expect((await served.end()).code).toBe(0);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["is missing", { FILLBOOK_TOKEN: "" }, "there is no token"],
  ["is refused", { FILLBOOK_TOKEN: "another" }, "the service refused the token"],
])(
  "a token that %s: the page says to start the program again, as nothing else brings another",
  async (_, more, says) => {
    await rm(join(folder, "store"), { recursive: true, force: true });
    const served = await startServe({ ...environment(), ...more });
    const { get, post } = visitorOf(new URL(served.url).origin);
    await get(`/${new URL(served.url).search}`);
    const page = await get("/a/main");
    const begun = await post("/a/main/jobs", page.text, { kind: "sync" });
    const shown = await ended(get, String(begun.headers["location"]));
    expect(shown.text).toContain(says);
    expect(shown.text).toContain("stop fillbook serve in its terminal (ctrl-c), and start it again with");
    expect((await served.end()).code).toBe(0);
  },
);
