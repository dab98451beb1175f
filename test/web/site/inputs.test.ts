import { readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { readInputs } from "../../../lambda/inputs/inputs.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import { completeness, packByHand } from "../data/hand-written.ts";
import type { FakePorts } from "./fake-site.ts";
import { ACCOUNTANT, FILES, fakePorts, OPERATOR, sha256Of, testedSite, VERSION } from "./fake-site.ts";
import { putUp, readable, seenIn, type Upload, uploadBody } from "./uploads.ts";

const OPENING = "market,quantity,average_price,as_of,evidence\nBTC-USD,1.5,40000,2025-01-01,statement\n";
const FUNDING = "time,market,amount,currency,source\n2025-01-02T00:00:00Z,BTC-USD,-1.5,USD,statement\n";
const TRANSFERS = "time,currency,amount,note\n2025-01-02,USD,100,first\n2025-02-02,USD,-50,second\n";
const BALANCES = "time,currency,amount,note\n2025-12-31,USD,1000,statement\n";
const MARKS = "market,time,price\nBTC-USD,2025-12-31,90000\n";
const MATCHES = "close_match_id,close_order_id,open_match_id,open_order_id,quantity\na,b,c,d,1\n";
const RATES = "date,base,quote,rate,source\n2025-01-02,EUR,USD,1.03,bank\n";
const ECB = readFileSync(join(import.meta.dirname, "../../accounting/rates/fixtures/eurofxref-hist.csv"));

/** The objects under `inputs/` of the account, by name. */
function kept({ store }: FakePorts, account = "main"): Record<string, string> {
  const prefix = `${account}/inputs/`;
  return Object.fromEntries(
    [...store.snapshot()]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, body]) => [key.slice(prefix.length), Buffer.from(body).toString()]),
  );
}

describe("every kind of file is kept under its name, and the page confirms it", () => {
  test.each<[string, Upload, string, string]>([
    [
      "opening positions",
      { name: "opening-positions.csv", text: OPENING },
      "opening-positions.csv",
      "1 opening position",
    ],
    ["funding", { name: "funding.csv", text: FUNDING }, "funding.csv", "1 funding payment, 2025-01-02 to 2025-01-02"],
    ["transfers", { name: "transfers.csv", text: TRANSFERS }, "transfers.csv", "2 transfers, 2025-01-02 to 2025-02-02"],
    ["balances", { name: "balances.csv", text: BALANCES }, "balances.csv", "1 balance"],
    ["market prices", { name: "marks.csv", text: MARKS }, "marks.csv", "1 price"],
    ["matches", { name: "matches.csv", text: MATCHES }, "matches.csv", "1 closing fill"],
    ["settings", { name: "accounts.json", text: '{"par":{"USDT":"USD"}}' }, "accounts.json", "settings of par"],
    [
      "a central bank's rates",
      { name: "eurofxref-hist.csv", text: ECB, fields: { kind: "rates" } },
      "rates/eurofxref-hist.csv",
      "of rates",
    ],
    ["own rates", { name: "own.csv", text: RATES, fields: { kind: "rates" } }, "rates/own.csv", "1 series of rates"],
    [
      "a file of any name, of the kind that was chosen",
      { name: "Positionen (1).csv", text: OPENING, fields: { kind: "opening-positions" } },
      "opening-positions.csv",
      "1 opening position",
    ],
    [
      "one with a byte order mark",
      { name: "funding.csv", text: `\uFEFF${FUNDING}` },
      "funding.csv",
      "1 funding payment",
    ],
  ])("%s", async (_, upload, name, understood) => {
    const ports = fakePorts();
    const site = testedSite(ports);
    const answer = await putUp(site, upload);
    const location = `/a/main/files?put=${encodeURIComponent(name)}`;
    expect(answer).toMatchObject({ status: 303, headers: { location } });
    expect(kept(ports)).toEqual({ [name]: Buffer.from(upload.text).toString() });
    const page = await site.ask(location);
    expect(page.status).toBe(200);
    expect(readable(page.body)).toContain(`${name} is here`);
    expect(readable(page.body)).toContain(understood);
    // The reader that an export uses accepts it.
    const inputs = await readInputs({ kind: "store", store: ports.store, account: "main" }, "UTC");
    expect(inputs.files.map((file) => file.name)).toEqual([name]);
  });
});

