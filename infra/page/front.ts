import { join } from "node:path";
import { Aws, Duration } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { Construct } from "constructs";
import type { PageDomain } from "../settings.ts";

/**
 * For answers that do not come from the function but from the authorizer, the API or CloudFront. They may run
 * and load nothing.
 */
const STRICT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * CloudFront in front of the API: the whole page has one origin, so no other site receives its cookies.
 * `domain`: null for CloudFront's own name. Gives the page's origin as a browser sends it in Origin:
 * `https://host`.
 */
export function front(scope: Construct, apiHost: string, domain: PageDomain | null) {
  const here = new Construct(scope, "Front");
  const shared = {
    origin: new HttpOrigin(apiHost, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // Longer than the API waits. One attempt only: a repeated request would be carried out twice.
      readTimeout: Duration.seconds(35),
      connectionAttempts: 1,
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    responseHeadersPolicy: headers(here),
  } as const satisfies BehaviorOptions;
  const distribution = new Distribution(here, "Distribution", {
    comment: "fillbook: the page",
    httpVersion: HttpVersion.HTTP2_AND_3,
    ...(domain === null
      ? {}
      : {
          domainNames: [domain.name],
          certificate: Certificate.fromCertificateArn(here, "Certificate", domain.certificate),
          minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        }),
    // By default CloudFront caches these errors for ten seconds, whatever their headers say: one user's
    // failure would reach every user.
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
    errorResponses: [500, 502, 503, 504].map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    defaultBehavior: {
      ...shared,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // With caching off it also forwards the header Authorization, which a policy of our own cannot name:
      // https://repost.aws/knowledge-center/cloudfront-authorization-header
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: false, // what is not cached is not compressed
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: viewerRequest(here) }],
    },
    additionalBehaviors: {
      // The same for everybody: CloudFront forwards no cookie, header or query.
      "/static/*": {
        ...shared,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
      },
    },
  });
  return { distribution, origin: `https://${domain?.name ?? distribution.distributionDomainName}` };
}

function viewerRequest(here: Construct): CloudFrontFunction {
  return new CloudFrontFunction(here, "ViewerRequest", {
    comment: "fillbook: the session's cookie becomes a header",
    code: FunctionCode.fromFile({ filePath: join(import.meta.dirname, "viewer-request.js") }),
    runtime: FunctionRuntime.JS_2_0,
  });
}

function headers(here: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(here, "Headers", {
    responseHeadersPolicyName: `fillbook-page-${Aws.REGION}`,
    comment: "fillbook: the page",
    securityHeadersBehavior: {
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
      contentTypeOptions: { override: true },
      // The page shows a pack's report in a frame of its own.
      frameOptions: { frameOption: HeadersFrameOption.SAMEORIGIN, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      // The function's answers set a policy of their own.
      contentSecurityPolicy: { contentSecurityPolicy: STRICT_POLICY, override: false },
    },
  });
}
