import { join } from "node:path";
import { Duration } from "aws-cdk-lib";
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
import { acknowledge } from "../acknowledgements.ts";
import type { Names } from "../names.ts";
import type { PageDomain } from "../settings.ts";

/** Of answers that are not the function's: the authorizer's, the API's, CloudFront's. Nothing in them is to be run or shown with anything else. */
const STRICT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface Front {
  readonly distribution: Distribution;
  /** As a browser writes it into Origin: `https://host`. */
  readonly origin: string;
}

interface FrontProps {
  readonly apiHost: string;
  /** Null: CloudFront's own name. */
  readonly domain: PageDomain | null;
}

/** CloudFront before the API: one origin for all of the page, so that its cookies are no other site's. */
export function front(scope: Construct, names: Names, { apiHost, domain }: FrontProps): Front {
  const here = new Construct(scope, "Front");
  const shared = {
    origin: new HttpOrigin(apiHost, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // Longer than the API waits, and once: what CloudFront asks again would be done again.
      readTimeout: Duration.seconds(35),
      connectionAttempts: 1,
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    responseHeadersPolicy: headers(here, names),
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
    // CloudFront keeps these for ten seconds otherwise, whatever their headers say: one user's failure would be everybody's.
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
    errorResponses: [500, 502, 503, 504].map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    defaultBehavior: {
      ...shared,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // With caching off it also hands on the header Authorization, which a policy of our own could not name:
      // https://repost.aws/knowledge-center/cloudfront-authorization-header
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: false, // what is not cached is not compressed
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: viewerRequest(here) }],
    },
    additionalBehaviors: {
      // The same for everybody: no cookie, header or query goes further than CloudFront.
      "/static/*": {
        ...shared,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
      },
    },
  });
  for (const rule of ["AwsSolutions-CFR1", "AwsSolutions-CFR2", "AwsSolutions-CFR3"] as const) {
    acknowledge(distribution, rule);
  }
  if (domain === null) {
    acknowledge(distribution, "AwsSolutions-CFR4");
  }
  return { distribution, origin: `https://${domain?.name ?? distribution.distributionDomainName}` };
}

function viewerRequest(here: Construct): CloudFrontFunction {
  return new CloudFrontFunction(here, "ViewerRequest", {
    comment: "fillbook: the session's cookie becomes a header",
    code: FunctionCode.fromFile({ filePath: join(import.meta.dirname, "viewer-request.js") }),
    runtime: FunctionRuntime.JS_2_0,
  });
}

function headers(here: Construct, names: Names): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(here, "Headers", {
    responseHeadersPolicyName: names.pageHeaders,
    comment: "fillbook: the page",
    securityHeadersBehavior: {
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
      contentTypeOptions: { override: true },
      // A pack's report is shown in a frame of the page's own.
      frameOptions: { frameOption: HeadersFrameOption.SAMEORIGIN, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      // The function's own answers say what may be in them.
      contentSecurityPolicy: { contentSecurityPolicy: STRICT_POLICY, override: false },
    },
  });
}