describe("a file that an export could not read is not kept, and the form tells where and why", () => {
  test.each<[string, Upload, string, string]>([
    ["no file", { name: "", text: "" }, "file", "No file was chosen"],
    ["an empty file", { name: "funding.csv", text: "" }, "file", "funding.csv is empty"],
    ["a bad amount", { name: "funding.csv", text: FUNDING.replace("-1.5", "1,5") }, "file", "funding.csv, line 2"],
    ["another header", { name: "funding.csv", text: OPENING }, "file", "funding.csv, line 1"],
    [
      "the wrong kind",
      { name: "a.csv", text: FUNDING, fields: { kind: "transfers" } },
      "file",
      "transfers.csv, line 1",
    ],
    ["a line twice", { name: "funding.csv", text: FUNDING + FUNDING.split("\n")[1] }, "file", "funding.csv, line 3"],
    ["semicolons", { name: "marks.csv", text: MARKS.replaceAll(",", ";") }, "file", "there is no column"],
    ["no UTF-8", { name: "marks.csv", text: Buffer.from([0x6d, 0xe4]) }, "file", "is not text in UTF-8"],
    ["a NUL", { name: "marks.csv", text: `${MARKS}\0` }, "file", "is not text in UTF-8"],
    ["no JSON", { name: "accounts.json", text: "{" }, "file", "accounts.json"],
    ["an unknown setting", { name: "accounts.json", text: '{"admin":true}' }, "file", "admin"],
    ["a group", { name: "accounts.json", text: '{"accounts":["main","other"]}' }, "file", "names a group"],
    ["rates of no known form", { name: "x.csv", text: "a,b\n1,2\n", fields: { kind: "rates" } }, "file", "known form"],
    [
      "a workbook",
      { name: "funding.csv", text: Buffer.from("PK\u0003\u0004\u0000\u0000") },
      "file",
      "not text in UTF-8",
    ],
    ["a name of no file", { name: "positions.csv", text: OPENING }, "kind", "does not show which kind of file this is"],
    ["no such kind", { name: "a.csv", text: OPENING, fields: { kind: "head" } }, "kind", "no such kind"],
    ["a kind of an object", { name: "a.csv", text: OPENING, fields: { kind: "__proto__" } }, "kind", "no such kind"],
    [
      "no such zone",
      { name: "funding.csv", text: FUNDING, fields: { zone: "Europa/London" } },
      "zone",
      "Not a time zone",
    ],
  ])("%s", async (_, upload, field, says) => {
    const ports = fakePorts();
    const before = ports.store.snapshot();
    const answer = await putUp(testedSite(ports), upload);
    expect(answer.status).toBe(400);
    const [, error = ""] =
      new RegExp(`id="input-${field}-error">([\\s\\S]*?)<(?:input|select)`).exec(answer.body) ?? [];
    expect(readable(error)).toContain(says);
    expect(answer.body).toMatch(new RegExp(`id="input-${field}"[^>]*aria-describedby="input-${field}-error`));
    expect(ports.store.snapshot()).toEqual(before);
  });

  test.each([
    "../head.json",
    "rates/../../head.json",
    "..%2fhead.json",
    "rates/a.csv",
    "C:\\files\\funding.csv",
    "/etc/passwd",
    "head.json",
    ".csv",
    "a b.csv",
    "ä.csv",
    "funding.csv/",
    "FUNDING.CSV",
    `${"a".repeat(160)}.csv`,
  ])("a file named %j keeps its name, and leads to no other path", async (name) => {
    for (const kind of ["", "rates"]) {
      const ports = fakePorts();
      const before = ports.store.snapshot();
      const { status } = await putUp(testedSite(ports), { name, text: RATES, fields: { kind } });
      const isRate = kind === "" && name === "rates/a.csv";
      expect([name, kind, status]).toEqual([name, kind, isRate ? 303 : 400]);
      if (!isRate) {
        expect(ports.store.snapshot()).toEqual(before);
      }
    }
  });

  test("with any file name, writes go only to inputs/, under a name that a pack accepts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.constantFrom("", "rates", "marks", "x"),
        async (name, kind) => {
          const ports = fakePorts();
          const before = new Set(ports.store.snapshot().keys());
          await putUp(testedSite(ports), { name, text: kind === "marks" ? MARKS : RATES, fields: { kind } });
          const added = [...ports.store.snapshot().keys()].filter((key) => !before.has(key));
          expect(added.filter((key) => !/^main\/inputs\/(?:marks|rates\/[\w=.-]+)\.csv$/.test(key))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("size", () => {
  const LIMITS = { mostFileBytes: 1000, mostTotalBytes: 2500 };
  const long = (bytes: number) => FUNDING.padEnd(bytes, "\n");

  test("a file as large as the limit is kept; with one byte more, the form tells the limit", async () => {
    const ports = fakePorts({ inputLimits: LIMITS });
    const site = testedSite(ports);
    expect(await putUp(site, { name: "funding.csv", text: long(1000) })).toMatchObject({ status: 303 });
    const answer = await putUp(site, { name: "funding.csv", text: long(1001) });
    expect([answer.status, readable(answer.body)]).toEqual([400, expect.stringContaining("larger than 1.0 kB")]);
    expect(kept(ports)["funding.csv"]).toHaveLength(1000);
  });

  test("a body larger than any form is refused unread, by its bytes or by its declared length", async () => {
    const ports = fakePorts({ inputLimits: LIMITS });
    const site = testedSite(ports);
    const read = await putUp(site, { name: "funding.csv", text: long(70_000) });
    const said = await putUp(site, { name: "funding.csv", text: FUNDING }, { headers: { "content-length": "70000" } });
    for (const { status, body } of [read, said]) {
      expect([status, readable(body)]).toEqual([413, expect.stringContaining("larger than 1.0 kB")]);
    }
    expect(kept(ports)).toEqual({});
  });

  test("all files together stay within the limit of an export; beyond it, the page changes nothing", async () => {
    const ports = fakePorts({ inputLimits: LIMITS });
    const site = testedSite(ports);
    ports.store.put("main/inputs/rates/a.csv", Buffer.from(RATES.padEnd(2000, "\n")));
    const answer = await putUp(site, { name: "funding.csv", text: long(600) });
    expect([answer.status, readable(answer.body)]).toEqual([
      400,
      expect.stringContaining("files together are larger than 2.5 kB"),
    ]);
    ports.store.put("main/inputs/rates/b.csv", Buffer.from(RATES.padEnd(2000, "\n")));
    const page = await site.ask("/a/main/files");
    expect(readable(page.body)).toContain("too large together for this page");
    expect(page.body).not.toMatch(/type="file"|files\/remove/);
  });
});

describe("files that belong together", () => {
  const PAR = '{"par":{"EUR":"USD"}}';

  test("that contradict each other: the second is not kept, and the first is unchanged", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "accounts.json", text: PAR });
    const answer = await putUp(site, { name: "own.csv", text: RATES, fields: { kind: "rates" } });
    expect(answer.status).toBe(400);
    expect(readable(answer.body)).toContain(
      "accounts.json declares EUR and USD at par, but rates/own.csv also has rates for them",
    );
    expect(kept(ports)).toEqual({ "accounts.json": PAR });
  });

  test("two files with two rates for a day: both lines are named", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "a.csv", text: RATES, fields: { kind: "rates" } });
    const answer = await putUp(site, { name: "b.csv", text: RATES.replace("1.03", "1.04"), fields: { kind: "rates" } });
    expect(readable(answer.body)).toContain("rates/a.csv, line 2, and rates/b.csv, line 2");
    expect(Object.keys(kept(ports))).toEqual(["rates/a.csv"]);
  });

  test("an existing fault does not prevent another upload, nor its own correction", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    ports.store.put("main/inputs/funding.csv", Buffer.from("not a table"));
    expect(readable((await site.ask("/a/main/files")).body)).toContain("A file below cannot be understood");
    expect(await putUp(site, { name: "marks.csv", text: MARKS })).toMatchObject({ status: 303 });
    expect(await putUp(site, { name: "funding.csv", text: FUNDING })).toMatchObject({ status: 303 });
    expect((await site.ask("/a/main/files")).body).not.toContain("cannot be understood");
  });

  test("a contradiction among files put there in another way is shown on the page", async () => {
    const ports = fakePorts();
    ports.store.put("main/inputs/accounts.json", Buffer.from(PAR));
    ports.store.put("main/inputs/rates/own.csv", Buffer.from(RATES));
    const { body } = await testedSite(ports).ask("/a/main/files");
    expect(readable(body)).toContain("no pack in another currency can be made");
  });

  test("a file with a name that no pack accepts is shown, and can be removed", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    ports.store.put("main/inputs/notes.txt", Buffer.from("hello"));
    const page = await site.ask("/a/main/files");
    expect(readable(page.body)).toContain(
      "Not used: memory/main/inputs/notes.txt is not an input file of a pack. Remove it: no pack can be made while it is there.",
    );
    expect(readable(page.body)).toContain("Something below is not a file of a pack. No pack can be made");
    for (const other of ["/a/main", "/a/main/make"]) {
      const text = readable((await site.ask(other)).body);
      expect(text).toContain("No pack can be made: notes.txt is not a file of a pack. Remove it first. Your files");
      expect(text).not.toMatch(/made with (?:your file )?notes\.txt/);
    }
    const removed = await site.post("/a/main/files/remove", { name: "notes.txt", seen: sha256Of("hello") });
    expect(removed).toMatchObject({ status: 303 });
    expect(kept(ports)).toEqual({});
  });
});

