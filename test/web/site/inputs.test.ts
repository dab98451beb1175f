import { readFileSync } from "node:fs";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInputs } from "../../../lambda/inputs/inputs.ts";
import { openFolderStore } from "../../../lambda/storage/folder.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import type { PagePorts } from "../../../lambda/web/ports.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { fakePorts, openSite, testedSite } from "./fake-site.ts";
import { FUNDING, openUploads, putUp, readable, type Upload } from "./uploads.ts";

const OPENING = "market,quantity,average_price,as_of,evidence\nBTC-USD,1.5,40000,2025-01-01,statement\n";
const MARKS = "market,time,price\nBTC-USD,2025-12-31,90000\n";
const RATES = "date,base,quote,rate,source\n2025-01-02,EUR,USD,1.03,bank\n";
const ECB = readFileSync(join(import.meta.dirname, "../../accounting/rates/fixtures/eurofxref-hist.csv"));

type Sent = [name: string, text: Upload["text"], as: string];

// test/inputs has what each reader accepts and refuses.
test.each<[...Sent, string]>([
  ["funding.csv", `\uFEFF${FUNDING}`, "", "funding.csv"],
  ["accounts.json", '{"par":{"USDT":"USD"}}', "", "accounts.json"],
  ["eurofxref-hist.csv", ECB, "rates/", "rates/eurofxref-hist.csv"],
  ["Positionen (1).csv", OPENING, "opening-positions.csv", "opening-positions.csv"],
])("a file is kept under its kind's name, and the page confirms it: %s", async (sent, text, as, name) => {
  const { ports, site, put, now } = openUploads();
  const location = `/a/main/files?put=${encodeURIComponent(name)}`;
  expect(await put(sent, text, as)).toMatchObject({ status: 303, headers: { location } });
  expect(now()).toEqual({ [name]: Buffer.from(text).toString() });
  expect(readable((await site.ask(location)).body)).toContain(`${name} is here`);
  expect(readable((await site.ask("/a/main/make")).body)).toContain(`It is made with your files ${name} .`);
  // The reader that an export uses accepts it.
  const inputs = await readInputs({ kind: "store", store: ports.store, account: "main" }, "UTC");
  expect(inputs.files.map((file) => file.name)).toEqual([name]);
  // What is put up again takes its place.
  expect(await put(sent, text, as)).toMatchObject({ status: 303 });
});

