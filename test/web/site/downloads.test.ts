import { describe, expect, test } from "vitest";
import { checkedBytes } from "../../../lambda/web/data/pack-files.ts";
import { attachment } from "../../../lambda/web/routes/downloads.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { FILES, FOLDER, fakePorts, NOW, openSite, sha256Of, testedSite, VERSION, ZIP } from "./fake-site.ts";

const PACK = `/a/main/p/us-2025/${VERSION}`;
const RECORD = { at: NOW, user: "ann", account: "main", period: "us-2025", version: VERSION };

describe("a file", () => {
  test.each([
    ...Object.entries(FILES).map(([path, text]) => [path, text, `file?path=${encodeURIComponent(path)}`] as const),
    ["*", ZIP.toString(), "zip"] as const,
  ])("%s is sent unchanged as a download, and is recorded", async (path, text, target) => {
    const { ports, ask } = openSite();
    const name = path === "*" ? `main-us-2025-${VERSION}.zip` : path.replace("imports/", "");
    expect(await ask(`${PACK}/${target}`)).toMatchObject({
      status: 200,
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(text.length),
        "content-disposition": `attachment; filename="${name}"`,
      },
      body: text,
    });
    expect(ports.records()).toEqual([{ ...RECORD, path }]);
  });

  test.each([
    ["a\r\nset-cookie: x=1.csv", "a__set-cookie__x=1.csv"],
    ['q".csv', "q_.csv"],
    ["imports/büch'er(*).csv", "b_ch_er___.csv"],
  ])("named %j cannot leave its header", (path, plain) => {
    expect(attachment(path)).toBe(`attachment; filename="${plain}"`);
  });

  test("is not sent if the download cannot be recorded", async () => {
    const ports = fakePorts();
    const store = faultyStore(ports.store, ({ method }) => (method === "createNew" ? "fail-before" : "ok"));
    const { ask } = testedSite({ ...ports, storesOf: (account) => ({ account, store, packs: store }) });
    expect(await ask(`${PACK}/file?path=fills.csv`)).toMatchObject({ status: 500 });
    expect(await ask(`${PACK}/zip`)).toMatchObject({ status: 500 });
    const opened = store.operations.filter(({ method }) => method === "openStream").map(({ key }) => key);
    expect(new Set(opened)).toEqual(new Set([`${FOLDER}/SHA256SUMS`, `${FOLDER}/completeness.json`]));
  });

  test("is sent by the host's own link if there is one, and the download is recorded first", async () => {
    const { ports, ask } = openSite({
      links: (_, { key }) => Promise.resolve(`https://store.example/${key}?signed&after=${ports.records().length}`),
    });
    for (const [path, location] of [
      ["file?path=fills.csv", `https://store.example/${FOLDER}/fills.csv?signed&after=1`],
      ["zip", `https://store.example/${FOLDER}.zip?signed&after=2`],
    ]) {
      expect(await ask(`${PACK}/${path}`)).toMatchObject({ status: 303, headers: { location } });
    }
    expect(ports.records().map(({ path }) => path)).toEqual(["fills.csv", "*"]);
  });
});

test("the report is shown with a policy of its own, and does not count as a download", async () => {
  const ports = fakePorts();
  const policy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
  expect(await testedSite(ports).ask(`${PACK}/report`)).toMatchObject({
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
    body: FILES["report.html"],
  });
  expect(ports.records()).toEqual([]);
});

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    yield await Promise.resolve(Buffer.from(text));
  }
}

const LISTED = { path: "fills.csv", bytes: 7, sha256: sha256Of("one two") };

test.each<[readonly string[], RegExp | null]>([
  [["one", "", " two", ""], null],
  [["one", " tw", "0"], /^fills.csv is damaged: its sha256 is [0-9a-f]{64}, but /],
  [["one", " tw"], /^fills.csv has 6 bytes, but its listed size is 7$/],
  [["one two", "!"], /^fills.csv has 8 bytes, but its listed size is 7$/],
])(
  "bytes that are hashed in transit pass unchanged, and are never sent whole if they are damaged: %j",
  async (texts, says) => {
    let text = "";
    const sent = async () => {
      for await (const chunk of checkedBytes(chunks(...texts), LISTED)) {
        text += Buffer.from(chunk).toString();
      }
    };
    await (says === null ? sent() : expect(sent()).rejects.toThrow(says));
    expect(text).toBe((says === null ? texts : texts.slice(0, -1)).join(""));
  },
);
