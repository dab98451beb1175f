import { expect, test } from "vitest";
import { fakePorts, OPERATOR, testedSite, VERSION } from "./fake-site.ts";
import { readable } from "./uploads.ts";

const NAMES = Array.from({ length: 8000 }, (_, at) => `desk-${String(at).padStart(4, "0")}`);
const EVERYWHERE = { ...OPERATOR, roleIn: () => "operator" as const };

function siteOf(names: readonly string[]) {
  return testedSite({ ...fakePorts(), accounts: () => Promise.resolve(names) });
}

/** Names of the accounts that a page shows, in order. */
function shownIn(page: string): string[] {
  return [...page.matchAll(/<h2><a href="\/a\/(?<name>[^"]+)"/g)].map(({ groups }) => groups?.["name"] ?? "");
}

test("8,000 accounts are listed a page at a time, by name; every one is on one page, and the page says how many", async () => {
  const { ask } = siteOf(NAMES);
  const shown: string[] = [];
  for (let target: string | undefined = "/"; target !== undefined; ) {
    const { status, body } = await ask(target, { user: EVERYWHERE });
    expect(status).toBe(200);
    expect(Buffer.byteLength(body)).toBeLessThan(100_000);
    expect(readable(body)).toContain("of 8,000 accounts, by name.");
    shown.push(...shownIn(body));
    target = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(shown).toEqual(NAMES);
});

test("an account is found by a part of its name, in any case, and is looked into if few are found", async () => {
  const { ask } = siteOf([...NAMES, "main"]);
  const found = async (query: string) => await ask(`/?find=${encodeURIComponent(query)}`, { user: EVERYWHERE });
  const one = await found(" MAI ");
  expect(shownIn(one.body)).toEqual(["main"]);
  expect(readable(one.body)).toContain("1 account found. All accounts");
  expect(one.body).toContain(`/a/main/p/us-2025/${VERSION}`);
  expect(one.body).toContain('name="find" type="search" maxlength="100" value="MAI"');
  const many = await found("desk-1");
  expect(shownIn(many.body)).toEqual(NAMES.filter((name) => name.includes("desk-1")).slice(0, 100));
  expect(readable(many.body)).toContain("1 to 100 of 1,000 accounts, by name.");
  expect(many.body).toContain('rel="next" href="/?find=desk-1&amp;page=2"');
  const none = await found('"><b>');
  expect(shownIn(none.body)).toEqual([]);
  expect(readable(none.body)).toContain("No account of yours has that in its name. All accounts");
  expect(none.body).not.toContain("<b>");
  expect((await found("y".repeat(5000))).body).not.toContain("y".repeat(101));
});

test("accounts that the user may not see are neither counted nor found", async () => {
  const user = { name: "ann", roleIn: (account: string) => (account === "desk-0001" ? ("accountant" as const) : null) };
  const { ask } = siteOf(NAMES);
  const whole = (await ask("/", { user })).body;
  expect(shownIn(whole)).toEqual(["desk-0001"]);
  expect(whole).not.toMatch(/8,000|type="search"/);
  expect(shownIn((await ask("/?find=desk-0002", { user })).body)).toEqual([]);
});