test.runIf(process.platform !== "win32").each<[string, string, (path: string, target: string) => Promise<void>]>([
  ["marks.csv", "a symbolic link, and only files are read", (path, target) => symlink(target, path)],
  ["rates", "a symbolic link, and only files are read", (path, target) => symlink(target, path)],
  ["marks (1) & more.csv", "not an input file of a pack", (path, target) => copyFile(target, path)],
])(
  "what an export refuses and no key names is shown with the export's own reason, and not read: %s",
  async (name, what, make) => {
    const root = await mkdtemp(join(tmpdir(), "fillbook-page-"));
    onTestFinished(() => rm(root, { recursive: true }));
    const folder = join(root, "main/inputs");
    await mkdir(folder, { recursive: true });
    await writeFile(join(root, "secret.csv"), "a secret");
    await writeFile(join(folder, "funding.csv"), FUNDING);
    await make(join(folder, name), join(root, "secret.csv"));
    const store = openFolderStore(root);
    const site = testedSite({ ...fakePorts(), storesOf: (account) => ({ account, store, packStore: null }) });
    const { status, body } = await site.ask("/a/main/files");
    expect(status).toBe(200);
    const shown = readable(
      body
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll(/<\/?b>/g, "&"),
    );
    const refused = await readInputs({ kind: "store", store, account: "main" }, "UTC").catch((error: Error) => error);
    expect(refused).toMatchObject({ kind: "usage", message: `${folder}/${name} is ${what}` });
    expect(shown).toContain(`Not used: ${folder}/${name} is ${what}. Remove it:`);
    expect(shown).toContain("1 funding payment");
    expect(shown).toContain("Something below is not a file of a pack. No pack can be made until it is removed.");
    expect(body).not.toContain("a secret");
    for (const page of ["/a/main", "/a/main/make"]) {
      const other = (await site.ask(page)).body;
      expect(readable(other.replaceAll("&amp;", "&"))).toContain(
        `▲ No pack can be made: ${name} is not a file of a pack. Remove it first. Your files`,
      );
      expect(readable(other)).toMatch(/made with (?:your file )?funding\.csv ?\. /);
    }
    expect((await site.ask(`/a/main/files/file?name=${encodeURIComponent(name)}`)).status).toBe(404);
  },
);

