import { CfnOutput, Stack } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { DataStack } from "../data/data-stack.ts";
import type { StackSettings } from "../settings.ts";
import { addAlarms } from "../watch/alarms.ts";
import { pageWatches } from "../watch/watches.ts";
import { front } from "./front.ts";
import { addRoutes, pageApi } from "./page-api.ts";
import { pageFunction } from "./page-function.ts";
import { signInClient } from "./sign-in-client.ts";
import type { UsersStack } from "./users-stack.ts";

export interface PageStackProps {
  readonly data: DataStack;
  readonly settings: StackSettings;
  readonly users: UsersStack;
  readonly alarms: ITopic;
}

/** The accountant's page. It holds no data, so all of it can be deleted and deployed again. */
export class PageStack extends Stack {
  constructor(scope: Construct, id: string, { data, settings, users, alarms }: PageStackProps) {
    super(scope, id, { description: "fillbook: the page" });
    const page = pageApi(this, settings);
    const { distribution, origin } = front(this, page.host, settings.page?.domain ?? null);
    const client = signInClient(this, users.pool, origin);
    const signIn = { url: users.domain.baseUrl(), clientId: client.userPoolClientId, pool: users.pool };
    const { fn, logGroup } = pageFunction(this, { data, settings, origin, signIn });
    addRoutes(page, fn, { pool: users.pool, client });
    addAlarms(this, alarms, settings.runbookUrl, pageWatches(page.api));
    for (const [name, value] of Object.entries({
      PageUrl: origin,
      PageTarget: distribution.distributionDomainName,
      SignInUrl: signIn.url,
      UserPoolId: users.pool.userPoolId,
      PageFunctionName: fn.functionName,
      PageLogGroupName: logGroup.logGroupName,
      AccessLogGroupName: page.logGroup.logGroupName,
    })) {
      new CfnOutput(this, name, { value });
    }
  }
}
