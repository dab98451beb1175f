import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { readHostedSettings } from "../../lambda/web/hosts/aws/page-settings.ts";
import { resolved, type Values } from "./policy.ts";
import { brief, pageTemplates, type Resource, resourcesOf, templates } from "./synth.ts";

const OWN_NAME = {
  pageDomain: "books.example.com",
  pageCertificate: "arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d",
};
const HOST = "DomainName(FrontDistribution428BE642)";
const POOL = "Import(FillbookUsers:ExportsOutputRefUsers0A0EEA89A1309EA5)";

const { page } = pageTemplates();

function only(type: string, template: Template = page): Resource {
  const [found, ...more] = resourcesOf(template, type);
  if (found === undefined || more.length > 0) {
    throw new Error(`there is not one ${type}`);
  }
  return found[1];
}

function distribution(template: Template = page): Readonly<Record<string, unknown>> {
  return only("AWS::CloudFront::Distribution", template).Properties["DistributionConfig"] as Resource["Properties"];
}

/** Possible values of the template's references after deployment. */
const DEPLOYED: Values = [
  [/Import\(FillbookData:ExportsOutputRefArchive\w+\)/g, "archive"],
  [/Import\(FillbookData:ExportsOutputRefPacks\w+\)/g, "packs"],
  [/Import\(FillbookUsers:ExportsOutputRefSignIn\w+\)/g, "fillbook-000000000000"],
  [/Import\(FillbookUsers:ExportsOutputRefUsers\w+\)/g, "eu-west-1_Pool12345"],
  [/Arn\(ServerAccountRole\w+\)/g, "arn:aws:iam::000000000000:role/fillbook-page-eu-west-1"],
  [/Ref\(SignInClient\w+\)/g, "1example23456789"],
  [/DomainName\(Front\w+\)/g, "d111111abcdef8.cloudfront.net"],
];

function environment(template: Template): Readonly<Record<string, unknown>> {
  const { Variables } = only("AWS::Lambda::Function", template).Properties["Environment"] as {
    Variables: Readonly<Record<string, unknown>>;
  };
  return Variables;
}

/** The settings as the deployed function reads them. */
function told(settings: Readonly<Record<string, string>>) {
  const variables = Object.entries(environment(pageTemplates(settings).page));
  return readHostedSettings(Object.fromEntries(variables.map(([name, value]) => [name, resolved(value, DEPLOYED)])));
}

describe("the page as a client of its users' pool", () => {
  const client = only("AWS::Cognito::UserPoolClient").Properties;

  test("has a secret, accepts no password, receives users with a code, and renews its tokens for twelve hours, each once", () => {
    expect(client).toMatchObject({
      GenerateSecret: true,
      ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH"],
      RefreshTokenRotation: { Feature: "ENABLED", RetryGracePeriodSeconds: 60 },
      AllowedOAuthFlows: ["code"],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: ["openid"],
      SupportedIdentityProviders: ["COGNITO"],
      PreventUserExistenceErrors: "ENABLED",
      AuthSessionValidity: 15,
      EnableTokenRevocation: true,
      AccessTokenValidity: 15,
      RefreshTokenValidity: 720,
      TokenValidityUnits: { AccessToken: "minutes", RefreshToken: "minutes" },
    });
    // The template does not pass the secret on either: the function reads it itself.
    expect(JSON.stringify(page.toJSON())).not.toContain("ClientSecret");
  });

  test.each([
    ["CloudFront's own name", {}, HOST],
    ["a name of the user's own", OWN_NAME, "books.example.com"],
  ])("sends users back only to %s", (_, settings, host) => {
    const { CallbackURLs, LogoutURLs } = only("AWS::Cognito::UserPoolClient", pageTemplates(settings).page)
      .Properties as Readonly<Record<string, readonly unknown[]>>;
    expect(CallbackURLs?.map(brief)).toEqual([`https://${host}/signed-in`]);
    expect(LogoutURLs?.map(brief)).toEqual([`https://${host}/signed-out`]);
  });
});