test("a date is a day in the typed zone, otherwise in the newest pack's", async () => {
  // In New York, a day begins at 05:00 UTC, so both lines are for the same instant there.
  const twice = `${MARKS}BTC-USD,2025-12-31T05:00:00Z,90000\n`;
  const site = testedSite(fakePorts());
  const there = await putUp(site, { name: "marks.csv", text: twice, fields: { zone: "America/New_York" } });
  expect([there.status, readable(there.body)]).toEqual([400, expect.stringContaining("marks.csv, line 3")]);
  expect(there.body).toMatch(/id="input-zone"[^>]*value="America\/New_York"/);
  expect(await putUp(site, { name: "marks.csv", text: twice })).toMatchObject({ status: 303 });
  const ports = fakePorts();
  const files = { ...FILES, "completeness.json": completeness("us-2025", { zone: "America/New_York" }) };
  for (const [key, body] of packByHand({ account: "main", period: "us-2025", version: VERSION, files })) {
    ports.store.put(key, body);
  }
  const usual = await putUp(testedSite(ports), { name: "marks.csv", text: twice });
  expect([usual.status, readable(usual.body)]).toEqual([400, expect.stringContaining("marks.csv, line 3")]);
  expect(readable(usual.body)).toMatch(/If empty: America\/New_York ?\./);
});

