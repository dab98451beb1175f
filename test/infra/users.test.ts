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

  test("is made, put into the groups, and told where by who made it", async () => {
    const { pool, did } = directory();
    const said = await addUser(pool, addition, { pageUrl, page: { domain: null } });
    expect(did).toEqual(["create ann ann@example.com", "ann into accountant:main", "ann into operator:*"]);
    expect(said).toEqual([
      "ann is made, and gets a mail at ann@example.com with a first password.",
      "In: accountant:main, operator:*; from the next sign-in on.",
      "The mail cannot say where the page is: send https://d1.cloudfront.net yourself.",
    ]);
  });

  test("is told where by the mail, where the page has a name of its own", async () => {
    const domain = { name: "books.example.com", certificate: "arn" };
    const said = await addUser(directory().pool, addition, { pageUrl: "https://books.example.com", page: { domain } });
    expect(said.at(-1)).toBe("The mail says where the page is: https://books.example.com");
  });

  test("that is there gets the groups and no second mail", async () => {
    const { pool, did } = directory(["ann"]);
    expect(await addUser(pool, addition, { pageUrl, page: { domain: null } })).toEqual([
      "ann was there already.",
      "In: accountant:main, operator:*; from the next sign-in on.",
    ]);
    expect(did).toHaveLength(3);
  });
});

test.each([
  [["remove", "ann"], /add NAME MAIL GROUP/],
  [["add", "ann", "ann@example.com"], /add NAME MAIL GROUP/],
  [["add", "an n", "ann@example.com", "accountant:main"], /the name an n/],
  [["add", "ann", "example.com", "accountant:main"], /example\.com is not a mail address/],
  [["add", "ann", "ann@example.com", "reader:main"], /the group reader:main: write accountant:ACCOUNT/],
  [
    ["add", "ann", "ann@example.com", "accountant:third"],
    /no account third in this deployment: there are main, second/,
  ],
])("%o is refused, with what to write", (argv, message) => {
  expect(() => readAddition(argv, ACCOUNTS)).toThrow(message);
});
