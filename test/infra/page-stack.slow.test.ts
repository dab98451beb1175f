import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { environmentIn } from "./policy.ts";
import { brief, OWN_NAME, type Resource, resourcesOf, templates } from "./synth.ts";

const POOL = "Import(FillbookUsers:ExportsOutputRefUsers0A0EEA89A1309EA5)";

const { page, users } = templates();

function only(type: string, template: Template = page): Resource {
  const [found, ...more] = resourcesOf(template, type);
  if (found === undefined || more.length > 0) {
    throw new Error(`there is not one ${type}`);
  }
  return found[1];
}

function distribution(): Readonly<Record<string, unknown>> {
  return only("AWS::CloudFront::Distribution").Properties["DistributionConfig"] as Resource["Properties"];
}

const pool = only("AWS::Cognito::UserPool", users).Properties;

test("the users of the page are created by a person, each with an app as second factor and a long password", () => {
  expect(pool).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    MfaConfiguration: "ON",
    EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
    Policies: { PasswordPolicy: { MinimumLength: 14, TemporaryPasswordValidityDays: 3 } },
    AccountRecoverySetting: { RecoveryMechanisms: [{ Name: "verified_email", Priority: 1 }] },
    DeletionProtection: "ACTIVE",
  });
  // No text message is ever sent, and nothing replaces the user name, which groups and the history use.
  for (const property of ["SmsConfiguration", "AliasAttributes", "UsernameAttributes"]) {
    expect(pool).not.toHaveProperty(property);
  }
});

describe("the page as a client of its users' pool", () => {
  test("accepts no password, receives users with a code, and renews its tokens for twelve hours, each once", () => {
    expect(only("AWS::Cognito::UserPoolClient").Properties).toMatchObject({
      ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH"],
      RefreshTokenRotation: { Feature: "ENABLED", RetryGracePeriodSeconds: 60 },
      AllowedOAuthFlows: ["code"],
      PreventUserExistenceErrors: "ENABLED",
      EnableTokenRevocation: true,
      AccessTokenValidity: 15,
      RefreshTokenValidity: 720,
      TokenValidityUnits: { AccessToken: "minutes", RefreshToken: "minutes" },
    });
  });

  test("sends users back only to the page", () => {
    const { page: own } = templates(OWN_NAME);
    const { Properties } = only("AWS::Cognito::UserPoolClient", own);
    const addresses = [Properties["CallbackURLs"], Properties["LogoutURLs"]].flat().map(brief);
    expect(addresses).toEqual(["https://books.example.com/signed-in", "https://books.example.com/signed-out"]);
    expect(environmentIn(own, [])).toMatchObject({ FILLBOOK_PAGE_ORIGIN: "https://books.example.com" });
  });
});

describe("the API", () => {
  test("requires a token of this pool for this client, except for signing in, signing out and the style files", () => {
    const routes = resourcesOf(page, "AWS::ApiGatewayV2::Route").map(([, { Properties }]) =>
      ["RouteKey", "AuthorizationType", "AuthorizerId"].map((name) => brief(Properties[name])),
    );
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

  test("logs who asked for what, and no credentials", () => {
    const { Format } = only("AWS::ApiGatewayV2::Stage").Properties["AccessLogSettings"] as Resource["Properties"];
    const logged = Object.values<string>(JSON.parse(String(Format))).join();
    expect(logged).toContain("claims.username");
    expect(logged).not.toMatch(/query|cookie|header|token|protocol|requestOverride/i);
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

test("the page reads the same list of accounts as the nightly run", () => {
  const key = (template: Template) => /[0-9a-f]{64}\.json/.exec(JSON.stringify(template.toJSON()))?.[0];
  const { page: two, job } = templates({ accounts: "main,second" });
  expect(key(two)).toBe(key(job));
});

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html
const POLICIES = {
  CachingDisabled: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
  CachingOptimized: "658327ea-f89d-4fab-a63d-7e88639e58f6",
  AllViewerExceptHostHeader: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
};

describe("CloudFront", () => {
  test("forwards every request to the API, by https and once; it caches only the style files, and no failure", () => {
    const { DefaultCacheBehavior, CacheBehaviors, Origins, CustomErrorResponses } = distribution();
    expect(CustomErrorResponses).toEqual(
      [500, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
    const always = {
      ViewerProtocolPolicy: "redirect-to-https",
      ResponseHeadersPolicyId: { Ref: "FrontHeadersBCCF1AEB" },
    };
    expect(DefaultCacheBehavior).toMatchObject({
      ...always,
      AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
      CachePolicyId: POLICIES.CachingDisabled,
      OriginRequestPolicyId: POLICIES.AllViewerExceptHostHeader,
      FunctionAssociations: [{ EventType: "viewer-request" }],
    });
    const methods = { AllowedMethods: ["GET", "HEAD"], CachePolicyId: POLICIES.CachingOptimized };
    expect(CacheBehaviors).toMatchObject([{ ...always, ...methods, PathPattern: "/static/*" }]);
    expect(JSON.stringify(CacheBehaviors)).not.toContain("OriginRequestPolicyId"); // no cookie, header or query
    const [origin, ...more] = Origins as readonly Readonly<Record<string, unknown>>[];
    expect(more).toEqual([]);
    expect(brief(origin?.["DomainName"])).toBe("Ref(PageApi2AD80B79).execute-api.Ref(AWS::Region).Ref(AWS::URLSuffix)");
    expect(origin).toMatchObject({
      ConnectionAttempts: 1,
      CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
    });
  });

  test("adds its headers to every answer, but keeps the function's own content security policy", () => {
    const { SecurityHeadersConfig } = only("AWS::CloudFront::ResponseHeadersPolicy").Properties[
      "ResponseHeadersPolicyConfig"
    ] as Resource["Properties"];
    expect(SecurityHeadersConfig).toMatchObject({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: "SAMEORIGIN", Override: true },
      ReferrerPolicy: { ReferrerPolicy: "no-referrer", Override: true },
      ContentSecurityPolicy: { ContentSecurityPolicy: expect.stringMatching(/^default-src 'none'/), Override: false },
    });
  });
});
