import { describe, expect, test } from "vitest";
import { isoTime } from "../../../lambda/core/time.ts";
import { SCRIPT_ASSET } from "../../../lambda/web/views/assets.ts";
import { SCRIPT } from "../../../lambda/web/views/script.ts";
import { STYLE } from "../../../lambda/web/views/style.ts";
import { FILES, fakePorts, NOW, OPERATOR, openSite, sha256Of, testedSite, VERSION } from "./fake-site.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;

describe("the requested page", () => {
  const { ask } = openSite();

  test.each<[string, string]>([
    ["/", 'href="/a/main"'],
    ["/a/main", VERSION],
    ["/a/main/make", "US tax year 2025"],
    ["/a/main/history", "Nothing was downloaded yet"],
    [PACK, sha256Of(FILES["fills.csv"] ?? "")],
    ["/a/%6dain", VERSION],
  ])("%s", async (target, shows) => {
    const headers = { "content-type": "text/html; charset=UTF-8" };
    expect(await ask(target)).toMatchObject({ status: 200, headers, body: expect.stringContaining(shows) });
  });

  test.each([
    ["style", "css", "text/css; charset=utf-8", STYLE],
    ["page", "js", "text/javascript; charset=utf-8", SCRIPT],
  ])(
    "the %s, signed in or not, has a name made from its content, and is cached forever",
    async (name, ending, type, text) => {
      const target = `/static/${name}.${sha256Of(text).slice(0, 16)}.${ending}`;
      const kept = "public, max-age=31536000, immutable";
      const expected = { status: 200, headers: { "content-type": type, "cache-control": kept }, body: text };
      expect(await ask(target)).toMatchObject(expected);
      expect(await ask(target, { user: null })).toMatchObject(expected);
    },
  );
});