describe("two people", () => {
  const BEN = { ...ACCOUNTANT, name: "ben" };
  const SECOND = FUNDING.replace("-1.5", "-2.5");

  test("with the page open: the second learns that the file was changed", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "funding.csv", text: FUNDING });
    const seen = seenIn((await site.ask("/a/main/files")).body);
    expect(await putUp(site, { name: "funding.csv", text: SECOND }, { user: BEN })).toMatchObject({ status: 303 });
    const third = FUNDING.replace("-1.5", "-3.5");
    const late = await putUp(site, { name: "funding.csv", text: third, fields: { seen } });
    expect(late.status).toBe(409);
    expect(readable(late.body)).toContain("funding.csv was changed after you opened this page.");
    expect(kept(ports)).toEqual({ "funding.csv": SECOND });
    // The form has now seen the file, so sending it again replaces the file.
    const again = await putUp(site, { name: "funding.csv", text: third, fields: { seen: seenIn(late.body) } });
    expect(again).toMatchObject({ status: 303 });
    expect(kept(ports)).toEqual({ "funding.csv": third });
  });

  test("of whom one added or removed the file first", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "funding.csv", text: FUNDING }, { user: BEN });
    const unseen = await putUp(site, { name: "funding.csv", text: SECOND, fields: { seen: "" } });
    expect([unseen.status, kept(ports)]).toEqual([409, { "funding.csv": FUNDING }]);
    const seen = seenIn((await site.ask("/a/main/files")).body);
    await site.post("/a/main/files/remove", { name: "funding.csv", seen: sha256Of(FUNDING) }, { user: BEN });
    const gone = await putUp(site, { name: "funding.csv", text: SECOND, fields: { seen } });
    expect([gone.status, kept(ports)]).toEqual([409, {}]);
    expect(readable(gone.body)).toContain("funding.csv was removed after you opened this page.");
  });

  test("at the same moment: one wins, the other is told", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    const texts = Array.from({ length: 8 }, (_, at) => FUNDING.replace("-1.5", `-${at}.5`));
    const answers = await Promise.all(texts.map((text) => putUp(site, { name: "funding.csv", text })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...texts.slice(1).map(() => 409)]);
    const winner = texts[answers.findIndex(({ status }) => status === 303)];
    expect(kept(ports)).toEqual({ "funding.csv": winner });
  });

  test("other files at the same moment are no conflict", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    const answers = await Promise.all([
      putUp(site, { name: "funding.csv", text: FUNDING }),
      putUp(site, { name: "marks.csv", text: MARKS }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(Object.keys(kept(ports))).toEqual(["funding.csv", "marks.csv"]);
  });

  test("a form sent twice acts once", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    const upload = { name: "funding.csv", text: FUNDING, fields: { seen: "" } };
    expect([(await putUp(site, upload)).status, (await putUp(site, upload)).status]).toEqual([303, 303]);
    expect(kept(ports)).toEqual({ "funding.csv": FUNDING });
  });
});

