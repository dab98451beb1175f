import { createServer } from "node:http";
import { listen, stop } from "./loopback.ts";
import { accessKeyIdOf } from "./signature.ts";

/** One answered AssumeRole. */
export interface StsSession {
  readonly roleArn: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The access key of the caller. */
  readonly askedBy: string;
  /** The access key of the new session. */
  readonly accessKeyId: string;
}

/**
 * STS's AssumeRole on 127.0.0.1, for the real SDK through AWS_ENDPOINT_URL_STS. It requires a signature but
 * does not check it.
 */
export interface StsDouble {
  readonly endpoint: string;
  readonly sessions: readonly StsSession[];
  /** When new sessions expire; by default later than any test runs. ms UTC */
  expiresAt: number;
  /** The STS code that refuses every request; null: none is refused. */
  refusal: string | null;
  close(): Promise<void>;
}

export async function startStsDouble(): Promise<StsDouble> {
  const sessions: StsSession[] = [];

  const answer = (askedBy: string, form: URLSearchParams): readonly [status: number, body: string] => {
    const refused = double.refusal ?? (askedBy === "" ? "MissingAuthenticationToken" : null);
    if (refused !== null || form.get("Action") !== "AssumeRole") {
      return [403, error(refused ?? "InvalidAction")];
    }
    const accessKeyId = `ASIASESSION${sessions.length}`;
    sessions.push({ roleArn: form.get("RoleArn") ?? "", tags: tagsOf(form), askedBy, accessKeyId });
    return [200, credentials(accessKeyId, double.expiresAt)];
  };

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(pieces).toString());
      const [status, body] = answer(accessKeyIdOf(request.headers), form);
      response.writeHead(status, { "content-type": "text/xml" }).end(body);
    });
  });
  const double: StsDouble = {
    endpoint: "",
    sessions,
    refusal: null,
    expiresAt: Date.UTC(2099, 0, 1),
    close: () => stop(server),
  };
  return Object.assign(double, { endpoint: await listen(server) });
}

function tagsOf(form: URLSearchParams): Readonly<Record<string, string>> {
  const tags: Record<string, string> = {};
  for (let index = 1; form.has(`Tags.member.${index}.Key`); index += 1) {
    tags[form.get(`Tags.member.${index}.Key`) ?? ""] = form.get(`Tags.member.${index}.Value`) ?? "";
  }
  return tags;
}

/** Common to all sessions. */
export const SESSION = { secret: "secret", sessionToken: "session" } as const;

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
function credentials(accessKeyId: string, expiresAt: number): string {
  return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${SESSION.secret}</SecretAccessKey><SessionToken>${SESSION.sessionToken}</SessionToken>
<Expiration>${new Date(expiresAt).toISOString()}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}

function error(code: string): string {
  return `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error></ErrorResponse>`;
}