describe("jobs", () => {
  const days = { from: "2025-03-01", to: "2025-03-02", zone: "Europe/London", method: "fifo" };
  const year = { period: "us-2025", method: "fifo" };
  const other = { ...year, basis: "transaction", currency: "EUR" };
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ["no empty field", { period: "us-2025", zone: " ", from: "", to: "" }, { period: "us-2025" }],
    ["a tax year as it is called now", { period: "uk-2025" }, { period: "uk-2024-25" }],
    ["days", days, days],
    ["every setting", other, other],
    ["no default basis", { ...year, basis: "fill", currency: " " }, year],
    ["the last day too", { from: "2025-02-01", last: "2025-02-28" }, { from: "2025-02-01", to: "2025-03-01" }],
  ])("its request states %s", async (_, fields, asked) => {
    const { ports, ask, post } = openSite();
    const location = "/a/main/jobs/job-1";
    const answer = await post("/a/main/jobs", { kind: "export", ...fields });
    expect(answer).toMatchObject({ status: 303, headers: { location }, body: "" });
    expect(ports.started).toEqual([{ account: "main", kind: "export", ...asked }]);
    expect((await ask(location)).body).toMatch(/http-equiv="refresh"[\s\S]*Begun\./);
  });

  test("a period that ends now is over; one that ends a moment later is not", async () => {
    const { ports, post } = openSite();
    const ending = (to: number) => post("/a/main/jobs", { kind: "export", from: "2026-01-01", to: isoTime(to) });
    expect(await ending(NOW)).toMatchObject({ status: 303 });
    const early = await ending(NOW + 1);
    expect(early.status).toBe(400);
    expect(early.body).toContain("This period ends on 2026-02-01 (UTC); a pack can be made after that");
    expect(ports.started).toHaveLength(1);
  });

  const US = { period: "us-2025" };
  test.each<[Readonly<Record<string, string>>, string]>([
    [{ kind: "" }, "No action was given"],
    [{}, "No period was given"],
    [{ from: "2025-01-01" }, "No period was given"],
    [{ ...US, from: "2025-01-01" }, "A period name and dates were both given"],
    [{ period: "<script>" }, "Not a period: &quot;&lt;script&gt;&quot;"],
    [{ ...US, zone: "Mars/Olympus" }, "Not a time zone: &quot;Mars/Olympus&quot;"],
    [{ from: "2025-03-01", to: "2025-03-01" }, "The period is empty"],
    [{ ...US, method: "magic" }, "There is no method &quot;magic&quot;"],
    [{ ...US, basis: "order" }, "There is no basis &quot;order&quot;"],
    [{ ...US, currency: "EUROPE" }, "&quot;EUROPE&quot; is not a currency code"],
    [{ period: "uk-2026" }, "This period ends on 2026-04-05 (Europe/London)"],
    [{ ...US, method: "specific" }, "Specific identification needs matches.csv"],
  ])("%j: nothing is started, and the page tells why", async (fields, says) => {
    const { ports, post, refusals } = openSite();
    const answer = await post("/a/main/jobs", { kind: "export", ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain(says);
    expect(answer.body).not.toContain("--to");
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ user: "ann", method: "POST", path: "/a/main/jobs", status: 400 }]);
  });

  test.each<Readonly<Record<string, string>>>([
    { period: "uk-2024-25", zone: "x" },
    { from: "2025-06-01", last: "2025-06-30", method: "fifo", zone: "Europa/London" },
    // What a pack is made again with, though the form does not offer it by itself.
    { period: "us-2014", method: "specific", basis: "transaction" },
  ])("what was asked for stays in the form: %j", async (fields) => {
    const { ask, post } = openSite();
    const { status, body } = await post("/a/main/jobs", { kind: "export", ...fields });
    expect(status).toBe(400);
    for (const [name, value] of Object.entries(fields)) {
      expect(body).toContain(`value="${value}"${/period|method|basis/.test(name) ? " selected" : ""}`);
    }
    expect((await ask("/a/main/make")).body).not.toMatch(/us-2014|"basis"/);
  });

  test("users who may start a running job can stop it; jobs of other accounts and guessed ids are not stopped", async () => {
    const { ports, post, refusals } = openSite();
    await post("/a/main/jobs", { kind: "export", period: "us-2025" });
    await post("/a/main/jobs", { kind: "sync" }, { user: OPERATOR });
    expect(await post("/a/main/jobs/job-1/stop", {})).toMatchObject({
      status: 303,
      headers: { location: "/a/main/jobs/job-1" },
    });
    expect((await post("/a/main/jobs/job-2/stop", {})).status).toBe(403);
    expect((await post("/a/main/jobs/job-3/stop", {})).status).toBe(404);
    expect((await post("/a/other/jobs/job-1/stop", {})).status).toBe(404);
    expect(ports.stopped).toEqual(["main job-1"]);
    expect(refusals).toHaveLength(3);
  });

  test("without a token, the page tells at the top what it can do, and offers nothing else", async () => {
    const obstacle = { message: "there is no token", hint: "start fillbook serve again with a token" };
    const { ask } = openSite({ cannotAsk: () => obstacle });
    for (const target of ["/", "/a/main", "/a/main/make"]) {
      const { body } = await ask(target, { user: OPERATOR });
      const top = body.slice(body.indexOf("<h1"), body.indexOf("<h1") + 500).replaceAll(/<[^>]*>/g, " ");
      expect(top).toMatch(/This page cannot read fills yet\..*There is no token\. *Start fillbook serve again/s);
    }
    expect((await ask("/a/main", { user: OPERATOR })).body).toMatch(/disabled>Read (?:all|new) fills</);
    expect((await ask("/a/main/make")).body).toMatch(/value="us-2025" disabled/);
  });

  test.each(["sync", "verify"])("%s is for operators", async (kind) => {
    const { ports, post, refusals } = openSite();
    expect(await post("/a/main/jobs", { kind })).toMatchObject({ status: 403 });
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ status: 403, why: `${kind} is not for accountants` }]);
    expect(await post("/a/main/jobs", { kind }, { user: OPERATOR })).toMatchObject({ status: 303 });
    expect(ports.started).toEqual([{ account: "main", kind }]);
  });
});

test("an account whose head is damaged is so in the list of accounts, which shows the others as ever", async () => {
  const ports = fakePorts();
  ports.store.put("main/head.json", Buffer.from("<b>{"));
  const { body, status } = await testedSite(ports).ask("/", { user: { name: "olga", roleIn: () => "operator" } });
  expect(status).toBe(200);
  expect(body).toContain("main/head.json is not a head that this version can read");
  expect(body).toContain(`/a/other/p/us-2025/${VERSION}`);
  expect(body).not.toContain(`/a/main/p/us-2025/${VERSION}`);
});

test("every answer has the security headers", async () => {
  const { ask, post } = openSite();
  const answers = [
    await ask("/"),
    await ask(SCRIPT_ASSET.path),
    await ask("/", { user: null }),
    await ask("/nothing"),
    await ask(`${PACK}/zip`),
    await ask(`${PACK}/file?path=fills.csv`),
    await ask("/", { method: "PUT" }),
    await post("/a/main/jobs", { period: "x".repeat(65_537) }),
    await post("/a/main/jobs", { kind: "export", period: "us-2025" }),
    await post("/a/main/jobs", {}, { headers: { "sec-fetch-site": "cross-site" } }),
    await testedSite({ ...fakePorts(), accounts: () => Promise.reject(new Error("x")) }).ask("/"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 200, 200, 405, 413, 303, 403, 500]);
  for (const [at, { headers }] of answers.entries()) {
    expect(headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": at === 1 ? "public, max-age=31536000, immutable" : "no-store",
    });
  }
});
