import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { AlarmTopic } from "./alarm-topic.ts";
import { Alarms } from "./alarms.ts";
import type { ArchiveBucket } from "./archive-bucket.ts";
import { JobFunction } from "./job-function.ts";
import { Loop } from "./loop.ts";
import { Nightly } from "./nightly.ts";
import type { StackSettings } from "./settings.ts";

export interface JobStackProps extends StackProps {
  readonly account: string;
  readonly settings: StackSettings;
  readonly archive: ArchiveBucket;
  readonly secret: ISecret;
}

/** What runs, for one account: nothing here holds data, so all of it can be deleted and deployed again. */
export class JobStack extends Stack {
  constructor(scope: Construct, id: string, props: JobStackProps) {
    super(scope, id, { ...props, description: `fillbook: the export of account ${props.account}` });
    const { account, settings } = props;
    const { fn } = new JobFunction(this, "Job", props);
    const { machine } = new Loop(this, "Loop", { account, fn });
    const { deadLetters } = new Nightly(this, "Nightly", { account, machine, settings });
    const { topic } = new AlarmTopic(this, "AlarmTopic", settings.alarmEmail);
    new Alarms(this, "Alarms", { account, fn, machine, deadLetters, topic, settings });
    new CfnOutput(this, "StateMachineArn", { value: machine.stateMachineArn });
    new CfnOutput(this, "FunctionName", { value: fn.functionName });
  }
}
