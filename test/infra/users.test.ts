import { describe, expect, test } from "vitest";
import { addUser, type Directory, readAddition } from "../../infra/users/add-user.ts";

const ACCOUNTS = ["main", "second"];

function directory(existing: readonly string[] = []) {
  const did: string[] = [];
  const pool: Directory = {
    create: (name, mail) => {
      did.push(`create ${name} ${mail}`);
      return Promise.resolve(!existing.includes(name));
    },
    addToGroup: (name, group) => {
      did.push(`${name} into ${group}`);
      return Promise.resolve();
    },
  };
  return { pool, did };
}

describe("a user of the page", () => {
  const addition = readAddition(["add", "ann", "ann@example.com", "accountant:main", "operator:*"], ACCOUNTS);
  const pageUrl = "https://d1.cloudfront.net";

  test("is created and put into the groups, and the creator tells the user the address", async () => {
    const { pool, did } = directory();
    const said = await addUser(pool, addition, { pageUrl, page: { domain: null } });
    expect(did).toEqual(["create ann ann@example.com", "ann into accountant:main", "ann into operator:*"]);
    expect(said).toEqual([
      "ann was created. A first password was sent to ann@example.com.",
      "Groups from the next sign-in on: accountant:main, operator:*.",
      "The mail does not contain the page's address: send https://d1.cloudfront.net yourself.",
    ]);
  });

  test("gets the address by mail if the page has its own domain", async () => {
    const domain = { name: "books.example.com", certificate: "arn" };
    const said = await addUser(directory().pool, addition, { pageUrl: "https://books.example.com", page: { domain } });
    expect(said.at(-1)).toBe("The mail contains the page's address: https://books.example.com");
  });

  test("that exists already gets the groups and no second mail", async () => {
    const { pool, did } = directory(["ann"]);
    expect(await addUser(pool, addition, { pageUrl, page: { domain: null } })).toEqual([
      "ann exists already.",
      "Groups from the next sign-in on: accountant:main, operator:*.",
    ]);
    expect(did).toHaveLength(3);
  });
});

test.each([
  [["remove", "ann"], /there is no command remove: write add NAME MAIL GROUP/],
  [["add"], /^NAME, MAIL and GROUP are missing\. For help: npm run user -- --help$/],
  [["add", "ann"], /^MAIL and GROUP are missing\./],
  [["add", "ann", "ann@example.com"], /^GROUP is missing\./],
  [["add", "an n", "ann@example.com", "accountant:main"], /the name an n/],
  [["add", "ann", "example.com", "accountant:main"], /example\.com is not an email address/],
  [["add", "ann", "ann@example.com", "reader:main"], /reader:main is not a group: write accountant:ACCOUNT/],
  [["add", "ann", "ann@example.com", "accountant:third"], /no account third. Its accounts are main, second/],
])("%o is refused with advice", (argv, message) => {
  expect(() => readAddition(argv, ACCOUNTS)).toThrow(message);
});
