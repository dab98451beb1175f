import { expect, test } from "vitest";
import { accountEnvironment } from "../../../lambda/job/lambda/account.ts";

const SEVERAL = {
  FILLBOOK_STORE: "s3://archive/fillbook",
  FILLBOOK_TOKEN_SECRET: "fillbook/{account}",
  FILLBOOK_TOKEN_SECRETS: "old=Tokenold-1a2b3c,older=Tokenolder-4d5e6f",
};

test.each([
  ["main", "fillbook/main"],
  ["old", "Tokenold-1a2b3c"],
  ["ol", "fillbook/ol"],
])("the environment of account %s has its name and the name of its secret", (account, secret) => {
  expect(accountEnvironment(SEVERAL, account)).toMatchObject({
    FILLBOOK_STORE: "s3://archive/fillbook",
    FILLBOOK_ACCOUNT: account,
    FILLBOOK_TOKEN_SECRET: secret,
  });
});

test("an event must name its account if there are several, but need not name the only one", () => {
  const one = { FILLBOOK_ACCOUNT: "main", FILLBOOK_TOKEN_SECRET: "fillbook/{account}" };
  expect(accountEnvironment(one, null)).toEqual({ FILLBOOK_ACCOUNT: "main", FILLBOOK_TOKEN_SECRET: "fillbook/main" });
  expect(() => accountEnvironment(SEVERAL, null)).toThrow(/names no account/);
});

test("an account that the deployment does not have is refused", () => {
  expect(() => accountEnvironment({ FILLBOOK_ACCOUNT: "main" }, "second")).toThrow(/has only account "main"/);
});

test("without a secret, the account has no secret either", () => {
  expect(accountEnvironment({ FILLBOOK_TOKEN: "abc" }, "main")["FILLBOOK_TOKEN_SECRET"]).toBeUndefined();
});