describe("the API", () => {
  test("requires a token of this pool for this client, except for signing in, signing out and the style files", () => {
    const routes = resourcesOf(page, "AWS::ApiGatewayV2::Route").map(([, { Properties }]) => [
      Properties["RouteKey"],
      Properties["AuthorizationType"],
      brief(Properties["AuthorizerId"]),
    ]);
    expect(routes.sort()).toEqual([
      ["$default", "JWT", "Ref(PageApiUsersA5863B38)"],
      ["GET /sign-in", "NONE", "undefined"],
      ["GET /signed-in", "NONE", "undefined"],
      ["GET /signed-out", "NONE", "undefined"],
      ["GET /static/{name}", "NONE", "undefined"],
      ["POST /sign-in", "NONE", "undefined"],
    ]);
    const authorizer = only("AWS::ApiGatewayV2::Authorizer").Properties;
    const { Issuer, Audience } = authorizer["JwtConfiguration"] as { Issuer: unknown; Audience: readonly unknown[] };
    expect(brief(Issuer)).toBe(`https://cognito-idp.Ref(AWS::Region).amazonaws.com/${POOL}`);
    expect(Audience.map(brief)).toEqual(["Ref(SignInClient51D43616)"]);
    expect(authorizer).toMatchObject({ AuthorizerType: "JWT", IdentitySource: ["$request.header.Authorization"] });
  });

  test("logs who asked for what with which result, and no credentials", () => {
    const { Format, DestinationArn } = only("AWS::ApiGatewayV2::Stage").Properties["AccessLogSettings"] as Readonly<
      Record<string, unknown>
    >;
    const logged: Readonly<Record<string, string>> = JSON.parse(String(Format));
    expect(brief(DestinationArn)).toBe("Arn(PageAccessLog0A1B13B2)");
    expect(logged).toMatchObject({
      requestId: "$context.requestId",
      user: "$context.authorizer.claims.username",
      route: "$context.routeKey",
      path: "$context.path",
      status: "$context.status",
      ip: "$context.identity.sourceIp",
    });
    const variables = Object.values(logged).join();
    expect(variables).not.toMatch(/query|cookie|header|token|protocol|requestOverride/i);
  });

  test("is the only caller of the function", () => {
    const permissions = resourcesOf(page, "AWS::Lambda::Permission").map(([, { Properties }]) => Properties);
    expect(permissions).toHaveLength(6);
    for (const { Action, Principal, SourceArn } of permissions) {
      expect([Action, Principal]).toEqual(["lambda:InvokeFunction", "apigateway.amazonaws.com"]);
      expect(brief(SourceArn)).toContain(":Ref(PageApi2AD80B79)/");
    }
    expect(resourcesOf(page, "AWS::Lambda::Url")).toEqual([]);
    expect(only("AWS::ApiGatewayV2::Api").Properties).not.toHaveProperty("CorsConfiguration");
  });
});

describe("the page's function", () => {
  test("gets the places of its resources in a form that it can read, and no secret", () => {
    expect(told({})).toEqual({
      store: "s3://archive/fillbook",
      packStore: null,
      origin: "https://d111111abcdef8.cloudfront.net",
      role: "arn:aws:iam::000000000000:role/fillbook-page-eu-west-1",
      signInUrl: "https://fillbook-000000000000.auth.eu-west-1.amazoncognito.com",
      signInClient: "1example23456789",
      userPool: "eu-west-1_Pool12345",
      machine: "arn:aws:states:eu-west-1:000000000000:stateMachine:fillbook",
      accountList: expect.stringMatching(/^s3:\/\/cdk-\w+-assets-000000000000-eu-west-1\/[0-9a-f]{64}\.json$/),
      endpoint: null,
    });
    const named = Object.keys(environment(page)).filter((name) => name !== "NODE_OPTIONS");
    expect(named).toHaveLength(8); // one for each setting above, except the pack store and the endpoint
  });

  test("gets a bucket for packs and the user's own domain", () => {
    expect(told({ packLockDays: "30", prefix: "books", ...OWN_NAME })).toMatchObject({
      store: "s3://archive/books",
      packStore: "s3://packs/books",
      origin: "https://books.example.com",
    });
  });

  test("reads the same list of accounts as the nightly run", () => {
    const key = (template: Template) => /[0-9a-f]{64}\.json/.exec(JSON.stringify(template.toJSON()))?.[0];
    const { page: two, job } = pageTemplates({ accounts: "main,second" });
    expect(key(two)).toBe(key(job));
    expect(key(two)).not.toBe(key(page));
  });
});

