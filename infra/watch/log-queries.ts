import { CfnQueryDefinition, type ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { QUERIES, queryText } from "./queries.ts";

/** The questions that the runbook asks of the log, saved in the folder `fillbook` of CloudWatch Logs Insights. */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, { logGroup }: { readonly logGroup: ILogGroup }) {
    super(scope, id);
    for (const query of QUERIES) {
      new CfnQueryDefinition(this, query.title.replaceAll(" ", ""), {
        name: `fillbook/${query.title}`,
        logGroupNames: [logGroup.logGroupName],
        queryString: queryText(query),
      });
    }
  }
}
