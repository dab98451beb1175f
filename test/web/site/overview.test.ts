import { expect, test } from "vitest";
import type { User } from "../../../lambda/web/ports.ts";
import { completeness, putPack } from "../data/hand-written.ts";
import { FILES, fakePorts, OPERATOR, openSite, sha256Of, TOGETHER, testedSite, VERSION } from "./fake-site.ts";
import { readable } from "./uploads.ts";

/** The page of the account, whose newest pack was made with a funding.csv and has this completeness.json instead. */
async function overviewWith(inputs: Readonly<Record<string, string>>, text?: string) {
  const ports = fakePorts();
  const made = [{ path: "inputs/funding.csv", sha256: sha256Of("x") }];
  const accounts = { report_currency: null, inputs: made, net_realised_pnl: [] };
  const claim = completeness("us-2025", { accounts });
  const files = { ...FILES, "completeness.json": text ?? claim };
  putPack(ports.store, { period: "us-2025", version: VERSION, files });
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
});

test("a pack that cannot be read is not called complete, and has no figures", async () => {
  const { body, text } = await overviewWith({}, "{");
  expect(text).toContain("▲ Cannot be read");
  expect(body).not.toMatch(/class="tag good"|Net realised PnL/);
});

test("of several accounts together there are packs, for who may see each account", async () => {
  const { ask, ports } = openSite();
  ports.store.put(`${TOGETHER}/packs/us-2025/latest.json`, Buffer.from("{"));
  ports.store.put(`${TOGETHER}/inputs/marks.csv`, Buffer.from("x")); // the accounts' own files lie elsewhere
  const user: User = { ...OPERATOR, roleIn: () => "operator" };
  const own = `/a/${TOGETHER}`;
  const pack = `${own}/p/us-2025/${VERSION}`;
  for (const [target, link] of Object.entries({ "/": own, [own]: `${own}/p/us-2025/`, [pack]: `${pack}/zip` })) {
    const { body } = await ask(target, { user });
    expect(readable(body)).toContain(" main, other ");
    expect(body).toContain(`href="${link}`);
    expect(body).not.toMatch(/Files checked|other files|Make it again|\/a\/main_other\/(?:make|files|jobs)/);
  }
  expect((await ask(`${pack}/file?path=fills.csv`, { user })).body).toBe(FILES["fills.csv"]);
  expect(ports.records()).toMatchObject([{ account: TOGETHER, path: "fills.csv" }]);
  expect((await ask(`${own}/history`, { user })).body).toContain(pack);
  expect((await ask("/")).body).not.toContain(TOGETHER);
});

/** Newest first. */
const PERIODS = [2025, 2024, 2023].flatMap((year) => [
  `us-${year}`,
  ...Array.from({ length: 12 }, (_, at) => `month-${year}-${String(12 - at).padStart(2, "0")}`),
]);

test("the newest 25 periods are shown, and all if they are asked for, newest first", async () => {
  const ports = fakePorts();
  for (const period of PERIODS) {
    putPack(ports.store, { period, version: VERSION, files: { "completeness.json": completeness(period) } });
  }
  const { ask } = testedSite(ports);
  const listed = async (query: string) =>
    [...(await ask(`/a/main${query}`)).body.matchAll(/ data-period="([^"]+)"/g)].map(([, name]) => name);
  expect(await listed("")).toEqual(PERIODS.slice(0, 25));
  expect((await ask("/a/main")).body).toContain(
    `<a href="/a/main?all=1#packs">${PERIODS.length - 25} older periods</a>`,
  );
  expect(await listed("?all=1")).toEqual(PERIODS);
});

test("an account's newest pack is shown on the first page also while the pack of a newer period is being written", async () => {
  const ports = fakePorts();
  ports.store.put(`main/packs/month-2026-01/${VERSION}/fills.csv`, Buffer.from("x"));
  const { body } = await testedSite(ports).ask("/");
  expect(body).toContain(`<a href="/a/main/p/us-2025/${VERSION}">`);
  expect(body).not.toContain("No pack was made yet");
});

const ACCOUNTS = Array.from({ length: 8000 }, (_, at) => `desk-${String(at).padStart(4, "0")}`);

test.each([
  ["all", ACCOUNTS],
  ["one", ["desk-0001"]],
])(
  "of 8,000 accounts, those of a user are listed by name, in a page that a function can send: %s",
  async (_, theirs) => {
    const { ask } = testedSite({ ...fakePorts(), accounts: () => Promise.resolve(ACCOUNTS) });
    const isTheirs = new Set(theirs);
    const roleIn = (account: string) => (isTheirs.has(account) ? ("operator" as const) : null);
    const { body } = await ask("/", { user: { ...OPERATOR, roleIn } });
    const listed = [...body.matchAll(/<a href="\/a\/(?<name>[\w-]+)"/g)].map(({ groups }) => groups?.["name"]);
    expect([...new Set(listed)]).toEqual(theirs);
    expect(Buffer.byteLength(body)).toBeLessThan(1_000_000);
  },
);
