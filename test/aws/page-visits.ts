import { readFile } from "node:fs/promises";
import { Agent, buildConnector, request } from "undici";
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
  const { hostname, port } = new URL(endpoint);
  const connect = buildConnector({ ca: await readFile(certificate, "utf8") });
  const dispatcher = new Agent({ connect: (to, then) => connect({ ...to, hostname, port }, then) });
  return async ({ url, method = "GET", headers: given = {}, form }) => {
    const [body, typed] =
      form === undefined
        ? [null, {}]
        : [String(new URLSearchParams(form)), { "content-type": "application/x-www-form-urlencoded" }];
    const answer = await request(url, { dispatcher, method, headers: { ...typed, ...given }, body });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: Buffer.from(await answer.body.arrayBuffer()).toString(),
    };
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
