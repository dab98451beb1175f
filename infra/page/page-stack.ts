import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import type { PageDomain, StackSettings } from "../settings.ts";
import { Alarms } from "../watch/alarms.ts";
import { pageWatches } from "../watch/page-watches.ts";
import { Front } from "./front.ts";
import { PageApi } from "./page-api.ts";
import { PageFunction } from "./page-function.ts";
import { SignInClient } from "./sign-in-client.ts";
import type { UsersStack } from "./users-stack.ts";

export interface PageStackProps extends StackProps {
  readonly settings: StackSettings;
  /** Null: the page is at CloudFront's own name. */
  readonly domain: PageDomain | null;
  readonly archive: ArchiveBucket;
  readonly packs: PackBucket | null;
  readonly users: UsersStack;
  readonly alarmTopic: ITopic;
}

/** The accountant's page: nothing here holds data, so all of it can be deleted and deployed again. */
export class PageStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, domain, archive, packs, users, alarmTopic, ...props }: PageStackProps,
  ) {
    super(scope, id, { ...props, description: "fillbook: the page" });
    const page = new PageApi(this, "Page", settings);
    const { distribution, origin } = new Front(this, "Front", { apiHost: page.host, domain });
    const { client } = new SignInClient(this, "SignIn", { pool: users.pool, origin });
    const signIn = { url: users.domain.baseUrl(), clientId: client.userPoolClientId };
    const { fn, logGroup } = new PageFunction(this, "Server", { archive, packs, settings, origin, signIn });
    page.addRoutes(fn, { pool: users.pool, client });
    new Alarms(this, "Alarms", {
      topic: alarmTopic,
      runbookUrl: settings.runbookUrl,
      watches: pageWatches({ fn, api: page.api }),
    });
    const output = (name: string, value: string) => new CfnOutput(this, name, { value });
    output("PageUrl", origin);
    output("PageTarget", distribution.distributionDomainName);
    output("SignInUrl", signIn.url);
    output("UserPoolId", users.pool.userPoolId);
    output("PageFunctionName", fn.functionName);
    output("PageLogGroupName", logGroup.logGroupName);
    output("AccessLogGroupName", page.logGroup.logGroupName);
  }
}
