import { describe, expect, test } from "vitest";
import { readHostedSettings } from "../../../../lambda/web/hosts/aws/page-settings.ts";

const GIVEN = {
  FILLBOOK_STORE: "s3://archive-1/fillbook",
  FILLBOOK_PAGE_ORIGIN: "https://d111111abcdef8.cloudfront.net",
  FILLBOOK_PAGE_ROLE: "arn:aws:iam::123456789012:role/fillbook-page-eu-west-1",
  FILLBOOK_SIGN_IN_URL: "https://fillbook-123456789012.auth.eu-west-1.amazoncognito.com",
  FILLBOOK_SIGN_IN_CLIENT: "1example23456789",
  FILLBOOK_USER_POOL: "eu-west-1_aBcDeF123",
  FILLBOOK_MACHINE: "arn:aws:states:eu-west-1:123456789012:stateMachine:fillbook",
  FILLBOOK_ACCOUNT_LIST: "s3://assets-1/0123abcd.json",
};

test("reads the stack's settings, with packs and services elsewhere or not", () => {
  const read = {
    store: GIVEN.FILLBOOK_STORE,
    packStore: null,
    origin: GIVEN.FILLBOOK_PAGE_ORIGIN,
    role: GIVEN.FILLBOOK_PAGE_ROLE,
    signInUrl: GIVEN.FILLBOOK_SIGN_IN_URL,
    signInClient: GIVEN.FILLBOOK_SIGN_IN_CLIENT,
    userPool: GIVEN.FILLBOOK_USER_POOL,
    machine: GIVEN.FILLBOOK_MACHINE,
    accountList: GIVEN.FILLBOOK_ACCOUNT_LIST,
    endpoint: null,
  };
  expect(readHostedSettings(GIVEN)).toEqual(read);
  expect(readHostedSettings({ ...GIVEN, FILLBOOK_PACK_STORE: "", AWS_ENDPOINT_URL: "" })).toEqual(read);
  const more = { FILLBOOK_PACK_STORE: "s3://packs-1/fillbook", AWS_ENDPOINT_URL: "http://127.0.0.1:4566" };
  expect(readHostedSettings({ ...GIVEN, ...more })).toEqual({
    ...read,
    packStore: more.FILLBOOK_PACK_STORE,
    endpoint: more.AWS_ENDPOINT_URL,
  });
});

describe("is refused, with its name and what to do", () => {
  const expected = (variable: string, is: string) =>
    expect.objectContaining({
      kind: "usage",
      message: `${variable} is ${is}`,
      hint: "deploy the page's stack again: it sets this variable",
    });

  test.each(Object.keys(GIVEN))("%s that is not set", (variable) => {
    for (const value of ["", undefined]) {
      expect(() => readHostedSettings({ ...GIVEN, [variable]: value })).toThrow(expected(variable, "not set"));
    }
  });

  test.each([
    ["FILLBOOK_STORE", "./folder"],
    ["FILLBOOK_PACK_STORE", "./folder"],
    ["FILLBOOK_PAGE_ORIGIN", "https://d111111abcdef8.cloudfront.net/"],
    ["FILLBOOK_PAGE_ORIGIN", "http://d111111abcdef8.cloudfront.net"],
    ["FILLBOOK_PAGE_ORIGIN", "null"],
    ["FILLBOOK_PAGE_ROLE", "fillbook-page"],
    ["FILLBOOK_SIGN_IN_URL", "http://login.example"],
    ["FILLBOOK_SIGN_IN_URL", "https://login.example/"],
    ["FILLBOOK_SIGN_IN_URL", "https://user@login.example"],
    ["FILLBOOK_SIGN_IN_CLIENT", "a&b"],
    ["FILLBOOK_USER_POOL", "aBcDeF123"],
    ["FILLBOOK_USER_POOL", "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_aBcDeF123"],
    ["FILLBOOK_MACHINE", "arn:aws:states:eu-west-1:123456789012:execution:fillbook:x"],
    ["FILLBOOK_ACCOUNT_LIST", "s3://assets-1"],
    ["AWS_ENDPOINT_URL", "ftp://127.0.0.1"],
    ["AWS_ENDPOINT_URL", "http://s3.example"],
    ["AWS_ENDPOINT_URL", "http://127.0.0.1@s3.example"],
    ["AWS_ENDPOINT_URL", "http://127.0.0.1.example"],
  ])("%s=%s", (variable, value) => {
    expect(() => readHostedSettings({ ...GIVEN, [variable]: value })).toThrow(expected(variable, `"${value}"`));
  });
});
