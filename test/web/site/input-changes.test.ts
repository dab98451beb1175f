import { describe, expect, test } from "vitest";
import { ACCOUNTANT, fakePorts, sha256Of, testedSite } from "./fake-site.ts";
import { FUNDING, openSite, readable, seenIn } from "./uploads.ts";

const MARKS = "market,time,price\nBTC-USD,2025-12-31,90000\n";

describe("two people", () => {
  const BEN = { ...ACCOUNTANT, name: "ben" };
  const SECOND = FUNDING.replace("-1.5", "-2.5");

  test("with the page open: the second learns that the file was changed", async () => {
    const { site, put, now } = openSite();
    await put("funding.csv", FUNDING);
    const seen = seenIn((await site.ask("/a/main/files")).body);
    expect(await put("funding.csv", SECOND, {}, { user: BEN })).toMatchObject({ status: 303 });
    const third = FUNDING.replace("-1.5", "-3.5");
    const late = await put("funding.csv", third, { seen });
    expect(late.status).toBe(400);
    expect(readable(late.body)).toContain("funding.csv was changed after you opened this page.");
    expect(now()).toEqual({ "funding.csv": SECOND });
    // The form has now seen the file, so sending it again replaces the file.
    expect(await put("funding.csv", third, { seen: seenIn(late.body) })).toMatchObject({ status: 303 });
    expect(now()).toEqual({ "funding.csv": third });
  });

  test("of whom one added or removed the file first", async () => {
    const { site, put, now } = openSite();
    await put("funding.csv", FUNDING, {}, { user: BEN });
    const unseen = await put("funding.csv", SECOND, { seen: "" });
    expect([unseen.status, now()]).toEqual([400, { "funding.csv": FUNDING }]);
    const seen = seenIn((await site.ask("/a/main/files")).body);
    await site.post("/a/main/files/remove", { name: "funding.csv", seen: sha256Of(FUNDING) }, { user: BEN });
    const gone = await put("funding.csv", SECOND, { seen });
    expect([gone.status, now()]).toEqual([400, {}]);
    expect(readable(gone.body)).toContain("funding.csv was changed after you opened this page.");
  });

  test("at the same moment: one wins, the other is told", async () => {
    const { put, now } = openSite();
    const texts = Array.from({ length: 8 }, (_, at) => FUNDING.replace("-1.5", `-${at}.5`));
    const answers = await Promise.all(texts.map((text) => put("funding.csv", text)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...texts.slice(1).map(() => 400)]);
    const winner = texts[answers.findIndex(({ status }) => status === 303)];
    expect(now()).toEqual({ "funding.csv": winner });
  });

  test("with other files at the same moment, or with the same form twice, are no conflict", async () => {
    const { put } = openSite();
    const answers = await Promise.all([put("funding.csv", FUNDING), put("marks.csv", MARKS)]);
    answers.push(await put("marks.csv", MARKS, { seen: "" }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  });
});

describe("a removal", () => {
  const seen = sha256Of(FUNDING);

  test("removes the content that the user saw, and confirms it", async () => {
    const { site, put, now } = openSite();
    await put("funding.csv", FUNDING);
    const answer = await site.post("/a/main/files/remove", { name: "funding.csv", seen });
    expect(answer).toMatchObject({ status: 303, headers: { location: "/a/main/files?removed=funding.csv" } });
    expect(now()).toEqual({});
    expect(readable((await site.ask("/a/main/files?removed=funding.csv")).body)).toContain("funding.csv was removed");
  });

  test("of changed content is refused", async () => {
    const { site, put, now } = openSite();
    await put("funding.csv", FUNDING);
    for (const stamp of ["", sha256Of("x"), "*"]) {
      const fields = { name: "funding.csv", seen: stamp };
      expect(await site.post("/a/main/files/remove", fields)).toMatchObject({ status: 400 });
    }
    expect(now()).toEqual({ "funding.csv": FUNDING });
  });

  test.each(["../head.json", "../packs/us-2025/latest.json", "", ".", "funding.csv/../../head.json", "nothing.csv"])(
    "of %j changes nothing",
    async (name) => {
      const ports = fakePorts();
      const before = ports.store.snapshot();
      expect(await testedSite(ports).post("/a/main/files/remove", { name, seen: "" })).toMatchObject({ status: 303 });
      expect(ports.store.snapshot()).toEqual(before);
    },
  );
});

describe("a download", () => {
  const RATES = "date,base,quote,rate,source\n2025-01-02,EUR,USD,1.03,bank\n";

  test("sends the bytes as a download, never for display", async () => {
    const { site, put } = openSite();
    await put("own.csv", RATES, { kind: "rates" });
    expect(await site.ask("/a/main/files/file?name=rates%2Fown.csv")).toMatchObject({
      status: 200,
      headers: {
        "content-type": "application/octet-stream",
        "content-disposition": expect.stringMatching(/^attachment; filename="own\.csv"/),
      },
      body: RATES,
    });
  });

  test.each(["", "?name=", "?name=../head.json", "?name=nothing.csv"])("of a missing file: %j", async (query) => {
    expect(await testedSite(fakePorts()).ask(`/a/main/files/file${query}`)).toMatchObject({ status: 404 });
  });

  test("comes by the host's own link if there is one", async () => {
    const { site, put } = openSite({
      links: (...asked) => Promise.resolve(`https://store.example/${JSON.stringify(asked)}`),
    });
    await put("funding.csv", FUNDING);
    const at = { store: "archive", key: "main/inputs/funding.csv" };
    const location = `https://store.example/${JSON.stringify(["main", at, "funding.csv"])}`;
    expect(await site.ask("/a/main/files/file?name=funding.csv")).toMatchObject({ status: 303, headers: { location } });
  });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["from another site", { "sec-fetch-site": "cross-site" }],
  ["as a form of another kind", { "content-type": "text/plain" }],
  ["with another boundary", { "content-type": "multipart/form-data; boundary=x" }],
])("a request that the user did not make: %s", async (_, headers) => {
  const { put, now } = openSite();
  const { status } = await put("funding.csv", FUNDING, {}, { headers });
  expect([status, now()]).toEqual([403, {}]);
});

test("the account's page names the files, and links to them", async () => {
  const { site, put } = openSite();
  expect(readable((await site.ask("/a/main")).body)).toContain("No file has been uploaded yet");
  await put("funding.csv", FUNDING);
  const { body } = await site.ask("/a/main");
  expect(readable(body)).toContain("Packs are made with funding.csv .");
  expect(body).toContain('href="/a/main/files"');
});

test("no log line holds any of a file's content", async () => {
  const { site, put } = openSite();
  await put("funding.csv", FUNDING.replace("-1.5", "SECRET"));
  await put("SECRET.csv", FUNDING);
  expect(site.refusals).toHaveLength(2);
  expect(JSON.stringify(site.refusals)).not.toContain("SECRET");
});