describe("a removal", () => {
  const seen = sha256Of(FUNDING);

  test("removes the content that the user saw, and confirms it", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "funding.csv", text: FUNDING });
    const answer = await site.post("/a/main/files/remove", { name: "funding.csv", seen });
    expect(answer).toMatchObject({ status: 303, headers: { location: "/a/main/files?removed=funding.csv" } });
    expect(kept(ports)).toEqual({});
    expect(readable((await site.ask("/a/main/files?removed=funding.csv")).body)).toContain("funding.csv was removed");
  });

  test("of changed content is refused", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "funding.csv", text: FUNDING });
    for (const stamp of ["", sha256Of("x"), "*"]) {
      expect(await site.post("/a/main/files/remove", { name: "funding.csv", seen: stamp })).toMatchObject({
        status: 409,
      });
    }
    expect(kept(ports)).toEqual({ "funding.csv": FUNDING });
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
  test("sends the bytes as a download, never for display", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    await putUp(site, { name: "own.csv", text: RATES, fields: { kind: "rates" } });
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
    const none = () => Promise.reject(new Error("not asked for"));
    const toInput = (account: string, name: string) =>
      Promise.resolve(`https://store.example/${account}/${name}?signed`);
    const ports = fakePorts({ links: { toInput, toFile: none } });
    const site = testedSite(ports);
    await putUp(site, { name: "funding.csv", text: FUNDING });
    const location = "https://store.example/main/funding.csv?signed";
    expect(await site.ask("/a/main/files/file?name=funding.csv")).toMatchObject({ status: 303, headers: { location } });
  });
});

describe("a request that the user did not make", () => {
  const upload: Upload = { name: "funding.csv", text: FUNDING };

  test.each<[string, Upload, Readonly<Record<string, string>>]>([
    ["without the session's token", { ...upload, fields: { csrf: "" } }, {}],
    ["with another session's token", { ...upload, fields: { csrf: "another" } }, {}],
    ["from another site", upload, { "sec-fetch-site": "cross-site" }],
    ["from another origin", upload, { origin: "https://evil.example" }],
    ["without an origin", upload, { origin: "" }],
    ["as a form of another kind", upload, { "content-type": "text/plain" }],
    ["with another boundary", upload, { "content-type": "multipart/form-data; boundary=x" }],
  ])("%s", async (_, given, headers) => {
    const ports = fakePorts();
    const { status } = await putUp(testedSite(ports), given, { headers });
    expect([status, kept(ports)]).toEqual([403, {}]);
  });

  test("a token in the address or in the file does not count", async () => {
    const ports = fakePorts();
    const site = testedSite(ports);
    const { type, body } = await uploadBody({ ...upload, fields: { csrf: "x" } });
    const headers = { "content-type": type, origin: "null", "sec-fetch-site": "same-origin" };
    const answer = await site.ask("/a/main/files?csrf=the-token-of-this-session", { method: "POST", body, headers });
    expect([answer.status, kept(ports)]).toEqual([403, {}]);
  });

  test("accountants and operators of the account may", async () => {
    for (const user of [ACCOUNTANT, OPERATOR]) {
      const ports = fakePorts();
      expect(await putUp(testedSite(ports), upload, { user })).toMatchObject({ status: 303 });
    }
  });
});

test("the account's page names the files, and links to them", async () => {
  const ports = fakePorts();
  const site = testedSite(ports);
  expect(readable((await site.ask("/a/main")).body)).toContain("No file has been uploaded yet");
  await putUp(site, { name: "funding.csv", text: FUNDING });
  const { body } = await site.ask("/a/main");
  expect(readable(body)).toContain("Packs are made with funding.csv .");
  expect(body).toContain('href="/a/main/files"');
});

test("no log line holds any of a file's content", async () => {
  const ports = fakePorts();
  const site = testedSite(ports);
  await putUp(site, { name: "funding.csv", text: FUNDING.replace("-1.5", "SECRET") });
  await putUp(site, { name: "SECRET.csv", text: FUNDING });
  expect(site.refusals).toHaveLength(2);
  expect(JSON.stringify(site.refusals)).not.toContain("SECRET");
});
