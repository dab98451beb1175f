import { Queue } from "aws-cdk-lib/aws-sqs";
import type { IConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import { testApp } from "./synth.ts";

interface Acknowledged {
  readonly id: string;
  readonly reason: string;
}

/** Where in the tree, which rule, why. */
function acknowledgements(root: IConstruct): readonly (readonly [string, Acknowledged])[] {
  return root.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter(({ type }) => type.includes("acknowledge"))
        .flatMap(({ data }): (readonly [string, Acknowledged])[] =>
          Object.entries<string>(data).map(([id, reason]) => [construct.node.path, { id, reason }]),
        ),
    );
}

describe("the app", () => {
  test("synthesises with no settings, no AWS account and no finding of cdk-nag", () => {
    const { app } = testApp();
    expect(() => app.synth()).not.toThrow();
  });

  test("is checked: a finding that nobody acknowledged stops it", () => {
    const { app, data } = testApp();
    new Queue(data, "Loose");
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/);
  });

  test("accepts these findings, each for a reason", () => {
    const { app } = testApp({ encryption: "kms" });
    const list = acknowledgements(app);
    expect(list.map(([path, { id }]) => `${path}: ${id}`).sort()).toEqual([
      "FillbookData/Archive/AccessLogs: AwsSolutions::AwsSolutions-S1",
      "FillbookData/Token-main: AwsSolutions::AwsSolutions-SMG4",
      ...["*", "fills/*", "manifests/*", "pages/*", "restatements/*"].map(
        (keys) =>
          `FillbookJob-main/Job/Role: AwsSolutions::AwsSolutions-IAM5[Resource::FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E/fillbook/main/${keys}]`,
      ),
      "FillbookJob-main/Loop/Machine: AwsSolutions::AwsSolutions-SF1",
      "FillbookJob-main/Loop/Machine: AwsSolutions::AwsSolutions-SF2",
      "FillbookJob-main/Nightly/DeadLetters: AwsSolutions::AwsSolutions-SQS3",
    ]);
    for (const [, { reason }] of list) {
      expect(reason.length).toBeGreaterThan(60);
    }
  });

  test("gives each account a job stack of its own", () => {
    const { app, jobs } = testApp({ accounts: "main,second" });
    expect(jobs.map(({ stackName }) => stackName)).toEqual(["FillbookJob-main", "FillbookJob-second"]);
    expect(() => app.synth()).not.toThrow();
  });
});
