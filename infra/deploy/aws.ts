import { CloudFormationClient, GetTemplateCommand, paginateDescribeStacks } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { paginateListSecrets, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import type { Cloud, SecretState, StackState } from "./cloud.ts";

/** The AWS account and region that the environment's credentials select. */
export function awsCloud(): Cloud {
  const sts = new STSClient();
  const formation = new CloudFormationClient();
  const lambda = new LambdaClient();
  const secretsManager = new SecretsManagerClient();
  return {
    region: () => sts.config.region(),
    async identity() {
      const { Account = "", Arn = "" } = await sts.send(new GetCallerIdentityCommand());
      return { account: Account, arn: Arn };
    },
    async stacks() {
      const found: StackState[] = [];
      for await (const { Stacks = [] } of paginateDescribeStacks({ client: formation }, {})) {
        for (const { StackName = "", StackStatus = "", Outputs = [] } of Stacks) {
          const outputs = Outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue] as const);
          found.push({ name: StackName, status: StackStatus, outputs: new Map(outputs) });
        }
      }
      return found;
    },
    async template(stack) {
      const { TemplateBody = "{}" } = await formation.send(
        new GetTemplateCommand({ StackName: stack, TemplateStage: "Original" }),
      );
      return JSON.parse(TemplateBody);
    },
    async secrets(description) {
      const found: SecretState[] = [];
      const filter = { Filters: [{ Key: "description" as const, Values: [description] }] };
      for await (const { SecretList = [] } of paginateListSecrets({ client: secretsManager }, filter)) {
        for (const { Name = "", Description = "", SecretVersionsToStages: stages = {} } of SecretList) {
          found.push({
            name: Name,
            description: Description,
            hasValue: Object.values(stages).some((labels) => labels.includes("AWSCURRENT")),
          });
        }
      }
      return found.filter((secret) => secret.description.startsWith(description));
    },
    async concurrency() {
      const { AccountLimit: limit = {} } = await lambda.send(new GetAccountSettingsCommand());
      return {
        limit: limit.ConcurrentExecutions ?? 0,
        unreserved: limit.UnreservedConcurrentExecutions ?? 0,
      };
    },
    async reserved(functionName) {
      const { ReservedConcurrentExecutions = 0 } = await lambda.send(
        new GetFunctionConcurrencyCommand({ FunctionName: functionName }),
      );
      return ReservedConcurrentExecutions;
    },
  };
}