describe("CloudFront", () => {
  test("forwards every request unchanged to the API, by https and once, and caches neither answers nor failures", () => {
    const { DefaultCacheBehavior, Origins, CustomErrorResponses } = distribution();
    expect(CustomErrorResponses).toEqual(
      [500, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
    expect(DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
      // CachingDisabled:
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
      CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
      // AllViewerExceptHostHeader:
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html
      OriginRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
      ViewerProtocolPolicy: "redirect-to-https",
      FunctionAssociations: [
        {
          EventType: "viewer-request",
          FunctionARN: { "Fn::GetAtt": ["FrontViewerRequestF5F32716", "FunctionARN"] },
        },
      ],
    });
    const [origin, ...more] = Origins as readonly Readonly<Record<string, unknown>>[];
    expect(more).toEqual([]);
    expect(brief(origin?.["DomainName"])).toBe("Ref(PageApi2AD80B79).execute-api.Ref(AWS::Region).Ref(AWS::URLSuffix)");
    expect(origin).toMatchObject({ ConnectionAttempts: 1 });
    expect(origin?.["CustomOriginConfig"]).toMatchObject({
      OriginProtocolPolicy: "https-only",
      OriginSSLProtocols: ["TLSv1.2"],
    });
  });

  test("caches the page's style files, and forwards no cookie, header or query for them", () => {
    const [look, ...more] = distribution()["CacheBehaviors"] as readonly Readonly<Record<string, unknown>>[];
    expect(more).toEqual([]);
    expect(look).toMatchObject({
      PathPattern: "/static/*",
      AllowedMethods: ["GET", "HEAD"],
      CachePolicyId: "658327ea-f89d-4fab-a63d-7e88639e58f6", // CachingOptimized
      Compress: true,
      ViewerProtocolPolicy: "redirect-to-https",
    });
    expect(look).not.toHaveProperty("OriginRequestPolicyId");
  });

  test("adds its headers to every answer, but keeps the function's own content security policy", () => {
    const { SecurityHeadersConfig } = only("AWS::CloudFront::ResponseHeadersPolicy").Properties[
      "ResponseHeadersPolicyConfig"
    ] as Readonly<Record<string, unknown>>;
    expect(SecurityHeadersConfig).toEqual({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: true, Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: "SAMEORIGIN", Override: true },
      ReferrerPolicy: { ReferrerPolicy: "no-referrer", Override: true },
      ContentSecurityPolicy: {
        ContentSecurityPolicy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        Override: false,
      },
    });
    const { DefaultCacheBehavior, CacheBehaviors } = distribution();
    for (const behaviour of [DefaultCacheBehavior, ...(CacheBehaviors as readonly unknown[])]) {
      expect(behaviour).toMatchObject({ ResponseHeadersPolicyId: { Ref: "FrontHeadersBCCF1AEB" } });
    }
  });
});

/** The bucket policies' statements that exist for the page. */
const OF_PAGE = ["SignedLinksDoNotLast", "ThePageChangesInputsByCompareAndSwap"];

/** Every resource of the other stacks, without those statements. */
function otherResources(settings: Readonly<Record<string, string>>): unknown {
  const { data, job, tokens } = templates(settings);
  const all = [data, job, ...tokens].flatMap((template) => resourcesOf(template));
  return JSON.parse(JSON.stringify(all), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => !OF_PAGE.includes(one?.Sid)) : value,
  );
}

test("the page changes only two things in other stacks: how long links last, and how the page writes files", () => {
  expect(otherResources({ page: "on" })).toEqual(otherResources({}));
});
