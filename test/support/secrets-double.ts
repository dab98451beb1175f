import { createServer } from "node:http";
import { listen, stop } from "./loopback.ts";
import { accessKeyIdOf } from "./signature.ts";

/**
 * Secrets Manager's GetSecretValue on 127.0.0.1, for the real SDK through AWS_ENDPOINT_URL_SECRETS_MANAGER.
 * It requires a signature but does not check it.
 */
export interface SecretsDouble {
  readonly endpoint: string;
  /** SecretString by ARN or name. */
  readonly secrets: Map<string, string>;
  /** The requested ids, in order. */
  readonly asked: string[];
  /** The access key that signed each request. */
  readonly askedBy: string[];
  close(): Promise<void>;
}

export async function startSecretsDouble(): Promise<SecretsDouble> {
  const secrets = new Map<string, string>();
  const asked: string[] = [];
  const askedBy: string[] = [];

  const answer = (operation: string, accessKeyId: string, body: string): readonly [status: number, body: object] => {
    if (accessKeyId === "") {
      return [400, { __type: "MissingAuthenticationTokenException" }];
    }
    if (operation !== "secretsmanager.GetSecretValue") {
      return [400, { __type: "UnknownOperationException" }];
    }
    const { SecretId: id }: { SecretId: string } = JSON.parse(body);
    asked.push(id);
    askedBy.push(accessKeyId);
    const value = secrets.get(id);
    return value === undefined
      ? [400, { __type: "ResourceNotFoundException", Message: "Secrets Manager can't find the specified secret." }]
      : [200, { ARN: id, Name: id, VersionId: `v${asked.length}`, SecretString: value, VersionStages: ["AWSCURRENT"] }];
  };

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const operation = String(request.headers["x-amz-target"]);
      const [status, body] = answer(operation, accessKeyIdOf(request.headers), Buffer.concat(pieces).toString());
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
    });
  });
  return {
    endpoint: await listen(server),
    secrets,
    asked,
    askedBy,
    close: () => stop(server),
  };
}
