import { readFileSync } from "node:fs";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInputs } from "../../../lambda/inputs/inputs.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { completeness, packByHand } from "../data/hand-written.ts";
import { FILES, fakePorts, sha256Of, testedSite, VERSION } from "./fake-site.ts";
import { FUNDING, openSite, readable, type Upload } from "./uploads.ts";

const OPENING = "market,quantity,average_price,as_of,evidence\nBTC-USD,1.5,40000,2025-01-01,statement\n";
const TRANSFERS = "time,currency,amount,note\n2025-01-02,USD,100,first\n2025-02-02,USD,-50,second\n";
const BALANCES = "time,currency,amount,note\n2025-12-31,USD,1000,statement\n";
const MARKS = "market,time,price\nBTC-USD,2025-12-31,90000\n";
const MATCHES = "close_match_id,close_order_id,open_match_id,open_order_id,quantity\na,b,c,d,1\n";
const RATES = "date,base,quote,rate,source\n2025-01-02,EUR,USD,1.03,bank\n";
const ECB = readFileSync(join(import.meta.dirname, "../../accounting/rates/fixtures/eurofxref-hist.csv"));

type Sent = [name: string, text: Upload["text"], fields: Readonly<Record<string, string>>];
const OF_RATES = { kind: "rates" };

// test/inputs has what each reader accepts and refuses.
test.each<[...Sent, string, string]>([
  ["opening-positions.csv", OPENING, {}, "opening-positions.csv", "1 opening position"],
  ["funding.csv", `\uFEFF${FUNDING}`, {}, "funding.csv", "1 funding payment, 2025-01-02 to 2025-01-02"],
  ["transfers.csv", TRANSFERS, {}, "transfers.csv", "2 transfers, 2025-01-02 to 2025-02-02"],
  ["balances.csv", BALANCES, {}, "balances.csv", "1 balance"],
  ["marks.csv", MARKS, {}, "marks.csv", "1 price"],
  ["matches.csv", MATCHES, {}, "matches.csv", "1 closing fill"],
  ["accounts.json", '{"par":{"USDT":"USD"}}', {}, "accounts.json", "settings of par"],
  ["eurofxref-hist.csv", ECB, OF_RATES, "rates/eurofxref-hist.csv", "of rates"],
  ["own.csv", RATES, OF_RATES, "rates/own.csv", "1 series of rates"],
  ["Positionen (1).csv", OPENING, { kind: "opening-positions" }, "opening-positions.csv", "1 opening position"],
])(
  "every kind of file is kept under its name, and the page confirms it: %s",
  async (sent, text, fields, name, says) => {
    const { ports, site, put, now } = openSite();
    const location = `/a/main/files?put=${encodeURIComponent(name)}`;
    expect(await put(sent, text, fields)).toMatchObject({ status: 303, headers: { location } });
    expect(now()).toEqual({ [name]: Buffer.from(text).toString() });
    const page = readable((await site.ask(location)).body);
    expect(page).toContain(`${name} is here`);
    expect(page).toContain(says);
    // The reader that an export uses accepts it.
    const inputs = await readInputs({ kind: "store", store: ports.store, account: "main" }, "UTC");
    expect(inputs.files.map((file) => file.name)).toEqual([name]);
  },
);

