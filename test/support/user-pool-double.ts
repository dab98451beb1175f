import { createServer } from "node:http";
import { json as bodyOf } from "node:stream/consumers";
import { listen, stop } from "./loopback.ts";
import { accessKeyIdOf } from "./signature.ts";

/**
 * Cognito's DescribeUserPoolClient on 127.0.0.1, for the real SDK through
 * AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER. It follows
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPoolClient.html
 * and requires a signature but does not check it.
 */
export interface UserPoolDouble {
  readonly endpoint: string;
  /** By `pool/client`; null: a client without a secret. */
  readonly secrets: Map<string, string | null>;
  /** Pool and client of each call, and the access key that signed it. */
  readonly calls: { readonly pool: string; readonly client: string; readonly accessKeyId: string }[];
  /** The error that refuses every call; null: none is refused. */
  refusal: string | null;
  close(): Promise<void>;
}

type Asked = Readonly<Record<string, string | undefined>>;

export async function startUserPoolDouble(): Promise<UserPoolDouble> {
  const answerTo = (target: unknown, { UserPoolId: pool = "", ClientId: client = "" }: Asked, accessKeyId: string) => {
    double.calls.push({ pool, client, accessKeyId });
    if (double.refusal !== null || target !== "AWSCognitoIdentityProviderService.DescribeUserPoolClient") {
      return [400, { __type: double.refusal ?? "UnknownOperationException" }] as const;
    }
    const secret = accessKeyId === "" ? undefined : double.secrets.get(`${pool}/${client}`);
    if (secret === undefined) {
      return [400, { __type: "ResourceNotFoundException", message: `${client} does not exist.` }] as const;
    }
    const own = secret === null ? {} : { ClientSecret: secret };
    return [200, { UserPoolClient: { UserPoolId: pool, ClientId: client, ClientName: "page", ...own } }] as const;
  };

  const server = createServer((request, response) => {
    const serve = async () => {
      const asked = (await bodyOf(request)) as Asked;
      const [status, body] = answerTo(request.headers["x-amz-target"], asked, accessKeyIdOf(request.headers));
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
    };
    serve().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const double: UserPoolDouble = {
    endpoint: "",
    secrets: new Map(),
    calls: [],
    refusal: null,
    close: () => stop(server),
  };
  return Object.assign(double, { endpoint: await listen(server) });
}
