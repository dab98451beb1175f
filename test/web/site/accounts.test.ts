import { expect, test } from "vitest";
import { fakePorts, OPERATOR, testedSite } from "./fake-site.ts";

const NAMES = Array.from({ length: 8000 }, (_, at) => `desk-${String(at).padStart(4, "0")}`);

test.each([
  ["all", NAMES],
  ["one", ["desk-0001"]],
])(
  "of 8,000 accounts, those of a user are listed by name, in a page that a function can send: %s",
  async (_, theirs) => {
    const { ask } = testedSite({ ...fakePorts(), accounts: () => Promise.resolve(NAMES) });
    const isTheirs = new Set(theirs);
    const roleIn = (account: string) => (isTheirs.has(account) ? ("operator" as const) : null);
    const { body } = await ask("/", { user: { ...OPERATOR, roleIn } });
    const listed = [...body.matchAll(/<a href="\/a\/(?<name>[\w-]+)"/g)].map(({ groups }) => groups?.["name"]);
    expect([...new Set(listed)]).toEqual(theirs);
    expect(Buffer.byteLength(body)).toBeLessThan(1_000_000);
  },
);