describe("a file that an export could not read is not kept, and the form tells where and why", () => {
  test.each<[...Sent, string, string]>([
    ["", "", {}, "file", "No file was chosen"],
    ["funding.csv", "", {}, "file", "funding.csv is empty"],
    ["funding.csv", FUNDING.replace("-1.5", "1,5"), {}, "file", "funding.csv, line 2"],
    ["a.csv", FUNDING, { kind: "transfers" }, "file", "transfers.csv, line 1"],
    ["marks.csv", Buffer.from([0x6d, 0xe4]), {}, "file", "is not text in UTF-8"],
    ["accounts.json", '{"accounts":["main","other"]}', {}, "file", "names a group"],
    ["x.csv", "a,b\n1,2\n", OF_RATES, "file", "known form"],
    ["positions.csv", OPENING, {}, "kind", "does not show which kind of file this is"],
    ["a.csv", OPENING, { kind: "head" }, "kind", "no such kind"],
    ["a.csv", OPENING, { kind: "__proto__" }, "kind", "no such kind"],
  ])("%s, %j, %j", async (name, text, fields, field, says) => {
    const { ports, put } = openSite();
    const before = ports.store.snapshot();
    const answer = await put(name, text, fields);
    expect(answer.status).toBe(400);
    const [, error = ""] =
      new RegExp(`id="input-${field}-error">([\\s\\S]*?)<(?:input|select)`).exec(answer.body) ?? [];
    expect(readable(error)).toContain(says);
    expect(answer.body).toMatch(new RegExp(`id="input-${field}"[^>]*aria-describedby="input-${field}-error`));
    expect(ports.store.snapshot()).toEqual(before);
  });

  test("with any file name, writes go only to inputs/, under a name that a pack accepts", async () => {
    const known =
      "../head.json rates/../../head.json ..%2fhead.json C:\\files\\funding.csv /etc/passwd head.json .csv ä.csv";
    const names = fc.constantFrom(
      ...known.split(" "),
      "a b.csv",
      "funding.csv/",
      "FUNDING.CSV",
      `${"a".repeat(160)}.csv`,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(names, fc.string({ unit: "grapheme", maxLength: 30 })),
        fc.constantFrom("", "rates", "marks", "x"),
        async (name, kind) => {
          const { ports, put } = openSite();
          const before = new Set(ports.store.snapshot().keys());
          await put(name, kind === "marks" ? MARKS : RATES, { kind });
          const added = [...ports.store.snapshot().keys()].filter((key) => !before.has(key));
          expect(added.filter((key) => !/^main\/inputs\/(?:marks|rates\/[\w=.-]+)\.csv$/.test(key))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

// hosts/aws/uploads.test.ts has a file as large as the limit, and larger ones.
describe("size", () => {
  const LIMITS = { mostFileBytes: 1000, mostTotalBytes: 2500 };
  const long = (bytes: number) => FUNDING.padEnd(bytes, "\n");

  test("a body larger than any form is refused unread, by its bytes or by its declared length", async () => {
    const { put, now } = openSite({ inputLimits: LIMITS });
    const read = await put("funding.csv", long(70_000));
    const said = await put("funding.csv", FUNDING, {}, { headers: { "content-length": "70000" } });
    for (const { status, body } of [read, said]) {
      expect([status, readable(body)]).toEqual([413, expect.stringContaining("larger than 1.0 kB")]);
    }
    expect(now()).toEqual({});
  });

  test("all files together stay within the limit of an export; beyond it, the page changes nothing", async () => {
    const { ports, site, put } = openSite({ inputLimits: LIMITS });
    ports.store.put("main/inputs/rates/a.csv", Buffer.from(RATES.padEnd(2000, "\n")));
    const { status, body } = await put("funding.csv", long(600));
    expect([status, readable(body)]).toEqual([400, expect.stringContaining("files together are larger than 2.5 kB")]);
    ports.store.put("main/inputs/rates/b.csv", Buffer.from(RATES.padEnd(2000, "\n")));
    const page = await site.ask("/a/main/files");
    expect(readable(page.body)).toContain("too large together for this page");
    expect(page.body).not.toMatch(/type="file"|files\/remove/);
  });
});

describe("files that belong together", () => {
  const PAR = '{"par":{"EUR":"USD"}}';

  test("that contradict each other: the second is not kept, and the first is unchanged", async () => {
    const { put, now } = openSite();
    await put("accounts.json", PAR);
    const answer = await put("own.csv", RATES, OF_RATES);
    expect(answer.status).toBe(400);
    expect(readable(answer.body)).toContain(
      "accounts.json declares EUR and USD at par, but rates/own.csv also has rates for them",
    );
    expect(now()).toEqual({ "accounts.json": PAR });
  });

  test("an existing fault does not prevent another upload, nor its own correction", async () => {
    const { ports, site, put } = openSite();
    ports.store.put("main/inputs/funding.csv", Buffer.from("not a table"));
    expect(readable((await site.ask("/a/main/files")).body)).toContain("A file below cannot be understood");
    expect(await put("marks.csv", MARKS)).toMatchObject({ status: 303 });
    expect(await put("funding.csv", FUNDING)).toMatchObject({ status: 303 });
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
    const { ports, site, now } = openSite();
    ports.store.put("main/inputs/notes.txt", Buffer.from("hello"));
    const page = await site.ask("/a/main/files");
    expect(readable(page.body)).toContain(
      "Not used: memory/main/inputs/notes.txt is not an input file of a pack. Remove it: no pack can be made while it is there.",
    );
    for (const other of ["/a/main", "/a/main/make", "/a/main/files"]) {
      const text = readable((await site.ask(other)).body);
      expect(text).toContain("No pack can be made: notes.txt is not a file of a pack. Remove it first. Your files");
      expect(text).not.toMatch(/made with (?:your file )?notes\.txt/);
    }
    const removed = await site.post("/a/main/files/remove", { name: "notes.txt", seen: sha256Of("hello") });
    expect(removed).toMatchObject({ status: 303 });
    expect(now()).toEqual({});
  });
});

test.runIf(process.platform !== "win32").each<[string, string, (path: string, target: string) => Promise<void>]>([
  ["marks.csv", "a symbolic link, and only files are read", (path, target) => symlink(target, path)],
  ["rates", "a symbolic link, and only files are read", (path, target) => symlink(target, path)],
  ["marks (1) & more.csv", "not an input file of a pack", (path, target) => copyFile(target, path)],
])(
  "what an export refuses and no key names is shown with the export's own reason, and not read: %s",
  async (name, what, make) => {
    const root = temporaryFolder();
    const folder = join(root, "main/inputs");
    await mkdir(folder, { recursive: true });
    await writeFile(join(root, "secret.csv"), "a secret");
    await writeFile(join(folder, "funding.csv"), FUNDING);
    await make(join(folder, name), join(root, "secret.csv"));
    const store = openFolderStore(root);
    const site = testedSite({ ...fakePorts(), storesOf: (account) => ({ account, store, packStore: null }) });
    const { status, body } = await site.ask("/a/main/files");
    expect(status).toBe(200);
    const shown = readable(body);
    const refused = await readInputs({ kind: "store", store, account: "main" }, "UTC").catch((error: Error) => error);
    expect(refused).toMatchObject({ kind: "usage", message: `${folder}/${name} is ${what}` });
    expect(shown).toContain(`Not used: ${folder}/${name} is ${what}. Remove it:`);
    expect(shown).toContain("1 funding payment");
    expect(shown).toMatch(/No pack can be made: .* is not a file of a pack\. Remove it first\./);
    expect(body).not.toContain("a secret");
    expect(readable((await site.ask("/a/main")).body)).toMatch(/made with (?:your file )?funding\.csv ?\. /);
    expect((await site.ask(`/a/main/files/file?name=${encodeURIComponent(name)}`)).status).toBe(404);
  },
);

test("a date is a day in the zone of the newest pack, or else in UTC", async () => {
  // In New York, a day begins at 05:00 UTC, so both lines are for the same instant there.
  const twice = `${MARKS}BTC-USD,2025-12-31T05:00:00Z,90000\n`;
  const { put } = openSite();
  expect(await put("marks.csv", twice)).toMatchObject({ status: 303 });
  const { ports, put: putLater } = openSite();
  const files = { ...FILES, "completeness.json": completeness("us-2025", { zone: "America/New_York" }) };
  for (const [key, body] of packByHand({ account: "main", period: "us-2025", version: VERSION, files })) {
    ports.store.put(key, body);
  }
  const usual = await putLater("marks.csv", twice);
  expect([usual.status, readable(usual.body)]).toEqual([400, expect.stringContaining("marks.csv, line 3")]);
  expect(readable(usual.body)).toContain("a day of America/New_York");
});
