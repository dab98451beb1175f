import { Duration } from "aws-cdk-lib";
import {
  CfnManagedLoginBranding,
  CfnUserPoolClient,
  type IUserPool,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";

/**
 * The page as a client of its user pool: users sign in on Cognito's pages and come back with a code. It has a
 * secret, which its function reads by itself, and no call that takes a password. `origin`: of the page,
 * `https://host`.
 */
export function signInClient(scope: Construct, userPool: IUserPool, origin: string): UserPoolClient {
  const here = new Construct(scope, "SignIn");
  const client = new UserPoolClient(here, "Client", {
    userPool,
    generateSecret: true,
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID],
      callbackUrls: [`${origin}/signed-in`],
      logoutUrls: [`${origin}/signed-out`],
    },
    // Nothing asks Cognito whether a session was ended meanwhile: so it is over by itself after so long, and
    // renewed if it was not.
    accessTokenValidity: Duration.minutes(15),
    idTokenValidity: Duration.minutes(15),
    // For each step: the first sign-in chooses a password, and then sets up an app for codes.
    authSessionValidity: Duration.minutes(15),
    refreshTokenValidity: Duration.hours(12),
    // With each use there is a new one, which lives as long as the first would have. For so long the old one
    // may be used again: two tabs ask at
    // once, and an answer may be lost on its way. More Cognito does not take.
    refreshTokenRotationGracePeriod: Duration.seconds(60),
    enableTokenRevocation: true,
    preventUserExistenceErrors: true,
  });
  const resource = client.node.defaultChild;
  if (!(resource instanceof CfnUserPoolClient)) {
    throw new TypeError("the client construct has no CfnUserPoolClient to take the flows of passwords from");
  }
  // Where none is named, or a password's, Cognito takes passwords by its API as well. By SRP a password is
  // proven and not sent: its own pages need
  // one. Cognito refuses the flow for refresh tokens to a client that gets a new one with each use, and has
  // its endpoint for tokens.
  // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html
  resource.explicitAuthFlows = ["ALLOW_USER_SRP_AUTH"];
  // Cognito's newer pages are shown to clients that have a style, and to no others.
  new CfnManagedLoginBranding(here, "Style", {
    userPoolId: userPool.userPoolId,
    clientId: client.userPoolClientId,
    useCognitoProvidedValues: true,
  });
  return client;
}
