import { Aws, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import {
  AccountRecovery,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  UserPool,
  UserPoolDomain,
  UserPoolGroup,
} from "aws-cdk-lib/aws-cognito";
import type { Construct } from "constructs";
import type { PageDomain } from "../settings.ts";

const FIRST_PASSWORD_DAYS = 3;

/** The roles. A group's name is a role, then an account or `*` for all (lambda/web/hosts/aws/claims.ts). */
const ROLES = ["accountant", "operator"] as const;

/**
 * Who may sign in to the page, and in which role. People create the users and cannot recreate them, so the
 * pool and its groups are protected from deletion, and retained if deleted.
 */
export class UsersStack extends Stack {
  readonly pool: UserPool;
  /** Cognito's own sign-in pages. */
  readonly domain: UserPoolDomain;

  /** `domain`: the page's; null: CloudFront's own name, which is not known before the pool exists. */
  constructor(scope: Construct, id: string, domain: PageDomain | null) {
    super(scope, id, { description: "fillbook: the users of the page", terminationProtection: true });
    this.pool = new UserPool(this, "Users", {
      userPoolName: "fillbook",
      selfSignUpEnabled: false,
      userInvitation: {
        emailSubject: "Your access to fillbook",
        emailBody: invitation(domain),
      },
      signInAliases: { username: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(FIRST_PASSWORD_DAYS),
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.domain = new UserPoolDomain(this, "SignIn", {
      userPool: this.pool,
      cognitoDomain: { domainPrefix: `fillbook-${Aws.ACCOUNT_ID}` }, // unique across AWS
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    for (const role of ROLES) {
      new UserPoolGroup(this, `All-${role}`, {
        userPool: this.pool,
        groupName: `${role}:*`,
        description: `fillbook: ${role} of all accounts`,
      }).applyRemovalPolicy(RemovalPolicy.RETAIN);
    }
  }
}

/** The mail to a new user; Cognito fills in the name and the password. */
function invitation(domain: PageDomain | null): string {
  const where = domain === null ? "at the address that you will receive" : `at https://${domain.name}`;
  return `Sign in ${where} as {username} with the first password {####}. It is valid for ${FIRST_PASSWORD_DAYS} days. You will then choose a new password and set up an authenticator app.`;
}
