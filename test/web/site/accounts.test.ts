import { expect, test } from "vitest";
import { fakePorts, OPERATOR, testedSite } from "./fake-site.ts";

const NAMES = Array.from({ length: 8000 }, (_, at) => `desk-${String(at).padStart(4, "0")}`);

/** Names of the accounts that the page shows to a user of these, in order. */
async function shownTo(roleIn: (account: string) => "operator" | null) {
  const { ask } = testedSite({ ...fakePorts(), accounts: () => Promise.resolve(NAMES) });
  const { body } = await ask("/", { user: { ...OPERATOR, roleIn } });
  const found = [...body.matchAll(/<a href="\/a\/(?<name>[\w-]+)"/g)].map(({ groups }) => groups?.["name"] ?? "");
  return { body, names: [...new Set(found)] };
}

test("8,000 accounts are listed by name, in a page that a function can send", async () => {
  const { body, names } = await shownTo(() => "operator");
  expect(names).toEqual(NAMES);
  expect(Buffer.byteLength(body)).toBeLessThan(1_000_000);
});

test("accounts that the user may not see are not listed", async () => {
  const { names } = await shownTo((account) => (account === "desk-0001" ? "operator" : null));
  expect(names).toEqual(["desk-0001"]);
});
