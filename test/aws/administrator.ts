import { CreateStackCommand, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { AssumeRoleCommand } from "@aws-sdk/client-sts";
import { ACCOUNT_ID } from "./cdk.ts";
import { type Clients, clientsOf, until } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";

const NAME = "administrator";

const TEMPLATE = {
  Resources: {
    Role: {
      Type: "AWS::IAM::Role",
      Properties: {
        RoleName: NAME,
        AssumeRolePolicyDocument: {
          Version: "2012-10-17",
          Statement: [
            { Effect: "Allow", Principal: { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` }, Action: "sts:AssumeRole" },
          ],
        },
        Policies: [
          {
            PolicyName: "Everything",
            PolicyDocument: {
              Version: "2012-10-17",
              Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }],
            },
          },
        ],
      },
    },
  },
};

/**
 * A person who may do everything that no policy denies. The emulator does not apply bucket policies to the
 * account's root user, as AWS would.
 */
export async function asAdministrator(place: CloudPlace, owner: Clients): Promise<Clients> {
  await owner.formation.send(
    new CreateStackCommand({
      StackName: NAME,
      TemplateBody: JSON.stringify(TEMPLATE),
      Capabilities: ["CAPABILITY_NAMED_IAM"],
    }),
  );
  await until("the administrator's role", 30_000, async () => {
    const { Stacks: stacks = [] } = await owner.formation.send(new DescribeStacksCommand({ StackName: NAME }));
    return stacks.find(({ StackStatus: status }) => status === "CREATE_COMPLETE") ?? null;
  });
  const { Credentials: keys } = await owner.sts.send(
    new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${ACCOUNT_ID}:role/${NAME}`, RoleSessionName: NAME }),
  );
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = keys ?? {};
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined) {
    throw new Error("the administrator got no keys");
  }
  return clientsOf(place, { accessKeyId, secretAccessKey, sessionToken });
}
