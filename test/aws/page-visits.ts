import { readFile } from "node:fs/promises";
import { request } from "node:https";
import type { CloudPlace } from "./place.ts";

/** A browser's request to a page behind the emulator's CloudFront, or to a part of AWS under its own name. */
export interface Ask {
  /** https; the request goes to the emulator, whatever the host name. */
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of a form. */
  readonly form?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Asker = (ask: Ask) => Promise<Answered>;

/** Sends requests without following redirects or keeping cookies. */
export async function openAsker({ endpoint, certificate }: CloudPlace): Promise<Asker> {
  const ca = await readFile(certificate, "utf8");
  const { hostname, port } = new URL(endpoint);
  return ({ url, method = "GET", headers = {}, form }) => {
    const { host, pathname, search } = new URL(url);
    const body = form === undefined ? "" : new URLSearchParams(form).toString();
    const typed = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, ca, method, path: pathname + search, headers: { ...typed, ...headers, host } };
      const asked = request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const { statusCode: status = 0, headers: answered } = answer;
          resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() });
        });
      });
      asked.on("error", reject);
      asked.end(body);
    });
  };
}

/** The cookies that an answer sets, by name. */
export function cookiesOf({ headers }: Answered): ReadonlyMap<string, string> {
  const lines = headers["set-cookie"] ?? [];
  return new Map(
    [lines].flat().map((line) => {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
}

/** The value of a hidden field in the answer's page. */
export function hiddenField({ body }: Answered, name: string): string {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(body) ?? [];
  if (value === undefined) {
    throw new Error(`the page has no field ${name}: ${body.slice(0, 500)}`);
  }
  return value.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
}
