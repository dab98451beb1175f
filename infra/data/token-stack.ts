import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { type CfnSecret, ResourcePolicy, Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { ACCOUNT_TAG } from "../../lambda/job/account-role.ts";
import { NAMES, roleArn } from "../names.ts";
import { deny } from "../roles.ts";

/** The tokens of some accounts, one secret each. Protected from deletion; retained if deleted. */
export class TokenStack extends Stack {
  constructor(scope: Construct, id: string, accounts: readonly string[]) {
    super(scope, id, { description: "fillbook: tokens", terminationProtection: true });
    for (const account of accounts) {
      this.#secret(account);
    }
  }

  /**
   * Created without a value, so that no template holds a token: a person puts the token in (RUNBOOK, "The
   * token").
   */
  #secret(account: string): void {
    const secret = new Secret(this, `Token-${account}`, {
      secretName: NAMES.secret(account),
      description: `fillbook: the trading service's token of account ${account}, as {"token": "..."}`,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    (secret.node.defaultChild as CfnSecret).addPropertyDeletionOverride("GenerateSecretString");
    const refuse = (sid: string, conditions: Record<string, unknown>) =>
      secret.addToResourcePolicy(deny(sid, ["secretsmanager:GetSecretValue"], ["*"], conditions));
    refuse("OnlyTheJobReadsTheToken", { ArnNotEquals: { "aws:PrincipalArn": roleArn(this, NAMES.accountRole) } });
    refuse("OnlyForThisAccount", { StringNotEquals: { [`aws:PrincipalTag/${ACCOUNT_TAG}`]: account } });
    const policy = secret.node.tryFindChild("Policy");
    if (policy instanceof ResourcePolicy) {
      policy.applyRemovalPolicy(RemovalPolicy.RETAIN); // a secret that stays behind when its account leaves is still nobody else's
    }
  }
}
