import { type Answered, type Asked, FORM_HEADERS, openSite, type TestedSite } from "./fake-site.ts";

export const FUNDING = "time,market,amount,currency,source\n2025-01-02T00:00:00Z,BTC-USD,-1.5,USD,statement\n";

export interface Upload {
  /** The file's own name, as the browser sends it. */
  readonly name: string;
  readonly text: string | Uint8Array;
  /** What the user says that it is. */
  readonly as?: string;
}

/** Browsers send an empty name if no file was chosen. The runtime's writer then sends no name at all. */
const NONE = "no-file-was-chosen";

/** A form with a file, as a browser sends it, written by the runtime's own encoder. */
export async function uploadBody({
  name,
  text,
  as = "",
}: Upload): Promise<{ type: string; body: Buffer<ArrayBuffer> }> {
  const form = new FormData();
  form.set("as", as);
  const content = typeof text === "string" ? text : new Uint8Array(text);
  form.set("file", new File([content], name === "" ? NONE : name, { type: "text/csv" }));
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer()).toString("latin1");
  return { type: sent.headers.get("content-type") ?? "", body: Buffer.from(body.replace(`"${NONE}"`, '""'), "latin1") };
}

/** Uploads a file as the page's form does. */
export async function putUp(
  { ask }: Pick<TestedSite, "ask">,
  upload: Upload,
  { headers = {}, ...asked }: Asked = {},
): Promise<Answered> {
  const { type, body } = await uploadBody(upload);
  const sent = { ...FORM_HEADERS, "content-type": type, ...headers };
  return await ask("/a/main/files", { ...asked, method: "POST", body, headers: sent });
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

/** A site, its ports and what it keeps under `inputs/` of the account, by name. */
export function openUploads(...given: Parameters<typeof openSite>) {
  const site = openSite(...given);
  const now = () =>
    Object.fromEntries(
      [...site.ports.store.snapshot()]
        .filter(([key]) => key.startsWith("main/inputs/"))
        .map(([key, body]) => [key.slice("main/inputs/".length), Buffer.from(body).toString()]),
    );
  const put = (name: string, text: Upload["text"], as = "", asked: Asked = {}) =>
    putUp(site, { name, text, as }, asked);
  return { ports: site.ports, site, put, now };
}
