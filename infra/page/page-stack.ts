import { CfnOutput, Duration, Stack } from "aws-cdk-lib";
import {
  CfnManagedLoginBranding,
  type CfnUserPoolClient,
  type IUserPool,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from "aws-cdk-lib/aws-cognito";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type { DataStack } from "../data/data-stack.ts";
import type { StackSettings } from "../settings.ts";
import { addAlarms } from "../watch/alarms.ts";
import { pageWatches } from "../watch/watches.ts";
import { front } from "./front.ts";
import { addRoutes, pageApi } from "./page-api.ts";
import { pageFunction } from "./page-function.ts";
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
    const signIn = { url: users.domain.baseUrl(), clientId: client.userPoolClientId };
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

/**
 * The page as a client of its user pool: users sign in on Cognito's pages and return with a code. PKCE
 * ties a code to the browser that asked for it, so the client needs no secret; no call accepts a password.
 * `origin`: the page's, `https://host`.
 */
function signInClient(scope: Construct, userPool: IUserPool, origin: string): UserPoolClient {
  const here = new Construct(scope, "SignIn");
  const client = new UserPoolClient(here, "Client", {
    userPool,
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID],
      callbackUrls: [`${origin}/signed-in`],
      logoutUrls: [`${origin}/signed-out`],
    },
    // The authorizer does not ask Cognito whether a session was ended. So a token expires after this time,
    // and the page renews it only if the session still exists.
    accessTokenValidity: Duration.minutes(15),
    idTokenValidity: Duration.minutes(15),
    // For each step of signing in: a first sign-in chooses a password, then sets up an authenticator app.
    authSessionValidity: Duration.minutes(15),
    refreshTokenValidity: Duration.hours(12),
    // Each use returns a new refresh token with the lifetime of the first. The old token stays valid for this
    // long, because two tabs may renew at once and an answer may be lost. 60 s is the longest that Cognito
    // allows.
    refreshTokenRotationGracePeriod: Duration.seconds(60),
    enableTokenRevocation: true,
    preventUserExistenceErrors: true,
  });
  // If no flow or a password flow is listed, Cognito's API accepts passwords too. SRP proves a password
  // without sending it, and Cognito's own pages need one flow. Cognito refuses the refresh-token flow to a
  // client with rotating refresh tokens; such a client uses the token endpoint instead.
  // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html
  (client.node.defaultChild as CfnUserPoolClient).explicitAuthFlows = ["ALLOW_USER_SRP_AUTH"];
  // Cognito shows its newer pages only for clients that have a style.
  new CfnManagedLoginBranding(here, "Style", {
    userPoolId: userPool.userPoolId,
    clientId: client.userPoolClientId,
    useCognitoProvidedValues: true,
  });
  return client;
}
