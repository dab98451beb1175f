import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { stackSettings } from "../../infra/settings.ts";

const read = (context: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  stackSettings(new App({ context }).node, env);

describe("stack settings", () => {
  test("have a default each", () => {
    expect(read({})).toEqual({
      accounts: ["main"],
      accountUrl: "https://account.example.invalid",
      marketDataUrl: "https://market-data.example.invalid",
      prefix: "fillbook",
      scheduleHour: 4,
      zone: "UTC",
      alarmEmail: null,
      logRetentionDays: 400,
      encryption: "s3",
      reservedConcurrency: 1,
      maxRps: null,
      lookBackDays: 7,
      runbookUrl: "RUNBOOK.md",
    });
  });

  test("come from the context before the environment", () => {
    const env = { FILLBOOK_ACCOUNTS: "a, b", FILLBOOK_SCHEDULE_HOUR: "7", FILLBOOK_ACCOUNT_URL: "https://a.example" };
    expect(read({ scheduleHour: 5 }, env)).toMatchObject({
      accounts: ["a", "b"],
      scheduleHour: 5,
      accountUrl: "https://a.example",
    });
  });

  test.each([
    [{ accounts: "Main" }, /accounts is "Main"/],
    [{ accounts: "a,a" }, /without repetition/],
    [{ accountUrl: "http://a.example" }, /accountUrl is "http:\/\/a.example", but must be an https address/],
    [{ marketDataUrl: "nowhere" }, /marketDataUrl is "nowhere"/],
    [{ prefix: "/x" }, /prefix/],
    [{ zone: "Europe/Atlantis" }, /zone is "Europe\/Atlantis", but must be an IANA time zone/],
    [{ scheduleHour: "24" }, /scheduleHour is "24"/],
    [{ scheduleHour: "2", zone: "Europe/London" }, /daylight saving/],
    [{ alarmEmail: "nobody" }, /alarmEmail/],
    [{ logRetentionDays: "30" }, /logRetentionDays is "30", but must be one of 365/],
    [{ encryption: "rot13" }, /encryption is "rot13", but must be s3 or kms/],
    [{ reservedConcurrency: "0" }, /reservedConcurrency/],
    [{ maxRps: "fast" }, /maxRps/],
    [{ lookBackDays: "week" }, /lookBackDays/],
    [{ lookBackDays: "3651" }, /lookBackDays is "3651", but must be a whole number of days from 0 to 3650/],
  ])("refuse %o", (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});
