import { describe, expect, test } from "vitest";
import { isoTime } from "../../../lambda/core/time.ts";
import { SCRIPT_ASSET } from "../../../lambda/web/views/assets.ts";
import { SCRIPT } from "../../../lambda/web/views/script.ts";
import { STYLE } from "../../../lambda/web/views/style.ts";
import { FILES, fakePorts, NOW, OLDER, OPERATOR, sha256Of, testedSite, VERSION } from "./fake-site.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;

describe("what the user asked for", () => {
  const { ask } = testedSite(fakePorts());

  test.each<[string, string]>([
    ["/", 'href="/a/main"'],
    ["/a/main", VERSION],
    ["/a/main/history", "Nothing was downloaded yet"],
    [PACK, sha256Of(FILES["fills.csv"] ?? "")],
    [`/a/main/p/us-2025/compare?before=${OLDER}&after=${VERSION}`, "1 difference"],
    ["/a/%6dain", VERSION],
  ])("%s", async (target, shows) => {
    const answer = await ask(target);
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(answer.body).toContain(shows);
  });

  test("the list of accounts has only theirs", async () => {
    expect((await ask("/")).body).not.toContain("other");
  });

  test.each([
    ["style", "css", "text/css; charset=utf-8", STYLE],
    ["page", "js", "text/javascript; charset=utf-8", SCRIPT],
  ])("the %s, signed in or not, under a name made of what it is: kept for ever", async (name, ending, type, text) => {
    const target = `/static/${name}.${sha256Of(text).slice(0, 16)}.${ending}`;
    const kept = "public, max-age=31536000, immutable";
    const expected = { status: 200, headers: { "content-type": type, "cache-control": kept }, body: text };
    expect(await ask(target)).toMatchObject(expected);
    expect(await ask(target, { user: null })).toMatchObject(expected);
  });
});

