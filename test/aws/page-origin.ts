import type { Resource, Template } from "./template.ts";

interface Origin {
  readonly DomainName: unknown;
  readonly CustomOriginConfig?: object;
}

/**
 * MiniStack's CloudFront contacts no origin under amazonaws.com (cloudfront.py, `_AWS_OWNED_HOST_SUFFIXES`).
 * Here the distribution reaches the API by another path at which MiniStack serves it. `endpoint`: the
 * emulator's https address.
 */
export function withOriginHere(template: Template, resource: Resource, endpoint: string): Resource {
  const config = resource.Properties?.["DistributionConfig"] as { readonly Origins: readonly Origin[] } | undefined;
  const [api] = Object.entries(template.Resources).find(([, { Type }]) => Type === "AWS::ApiGatewayV2::Api") ?? [];
  if (resource.Type !== "AWS::CloudFront::Distribution" || config === undefined || api === undefined) {
    return resource;
  }
  const { hostname, port } = new URL(endpoint);
  const Origins = config.Origins.map((origin) => ({
    ...origin,
    DomainName: hostname,
    OriginPath: { "Fn::Sub": `/_aws/execute-api/\${${api}}/$default` },
    CustomOriginConfig: { ...origin.CustomOriginConfig, HTTPSPort: Number(port) },
  }));
  return { ...resource, Properties: { ...resource.Properties, DistributionConfig: { ...config, Origins } } };
}