describe("a file that an export could not read is not kept, and the page tells why", () => {
  test.each<[...Sent, string]>([
    ["", "", "", "No file was chosen"],
    ["funding.csv", "", "", "funding.csv is empty"],
    ["funding.csv", FUNDING.replace("-1.5", "1,5"), "", "funding.csv, line 2"],
    ["marks.csv", Buffer.from([0x6d, 0xe4]), "", "is not text in UTF-8"],
    ["accounts.json", '{"accounts":["main","other"]}', "", "names a group"],
    ["a.csv", OPENING, "../head.json", "is not an input file of a pack"],
  ])("%s, %j, %j", async (name, text, as, says) => {
    const { ports, site, put } = openUploads();
    const before = ports.store.snapshot();
    const answer = await put(name, text, as);
    expect([answer.status, readable(answer.body)]).toEqual([400, expect.stringContaining(says)]);
    expect(ports.store.snapshot()).toEqual(before);
    // No line of the log holds any of its content.
    expect(site.refusals.map(({ why }) => why)).toEqual(["a file that cannot be used"]);
  });

  test("with any file name, writes go only to inputs/, under a name that a pack accepts", async () => {
    const known =
      "../head.json rates/../../head.json ..%2fhead.json C:\\files\\funding.csv /etc/passwd head.json .csv ä.csv funding.csv/ FUNDING.CSV";
    const names = fc.constantFrom(...known.split(" "), "a b.csv", `${"a".repeat(160)}.csv`);
    const any = fc.oneof(names, fc.string({ unit: "grapheme", maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(any, fc.oneof(fc.constantFrom("", "rates/", "marks.csv"), any), async (name, as) => {
        const { ports, put } = openUploads();
        const before = new Set(ports.store.snapshot().keys());
        await put(name, as === "marks.csv" ? MARKS : RATES, as);
        const added = [...ports.store.snapshot().keys()].filter((key) => !before.has(key));
        expect(added.filter((key) => !/^main\/inputs\/(?:marks|rates\/[\w=.-]+)\.csv$/.test(key))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  // hosts/aws/home.test.ts has a file as large as the limit, and larger ones.
  test("a body larger than any form is refused unread, by its bytes or by its declared length", async () => {
    const { put, now } = openUploads({ mostFileBytes: 1000 });
    const read = await put("funding.csv", FUNDING.padEnd(70_000, "\n"));
    const said = await put("funding.csv", FUNDING, "", { headers: { "content-length": "70000" } });
    for (const { status, body } of [read, said]) {
      expect([status, readable(body)]).toEqual([413, expect.stringContaining("larger than 1.0 kB")]);
    }
    expect(now()).toEqual({});
  });
});

test("a file that somebody else changes in the same moment is not overwritten, and the user is told", async () => {
  const { ports } = openUploads();
  const lost: Store = Object.create(ports.store, { replaceIf: { value: () => Promise.resolve(null) } });
  const site = testedSite({ ...ports, storesOf: (account) => ({ account, store: lost, packs: lost }) });
  const { status, body } = await putUp(site, { name: "funding.csv", text: FUNDING });
  expect([status, readable(body)]).toEqual([400, expect.stringContaining("changed by somebody else")]);
});

test("a file with a name that no pack accepts is shown, and can be removed", async () => {
  const { ports, site, now } = openUploads();
  ports.store.put("main/inputs/notes.txt", Buffer.from("hello"));
  for (const other of ["/a/main", "/a/main/make", "/a/main/files"]) {
    const text = readable((await site.ask(other)).body);
    expect(text).toContain("No pack can be made while this is among your files: notes.txt . Remove it first.");
    expect(text).not.toMatch(/made with (?:your files )?notes\.txt/);
  }
  expect(await site.post("/a/main/files/remove", { name: "notes.txt" })).toMatchObject({ status: 303 });
  expect(now()).toEqual({});
});

test.each(["../head.json", "../packs/us-2025/latest.json", "", ".", "funding.csv/../../head.json", "nothing.csv"])(
  "a removal or download of %j changes and gives nothing",
  async (name) => {
    const { ports, ask, post } = openSite();
    const before = ports.store.snapshot();
    expect(await post("/a/main/files/remove", { name })).toMatchObject({ status: 303 });
    expect(await ask(`/a/main/files/file?name=${encodeURIComponent(name)}`)).toMatchObject({ status: 404 });
    expect(ports.store.snapshot()).toEqual(before);
  },
);

test("a download sends the bytes, never for display; or leads to the host's own link if there is one", async () => {
  const disposition = 'attachment; filename="own.csv"';
  const location = `https://store.example/main/main/inputs/rates/own.csv?${disposition}`;
  const links: PagePorts["links"] = (account, { key }, as) =>
    Promise.resolve(`https://store.example/${account}/${key}?${as}`);
  const sent = { "content-type": "application/octet-stream", "content-disposition": disposition };
  for (const [given, answer] of [
    [{}, { status: 200, headers: sent, body: RATES }],
    [{ links }, { status: 303, headers: { location } }],
  ] as const) {
    const { site, put } = openUploads(given);
    await put("own.csv", RATES, "rates/");
    expect(await site.ask("/a/main/files/file?name=rates%2Fown.csv")).toMatchObject(answer);
  }
});

test.runIf(process.platform !== "win32").each<[string, string, (path: string, target: string) => Promise<void>]>([
  ["marks.csv", "a symbolic link, and only files are read", (path, target) => symlink(target, path)],
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
    const site = testedSite({ ...fakePorts(), storesOf: (account) => ({ account, store, packs: store }) });
    const { status, body } = await site.ask("/a/main/files");
    const refused = await readInputs({ kind: "store", store, account: "main" }, "UTC").catch((error: Error) => error);
    expect(refused).toMatchObject({ kind: "usage", message: `${folder}/${name} is ${what}` });
    expect([status, readable(body)]).toEqual([200, expect.stringContaining(`${folder}/${name} is ${what}`)]);
    expect(body).not.toContain("a secret");
    expect(readable((await site.ask("/a/main")).body)).toMatch(/made with funding\.csv ?\. /);
    expect((await site.ask(`/a/main/files/file?name=${encodeURIComponent(name)}`)).status).toBe(404);
  },
);
