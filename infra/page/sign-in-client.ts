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

export interface SignInClientProps {
  readonly pool: IUserPool;
  /** Of the page: `https://host`. */
  readonly origin: string;
}

/** The page as a client of its user pool: users sign in on Cognito's pages and come back with a code. It has no secret, and no call that takes a password. */
export class SignInClient extends Construct {
  readonly client: UserPoolClient;

  constructor(scope: Construct, id: string, { pool, origin }: SignInClientProps) {
    super(scope, id);
    this.client = new UserPoolClient(this, "Client", {
      userPool: pool,
      generateSecret: false,
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID],
        callbackUrls: [`${origin}/signed-in`],
        logoutUrls: [`${origin}/signed-out`],
      },
      accessTokenValidity: Duration.hours(1),
      idTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(12),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
    });
    const resource = this.client.node.defaultChild;
    if (!(resource instanceof CfnUserPoolClient)) {
      throw new TypeError("the client construct has no CfnUserPoolClient to take the flows of passwords from");
    }
    // Where none is named, Cognito takes passwords by its API as well.
    resource.explicitAuthFlows = ["ALLOW_REFRESH_TOKEN_AUTH"];
    // Cognito's newer pages are shown to clients that have a style, and to no others.
    new CfnManagedLoginBranding(this, "Style", {
      userPoolId: pool.userPoolId,
      clientId: this.client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
  }
}
