import { expect, test } from "vitest";
import { completeness, packByHand } from "../data/hand-written.ts";
import { FILES, fakePorts, sha256Of, testedSite, VERSION } from "./fake-site.ts";
import { readable } from "./uploads.ts";

/** The page of the account, whose newest pack was made with a funding.csv and has this completeness.json instead. */
async function overviewWith(
  inputs: Readonly<Record<string, string>>,
  { text, of = ["main"] }: { readonly text?: string; readonly of?: readonly string[] } = {},
) {
  const ports = fakePorts();
  const made = [{ path: "inputs/funding.csv", sha256: sha256Of("x") }];
  const accounts = { report_currency: null, inputs: made, net_realised_pnl: [] };
  const claim = completeness("us-2025", { accounts, of });
  const files = { ...FILES, "completeness.json": text ?? claim };
  for (const [key, body] of packByHand({ period: "us-2025", version: VERSION, files })) {
    ports.store.put(key, body);
  }
  for (const [name, content] of Object.entries(inputs)) {
    ports.store.put(`main/inputs/${name}`, Buffer.from(content));
  }
  const { body } = await testedSite(ports).ask("/a/main");
  return { body, text: readable(body) };
}

const AGAIN = /<form class="start"[^>]*>(?:(?!<\/form>)[\s\S])*Make it again/;

test("a file that is not among the user's any more, is new, or is another, is named beside the pack", async () => {
  const gone = await overviewWith({ "marks.csv": "z" });
  expect(gone.text).toMatch(
    /▲ Records complete; .*; made with other files .* It was made with funding\.csv, which is not in the store's inputs\/\. To make it again with the same files, put them there, or export with the same --inputs\./,
  );
  // It may have been made with --inputs: nothing says that files changed.
  expect((await overviewWith({})).text).not.toMatch(/▲|made with other files/);
  const same = await overviewWith({ "funding.csv": "x" });
  expect(same.text).not.toMatch(/made with other files|It was made with/);
  expect(same.body).not.toMatch(AGAIN);
  // Put up while the pack was being made: it is not newer than the pack.
  const other = await overviewWith({ "funding.csv": "y", "marks.csv": "z" });
  expect(other.text).toContain("It was made without the present funding.csv, marks.csv. Make it again.");
  expect(AGAIN.exec(other.body)?.[0]).toContain('name="period" value="us-2025"');
  // A pack of several accounts was made with files of theirs, which lie elsewhere.
  expect((await overviewWith({}, { of: ["main", "other"] })).text).not.toContain("made with other files");
});

test("a pack that cannot be read is not called complete, and has no figures", async () => {
  const { body, text } = await overviewWith({}, { text: "{" });
  expect(text).toContain("▲ Cannot be read");
  expect(body).not.toMatch(/class="tag good"|Net realised PnL/);
});

test.each(["/", "/a/main"])("no version is called the current one if latest.json is damaged: %s", async (target) => {
  const ports = fakePorts();
  ports.store.put("main/packs/us-2025/latest.json", Buffer.from("{"));
  const { body } = await testedSite(ports).ask(target);
  expect(readable(body)).toContain(
    "latest.json does not name this version as the current one of its period. Use the version that it names",
  );
  expect(body).not.toContain('class="tag good"');
});
