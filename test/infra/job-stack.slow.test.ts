import { describe, expect, test } from "vitest";
import { environmentIn } from "./policy.ts";
import { templates } from "./synth.ts";

describe("the function", () => {
  // test/handler/recorded.system.test.ts runs the function in this environment.
  test("gets the places of its resources, and no secret", () => {
    const { job } = templates({ prefix: "books" });
    expect(environmentIn(job, [])).toEqual({
      FILLBOOK_ACCOUNT: "main",
      FILLBOOK_ACCOUNT_ROLE: "Arn(JobAccountRoleC289F2EB)",
      FILLBOOK_STORE: "s3://Import(FillbookData:ExportsOutputRefArchiveBucket49F1AC64975B769B)/books",
      FILLBOOK_ACCOUNT_URL: "https://account.example.com",
      FILLBOOK_MARKET_DATA_URL: "https://market-data.example.com",
      FILLBOOK_TOKEN_SECRET: "fillbook/{account}",
      FILLBOOK_LOOK_BACK_DAYS: "7",
      NODE_OPTIONS: "--enable-source-maps --max-semi-space-size=16",
    });
  });

  test("gets limits from the settings", () => {
    const variables = environmentIn(templates({ maxRps: "0.5", lookBackDays: "30" }).job, []);
    expect(variables).toMatchObject({ FILLBOOK_MAX_RPS: "0.5", FILLBOOK_LOOK_BACK_DAYS: "30" });
  });
});

test("the schedule starts the run of all accounts nightly, in the settings' time zone, with few retries", () => {
  const { job } = templates({ zone: "Europe/London", scheduleHour: "5" });
  job.hasResourceProperties("AWS::Scheduler::Schedule", {
    ScheduleExpression: "cron(10 5 * * ? *)",
    ScheduleExpressionTimezone: "Europe/London",
    FlexibleTimeWindow: { Mode: "OFF" },
    State: "ENABLED",
    GroupName: "fillbook",
    Target: {
      Arn: { Ref: "NightsMachineEBB06EB1" },
      Input: '{"action":"sync"}',
      RetryPolicy: { MaximumEventAgeInSeconds: 7200, MaximumRetryAttempts: 5 },
    },
  });
});