describe("jobs", () => {
  test("a form starts one and leads to its page", async () => {
    const ports = fakePorts();
    const { ask, post } = testedSite(ports);
    const answer = await post("/a/main/jobs", { kind: "export", period: "us-2025", zone: " ", from: "", to: "" });
    expect(answer).toMatchObject({ status: 303, headers: { location: "/a/main/jobs/job-1" }, body: "" });
    expect(ports.started).toEqual([{ account: "main", kind: "export", period: "us-2025" }]);
    const page = await ask("/a/main/jobs/job-1");
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain("Begun.");
    expect(page.body).toContain('http-equiv="refresh"');
  });

  test("a tax year is asked for by its one name, however it was typed", async () => {
    const ports = fakePorts();
    expect(await testedSite(ports).post("/a/main/jobs", { kind: "export", period: "uk-2025" })).toMatchObject({
      status: 303,
    });
    expect(ports.started).toEqual([{ account: "main", kind: "export", period: "uk-2024-25" }]);
  });

  test("days, a zone and a method", async () => {
    const ports = fakePorts();
    const fields = { kind: "export", from: "2025-03-01", to: "2025-03-02", zone: "Europe/London", method: "fifo" };
    expect(await testedSite(ports).post("/a/main/jobs", fields)).toMatchObject({ status: 303 });
    expect(ports.started).toEqual([{ account: "main", ...fields }]);
  });

  test("another basis and a currency; the basis that is the default is no other wish", async () => {
    const ports = fakePorts();
    const fields = { kind: "export", period: "us-2025", method: "fifo" };
    const { post } = testedSite(ports);
    await post("/a/main/jobs", { ...fields, basis: "transaction", currency: "EUR" });
    await post("/a/main/jobs", { ...fields, basis: "fill", currency: " " });
    expect(ports.started).toEqual([
      { account: "main", ...fields, basis: "transaction", currency: "EUR" },
      { account: "main", ...fields },
    ]);
  });

  test("a period that ends now is over; one that ends a moment later is not", async () => {
    const ports = fakePorts();
    const { post } = testedSite(ports);
    const ending = (to: number) => post("/a/main/jobs", { kind: "export", from: "2026-01-01", to: isoTime(to) });
    expect(await ending(NOW)).toMatchObject({ status: 303 });
    const early = await ending(NOW + 1);
    expect(early.status).toBe(400);
    expect(early.body).toContain("this period ends on 2026-02-01 (UTC): it can be made after that");
    expect(ports.started).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["no kind", {}, "it is not said what to do"],
    ["another kind", { kind: "trade" }, "it is not said what to do"],
    ["a ZIP, which no form makes", { kind: "zip", period: "us-2025", version: VERSION }, "it is not said what to do"],
    ["no period", { kind: "export" }, "it is not said which period"],
    ["half a range", { kind: "export", from: "2025-01-01" }, "it is not said which period"],
    ["two periods", { kind: "export", period: "us-2025", from: "2025-01-01" }, "two ways to say the same"],
    ["no such period", { kind: "export", period: "xx-2025" }, "not a period: &quot;xx-2025&quot;"],
    ["a script for a period", { kind: "export", period: "<script>" }, "not a period: &quot;&lt;script&gt;&quot;"],
    [
      "no such zone",
      { kind: "export", period: "us-2025", zone: "Mars/Olympus" },
      "not a time zone: &quot;Mars/Olympus&quot;",
    ],
    ["no such day", { kind: "export", from: "2025-02-30", to: "2025-03-01" }, "not a time: &quot;2025-02-30&quot;"],
    ["an empty range", { kind: "export", from: "2025-03-01", to: "2025-03-01" }, "the period is empty"],
    ["no such method", { kind: "export", period: "us-2025", method: "magic" }, "there is no method &quot;magic&quot;"],
    ["no such basis", { kind: "export", period: "us-2025", basis: "order" }, "there is no basis &quot;order&quot;"],
    ["no such currency", { kind: "export", period: "us-2025", currency: "eur" }, "&quot;eur&quot; is no currency"],
    ["a long currency", { kind: "export", period: "us-2025", currency: "EUROPE" }, "&quot;EUROPE&quot; is no currency"],
    [
      "a year that is not over",
      { kind: "export", period: "uk-2026" },
      "this period ends on 2026-04-05 (Europe/London)",
    ],
  ])("%s: nothing is started, and the page says why", async (_, fields, says) => {
    const ports = fakePorts();
    const { post, refusals } = testedSite(ports);
    const answer = await post("/a/main/jobs", fields);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain(says);
    expect(answer.body).not.toContain("--to");
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ user: "ann", method: "POST", path: "/a/main/jobs", status: 400 }]);
  });

  test.each(["sync", "verify"])("%s is for operators", async (kind) => {
    const ports = fakePorts();
    const { post, refusals } = testedSite(ports);
    expect(await post("/a/main/jobs", { kind })).toMatchObject({ status: 403 });
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ status: 403, why: `${kind} is not for accountants` }]);
    expect(await post("/a/main/jobs", { kind }, { user: OPERATOR })).toMatchObject({ status: 303 });
    expect(ports.started).toEqual([{ account: "main", kind }]);
  });

  test("signing out is a form too", async () => {
    expect(await testedSite(fakePorts()).post("/sign-out", {})).toMatchObject({
      status: 303,
      headers: { location: "/" },
    });
  });
});

test("what goes wrong inside is reported, and nothing of it shown", async () => {
  const secret = new Error("the store at /srv/books said: token abc");
  const broken = { ...fakePorts(), accounts: () => Promise.reject(secret) };
  const { ask, problems, refusals } = testedSite(broken);
  const answer = await ask("/");
  expect(answer).toMatchObject({ status: 500, headers: { "content-type": "text/plain; charset=utf-8" } });
  expect(answer.body).not.toMatch(/store|token|srv/);
  expect([problems, refusals]).toEqual([[secret], []]);
});

test("every answer bears the headers, whatever it is", async () => {
  const { ask, post } = testedSite(fakePorts());
  const answers = [
    await ask("/"),
    await ask(SCRIPT_ASSET.path),
    await ask("/", { user: null }),
    await ask("/nothing"),
    await ask(`${PACK}/zip`),
    await ask(`${PACK}/file?path=fills.csv`),
    await ask("/", { method: "PUT" }),
    await ask("/", { body: Buffer.alloc(65_537) }),
    await post("/a/main/jobs", { kind: "export", period: "us-2025" }),
    await post("/a/main/jobs", { csrf: "x" }),
    await testedSite({ ...fakePorts(), accounts: () => Promise.reject(new Error("x")) }).ask("/"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 200, 200, 405, 413, 303, 403, 500]);
  for (const [at, { headers }] of answers.entries()) {
    expect(headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": at === 1 ? "public, max-age=31536000, immutable" : "no-store",
    });
  }
});
