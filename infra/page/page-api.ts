import { Aws, RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpUserPoolAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { IUserPool, IUserPoolClient } from "aws-cdk-lib/aws-cognito";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import type { StackSettings } from "../settings.ts";

/** Requests a second, of all users together, and how many more at once: some people who click, and a page that asks every few seconds how its run goes. */
const THROTTLE = { rateLimit: 50, burstLimit: 100 } as const;

/** What is for everybody: the way in and out, and the look of the page. */
const PUBLIC_ROUTES = {
  SignIn: [HttpMethod.GET, "/sign-in"],
  SignInAgain: [HttpMethod.POST, "/sign-in"],
  SignedIn: [HttpMethod.GET, "/signed-in"],
  SignedOut: [HttpMethod.GET, "/signed-out"],
  Static: [HttpMethod.GET, "/static/{name}"],
} as const;

/**
 * Of each request: who, what, how it ended. Neither query strings nor headers, which hold what people sign in with. The address is CloudFront's, from which
 * the request comes: the API's log has no way to the one before it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const ACCESS_LOG = {
  requestId: "$context.requestId",
  time: "$context.requestTime",
  user: "$context.authorizer.claims.username",
  method: "$context.httpMethod",
  route: "$context.routeKey",
  path: "$context.path",
  status: "$context.status",
  ip: "$context.identity.sourceIp",
  tookMs: "$context.responseLatency",
  bytes: "$context.responseLength",
  refused: "$context.authorizer.error",
  error: "$context.error.message",
  functionError: "$context.integrationErrorMessage",
} as const;

/** What stands between CloudFront and the function: it lets nobody in whose token is not the pool's, in time, and for this client. */
export class PageApi extends Construct {
  readonly api: HttpApi;
  readonly logGroup: LogGroup;
  /** Host name of the API, which people have no need to know. */
  readonly host: string;

  constructor(scope: Construct, id: string, settings: Pick<StackSettings, "logRetentionDays">) {
    super(scope, id);
    this.api = new HttpApi(this, "Api", {
      apiName: "fillbook-page",
      description: "fillbook: the page",
      createDefaultStage: false,
    });
    this.logGroup = new LogGroup(this, "AccessLog", {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    new HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.logGroup),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.host = `${this.api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  /** After all else is made: what the function is told depends on where the page is, and that on this API. */
  addRoutes(fn: IFunction, { pool, client }: { readonly pool: IUserPool; readonly client: IUserPoolClient }): void {
    const integration = new HttpLambdaIntegration("Function", fn);
    const route = (id: string, routeKey: HttpRouteKey, authorizer: IHttpRouteAuthorizer) =>
      new HttpRoute(this, id, { httpApi: this.api, routeKey, integration, authorizer });
    const users = new HttpUserPoolAuthorizer("Users", pool, { userPoolClients: [client] });
    route("Default", HttpRouteKey.DEFAULT, users);
    for (const [id, [method, path]] of Object.entries(PUBLIC_ROUTES)) {
      const open = route(id, HttpRouteKey.with(path, method), new HttpNoneAuthorizer());
      acknowledge(open, "AwsSolutions-APIG4");
    }
  }
}
