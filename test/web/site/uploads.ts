import {
  type Answered,
  type Asked,
  type FakePorts,
  FORM_HEADERS,
  fakePorts,
  type TestedSite,
  testedSite,
} from "./fake-site.ts";

export const FUNDING = "time,market,amount,currency,source\n2025-01-02T00:00:00Z,BTC-USD,-1.5,USD,statement\n";

export interface Upload {
  /** The file's own name, as the browser sends it. */
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Browsers send an empty name if no file was chosen. The runtime's writer then sends no name at all. */
const NONE = "no-file-was-chosen";

/** A form with a file, as a browser sends it, written by the runtime's own encoder. */
export async function uploadBody({
  name,
  text,
  fields = {},
}: Upload): Promise<{ type: string; body: Buffer<ArrayBuffer> }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    form.set(field, value);
  }
  const content = typeof text === "string" ? text : new Uint8Array(text);
  form.set("file", new File([content], name === "" ? NONE : name, { type: "text/csv" }));
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer()).toString("latin1");
  return { type: sent.headers.get("content-type") ?? "", body: Buffer.from(body.replace(`"${NONE}"`, '""'), "latin1") };
}

/** Uploads a file as the page's form does, with the page's note of the existing files. */
export async function putUp(
  { ask }: Pick<TestedSite, "ask">,
  upload: Upload,
  asked: Asked & { readonly account?: string } = {},
): Promise<Answered> {
  const { account = "main", ...others } = asked;
  const target = `/a/${account}/files`;
  const { body: page } = await ask(target, others.user === undefined ? {} : { user: others.user });
  const seen = seenIn(page);
  const { type, body } = await uploadBody({ ...upload, fields: { seen, ...upload.fields } });
  const headers = { ...FORM_HEADERS, "content-type": type, ...asked.headers };
  return await ask(target, { ...others, method: "POST", body, headers });
}

/** The `seen` field of the form on this page. */
export function seenIn(page: string): string {
  return /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? "";
}

/** The text that people read. */
export function readable(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}

/** The objects under `inputs/` of the account, by name. */
function kept({ store }: FakePorts, account = "main"): Record<string, string> {
  const prefix = `${account}/inputs/`;
  return Object.fromEntries(
    [...store.snapshot()]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, body]) => [key.slice(prefix.length), Buffer.from(body).toString()]),
  );
}

/** A site, its ports and what it keeps. */
export function openSite(...given: Parameters<typeof fakePorts>) {
  const ports = fakePorts(...given);
  const site = testedSite(ports);
  const put = (name: string, text: Upload["text"], fields = {}, asked = {}) =>
    putUp(site, { name, text, fields }, asked);
  return { ports, site, put, now: () => kept(ports) };
}
