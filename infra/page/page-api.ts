import { Aws } from "aws-cdk-lib";
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
import { Construct } from "constructs";
import { keptLog } from "../function.ts";
import type { StackSettings } from "../settings.ts";

/**
 * Requests a second of all users together, and the burst: some people who click, and a page that polls its
 * run every few seconds.
 */
const THROTTLE = { rateLimit: 50, burstLimit: 100 } as const;

/** Routes without authorizer: signing in and out, and the page's style and script. */
const PUBLIC_ROUTES = {
  SignIn: [HttpMethod.GET, "/sign-in"],
  SignInAgain: [HttpMethod.POST, "/sign-in"],
  SignedIn: [HttpMethod.GET, "/signed-in"],
  SignedOut: [HttpMethod.GET, "/signed-out"],
  Static: [HttpMethod.GET, "/static/{name}"],
} as const;

/**
 * For each request: who, what, and how it ended. It logs neither query strings nor headers, because they hold
 * credentials. The address is CloudFront's, which sends the request: the API's log has no variable for the
 * client behind it.
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

/**
 * The API between CloudFront and the function. It requires a token of this user pool and this client that has
 * not expired.
 */
export function pageApi(scope: Construct, settings: Pick<StackSettings, "logRetentionDays">) {
  const here = new Construct(scope, "Page");
  const api = new HttpApi(here, "Api", {
    apiName: "fillbook-page",
    description: "fillbook: the page",
    createDefaultStage: false,
  });
  const logGroup = keptLog(here, "AccessLog", settings);
  new HttpStage(here, "Stage", {
    httpApi: api,
    stageName: "$default",
    autoDeploy: true,
    throttle: THROTTLE,
    accessLogSettings: {
      destination: new LogGroupLogDestination(logGroup),
      format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    },
  });
  const host = `${api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`; // users only see CloudFront's
  return { here, api, logGroup, host };
}

/** Called last: the function's settings include the page's address, which depends on this API. */
export function addRoutes(
  { here, api: httpApi }: ReturnType<typeof pageApi>,
  fn: IFunction,
  { pool, client }: { readonly pool: IUserPool; readonly client: IUserPoolClient },
): void {
  const integration = new HttpLambdaIntegration("Function", fn);
  const route = (id: string, routeKey: HttpRouteKey, authorizer: IHttpRouteAuthorizer) =>
    new HttpRoute(here, id, { httpApi, routeKey, integration, authorizer });
  route("Default", HttpRouteKey.DEFAULT, new HttpUserPoolAuthorizer("Users", pool, { userPoolClients: [client] }));
  for (const [id, [method, path]] of Object.entries(PUBLIC_ROUTES)) {
    route(id, HttpRouteKey.with(path, method), new HttpNoneAuthorizer());
  }
}
